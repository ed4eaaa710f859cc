"""What the checker says to the vectors of the rules."""

from collections.abc import Iterator

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_game import starter
from tests.interop.checker_play import Play
from tests.interop.checker_positions import (
    REASONS,
    card_text,
    do,
    letter,
    look,
    read_card,
    read_position,
    write_position,
)
from tests.interop.checker_rulesets import Rules, from_bytes, from_json
from tests.interop.checker_strict import FORMAT, check_position, read_action, wrong
from tests.interop.checker_table import UNSEEN, Action, Table
from tests.interop.checker_vectors import Json, RefusedError, raw

NO_PLAY = ("stop", "grant", "resign", "draw")


def cards(given: Json, _: Json) -> Json:
    """Cards."""
    card = read_card(given["text"])
    return {"card": card, "text": card_text(card)}


def moves(given: Json, common: Json) -> Json:
    """Actions as text."""
    role, action, text = read_action(read_position(common["position"]), given["text"])
    return {"seat": letter(role), "action": action, "text": text}


def positions(given: Json, _: Json) -> Json:
    """Positions."""
    found = given["position"]
    try:
        check_position(found)
    except ProtocolError as error:
        raise RefusedError(error.code, {"field": error.why}) from error
    written = write_position(read_position(found))
    return {"format": FORMAT, "rules": found["rules"], **written}


def rulesets(given: Json, _: Json) -> Json:
    """Rule sets."""
    rules = _rules(given)
    found: Json = {"array": list(rules.array), "bytes": rules.packed.hex()}
    return found | {"hash": rules.digest.hex()}


def _rules(given: Json) -> Rules:
    if "bytes" in given:
        return from_bytes(raw(given["bytes"]))
    return from_json(given["rules"])


def starters(given: Json, _: Json) -> Json:
    """Who starts."""
    faces: list[int] = []
    piles: list[list[int]] = [[] for _ in range(24)]
    for role in (0, 1):
        lay_out = given["AB"[role]]
        texts = [lay_out["reserve"], *lay_out["columns"]]
        places = [16 + role, *range(4 * role, 4 * role + 4)]
        for place, text in zip(places, texts, strict=True):
            if text == "??":
                raise wrong(text)
            piles[place].append(len(faces))
            faces.append(read_card(text))
    table = Table(from_json(given["rules"]), faces, piles)
    return {"starts": letter(starter(table, given["lot"]))}


def _name(table: Table, action: Action) -> str:
    if action.kind != "move":
        return action.kind
    piles = {16: "R", 20: "D", 22: "W"}
    role = table.counts.active
    source = piles.get(action.source - role if action.source >= 16 else -1)
    target = "OR" if action.target < 18 else "OW"
    target = "F" if action.to_foundation else target
    target = str(action.target + 1) if action.target < 8 else target
    return f"{source or action.source + 1}-{target}"


def _lawful(play: Play) -> Iterator[tuple[str, str | None, Play]]:
    for action in filter(play.accepts, play.table.actions()):
        after = play.copy()
        offence = after.act(play.table.counts.active, action, 10)
        yield _name(play.table, action), offence or None, after


def duties(given: Json, _: Json) -> Json:
    """What may be played and which duties stand, or one action."""
    play = read_position(given["position"])
    if "action" in given:
        return {"offence": do(play, given["action"], 10)}
    lawful = sorted([name, offence] for name, offence, _ in _lawful(play))
    return {"legal": lawful, "duties": play.table.due()[0]}


def rulings(given: Json, _: Json) -> Json:
    """Lines of play."""
    play = read_position(given["position"])
    offence, seq = None, given.get("seq", 10)
    for text in given["moves"]:
        if play.table.unopened:
            raise ProtocolError("unknown-card")
        last = do(play, text, seq)
        if not any(word in text.lower() for word in NO_PLAY):
            offence = last
    result = None
    if play.end is not None:
        result = {
            "winner": letter(play.end.winner),
            "reason": REASONS[4 if play.limited else play.end.reason],
            "provisional": play.end.author is not None,
            "points": play.end.points,
        }
    after = {path: look(play, path) for path in given.get("look", ())}
    return {"offence": offence, "after": after, "result": result}


def _nodes(play: Play, depth: int) -> list[int]:
    """How many sequences there are of 1 to `depth` actions."""
    if play.end is not None:
        return [0] * depth
    if depth == 1:
        return [sum(map(play.accepts, play.table.actions()))]
    found = [0] * depth
    for _, _, after in _lawful(play):
        found[0] += 1
        for at, count in enumerate(_nodes(after, depth - 1)):
            found[at + 1] += count
    return found


def _opens_unseen(play: Play) -> bool:
    """Whether an accepted action would turn up a face that is not given."""
    open_play = play.copy()
    open_play.table.strict = False
    lawful = filter(open_play.accepts, open_play.table.actions())
    return play.table.unopened or not all(map(play.accepts, lawful))


def perft(given: Json, _: Json) -> Json:
    """Counts of sequences of actions."""
    play = read_position(given["position"])
    if UNSEEN in play.table.faces and _meets_unseen(play, given["depth"]):
        raise ProtocolError("unknown-card")
    return {"nodes": _nodes(play, given["depth"])}


def _meets_unseen(play: Play, depth: int) -> bool:
    if not depth or play.end is not None:
        return False
    if _opens_unseen(play):
        return True
    return any(_meets_unseen(after, depth - 1) for _, _, after in _lawful(play))
