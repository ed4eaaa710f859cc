"""Cards, actions and positions as text and JSON (spec 10)."""

from typing import Any

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_play import OFFENCES, Play
from tests.interop.checker_rulesets import from_json
from tests.interop.checker_table import (
    UNSEEN,
    Action,
    Counts,
    End,
    Table,
)

RANKS = "A23456789TJQK"
SUITS = "CDSH"
SIGNS = {"♣": "C", "♦": "D", "♠": "S", "♥": "H"}
REASONS = ("empty", "blocked", "agreed", "resigned", "limit")


def read_card(text: str) -> int:
    """Take a card's text; spaces around it are taken, `??` is no card."""
    word = text.strip(" ").upper()
    word = "T" + word[2:] if word.startswith("10") else word
    suit = SIGNS.get(word[1:], word[1:])
    if len(word) != 2 or word[0] not in RANKS or suit not in SUITS:
        raise ProtocolError("notation", text)
    return SUITS.index(suit) * 13 + RANKS.index(word[0])


def card_text(card: int) -> str:
    """A card's text."""
    return "??" if card == UNSEEN else RANKS[card % 13] + SUITS[card // 13]


def seat(letter: str | None) -> int | None:
    """The role of a seat."""
    return None if letter is None else "AB".index(letter)


def letter(role: int | None) -> str | None:
    """The seat of a role."""
    return None if role is None else "AB"[role]


def _source(word: str, role: int) -> int:
    if len(word) == 1 and word in "12345678":
        return int(word) - 1
    kinds = {"R": 16, "D": 20, "W": 22}
    if word not in kinds:
        raise ProtocolError("notation", word)
    return kinds[word] + role


def _target(word: str, role: int) -> int:
    if len(word) == 1 and word in "12345678":
        return int(word) - 1
    if word == "F":
        return -1
    kinds = {"OR": 17, "OW": 23}
    if word not in kinds:
        raise ProtocolError("notation", word)
    return kinds[word] - role


def _goal(table: Table, source: int) -> int:
    card = table.top(source)
    if card is None or card == UNSEEN:
        return 8
    fit = table.foundation(card)
    return 8 + card // 13 * 2 if fit is None else fit


def read_play(play: Play, word: str, role: int) -> Action:
    """Take the text of a play, seen from one seat.

    Args:
        play: The deal, for the foundation that is meant.
        word: Such as `5-OW`.
        role: Whose play it is.

    Returns:
        The action.
    """
    start, dash, goal = word.partition("-")
    if not dash:
        raise ProtocolError("notation", word)
    source, target = _source(start, role), _target(goal, role)
    if target == -1:
        target = _goal(play.table, source)
    return Action("move", source, target)


def read_named(play: Play, word: str, offender: int) -> Action:
    """Take the text of the play a Stop names."""
    named = read_play(play, word, offender)
    for offence in play.offences:
        for due in offence.due:
            both = due.to_foundation and word.endswith("F")
            if due.source == named.source and (both or due.target == named.target):
                return due
    return named


def do(play: Play, text: str, seq: int) -> str | None:
    """Do what a text says.

    Args:
        play: The deal.
        text: An action (spec 10, 4).
        seq: The number of its event.

    Returns:
        The name of the offence it is, if it is one.
    """
    words = text.upper().split()
    before, colon, rest = words[0].partition(":")
    role: int | None = "AB".index(before) if colon else None
    words[0] = rest if colon else before
    last = play.last_actor
    other = 1 - (play.table.counts.active if last is None else last)
    verb = words[0]
    if verb in ("STOP", "GRANT"):
        caller = other if role is None else role
        if verb == "GRANT":
            play.grant(caller)
        else:
            play.stop(caller, read_named(play, words[1], 1 - caller), seq)
        return None
    if verb in ("RESIGN", "OFFER-DRAW", "ACCEPT-DRAW", "DECLINE-DRAW"):
        mover = play.table.counts.active if role is None else role
        who = "AB".index(words[1]) if len(words) > 1 else mover
        if verb == "RESIGN":
            play.resign(who)
        elif verb == "OFFER-DRAW":
            play.offer_draw(who)
        else:
            play.answer_draw(who, accept=verb == "ACCEPT-DRAW")
        return None
    mover = play.table.counts.active if role is None else role
    if verb in ("TURN", "DISCARD", "PASS"):
        action = Action(verb.lower())
    else:
        action = read_play(play, verb, mover)
    return play.act(mover, action, seq) or None


def read_position(found: dict[str, Any]) -> Play:
    """Take a position (spec 10, 5); what is broken may be taken all the same.

    Args:
        found: The object.

    Returns:
        The deal from there on.
    """
    rules = from_json(found.get("rules", "crapette"))
    faces: list[int] = []

    def pile(cards: list[str] | int) -> list[int]:
        texts = ["??"] * cards if isinstance(cards, int) else cards
        faces.extend(UNSEEN if text == "??" else read_card(text) for text in texts)
        return list(range(len(faces) - len(texts), len(faces)))

    piles: list[list[int]] = [pile(column) for column in found["tableau"]]
    for suit in SUITS:
        heights = found["foundations"][suit]
        piles += [pile([rank + suit for rank in RANKS[:up]]) for up in heights]
    for kind in ("reserve", "stock", "drawn", "waste"):
        for name in "AB":
            cards = found[name].get(kind)
            if kind == "drawn":
                cards = [] if cards is None else [cards]
            piles.append(pile(cards))
    table = Table(rules, faces, piles, strict=True)
    return _with_counters(found, table)


def _with_counters(found: dict[str, Any], table: Table) -> Play:
    given = found.get("counters", {})
    active = "AB".index(found["to_move"])
    opened = found["turn_opened"]
    most = max(table.hidden(0), table.hidden(1))
    wrong, sit_out = given.get("wrong", (0, 0)), given.get("to_sit_out", (0, 0))
    table.counts = Counts(
        active=active,
        acts=given.get("actions", int(opened)),
        idle=given.get("idle", 0),
        progressed=given.get("progressed", False),
        limit=given.get("limit", max(8, 2 * most + 2)),
        fewest=given.get("fewest", table.both),
        passes=bool(given.get("passes", 0)),
        spent=given.get("spent", False),
        wrong=(wrong[0], wrong[1]),
        sit_out=(sit_out[0], sit_out[1]),
    )
    mover = active if opened else None
    called = mover if table.rules.calls else None
    play = Play(table)
    play.last_actor = seat(given["last_actor"]) if "last_actor" in given else mover
    play.callable = seat(given["callable"]) if "callable" in given else called
    play.offer = seat(given.get("offer"))
    play.offered = sum(1 << "AB".index(name) for name in given.get("offered", ()))
    end = given.get("end")
    if end is not None:
        reason = REASONS.index(end["reason"])
        play.limited = reason == 4
        author = seat(end["provisional_by"])
        winner = seat(end["winner"])
        play.end = End(winner, 1 if play.limited else reason, end["points"], author)
    elif "end" not in given:
        _won_already(play)
    return play


def _won_already(play: Play) -> None:
    for role in (0, 1):
        if play.end is None and play.table.won(role):
            play.end = play.table.end(0, role)


def look(play: Play, path: str) -> Any:  # noqa: ANN401
    """A field of the position, written as JSON.

    Args:
        play: The deal.
        path: Names joined by dots.

    Returns:
        The value.
    """
    value: Any = write_position(play)
    for name in path.split("."):
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def _stock(cards: list[str]) -> list[str] | int:
    """A stock as it is written: a number if no card in it has been seen."""
    return len(cards) if cards and set(cards) == {"??"} else cards


def write_position(play: Play) -> dict[str, Any]:
    """Write a position, without `format` and `rules`."""
    table, counts = play.table, play.table.counts

    def pile(number: int) -> list[str]:
        return [card_text(table.faces[slot]) for slot in table.piles[number]]

    end = None
    if play.end is not None:
        reason = 4 if play.limited else play.end.reason
        end = {
            "winner": letter(play.end.winner),
            "reason": REASONS[reason],
            "provisional_by": letter(play.end.author),
            "points": play.end.points,
        }
    found: dict[str, Any] = {
        "to_move": letter(counts.active),
        "turn_opened": counts.acts > 0,
        "tableau": [pile(column) for column in range(8)],
        "foundations": {
            suit: [len(table.piles[8 + 2 * at]), len(table.piles[9 + 2 * at])]
            for at, suit in enumerate(SUITS)
        },
    }
    for role in (0, 1):
        found["AB"[role]] = {
            "reserve": pile(16 + role),
            "stock": _stock(pile(18 + role)),
            "drawn": next(iter(pile(20 + role)), None),
            "waste": pile(22 + role),
        }
    if play.offences:
        code = OFFENCES[play.offences[0].code]
        found["offence"] = {"code": code, "by": letter(play.callable)}
    found["counters"] = {
        "idle": counts.idle,
        "limit": counts.limit,
        "fewest": counts.fewest,
        "progressed": counts.progressed,
        "passes": int(counts.passes),
        "actions": counts.acts,
        "last_actor": letter(play.last_actor),
        "callable": letter(play.callable),
        "spent": counts.spent,
        "wrong": list(counts.wrong),
        "to_sit_out": list(counts.sit_out),
        "offer": letter(play.offer),
        "offered": ["AB"[role] for role in (0, 1) if play.offered >> role & 1],
        "end": end,
    }
    return found
