"""**Pure**: what the line mode answers when something is asked."""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine import Action, Move, format_action, legal_actions
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.session.notices import Peer
from crapette_p2p.ui.lines import (
    fan_line,
    fan_lines,
    foundation_line,
    other_line,
    own_line,
)
from crapette_p2p.ui.narrator import Narrator, house_lines, terms_line
from crapette_p2p.ui.rulebook import sections
from crapette_p2p.ui.typed import help_lines

_HOW: Final = {
    "none": "nothing has checked it yet.",
    "sas": "you compared four cards.",
    "invite": "it came with the invite.",
    "pin": "it is the key you asked for.",
}
"""How a peer's key was checked, in a sentence."""


def answer_lines(
    topic: str,
    detail: str,
    *,
    narrator: Narrator,
    genesis: Genesis | None,
    peer: Peer | None,
    assist: bool,
) -> list[str]:
    """The lines that answer one of ``typed.QUESTIONS``."""
    words = narrator.words
    match topic:
        case "help":
            return help_lines(words, assist=assist)
        case "say":
            return narrator.last or [words("nothing has happened yet.")]
        case "who":
            return _who(narrator, peer)
        case "rules":
            return _rules(narrator, genesis)
        case _:
            pass
    if narrator.position is None:
        return narrator.table()
    if topic == "legal":
        return _legal(narrator, assist=assist)
    return _piles(topic, detail, narrator)


def _piles(topic: str, detail: str, narrator: Narrator) -> list[str]:
    position, speech = narrator.position, narrator.speech
    assert position is not None  # noqa: S101 - the caller has looked
    match topic:
        case "fans":
            return fan_lines(position, speech)
        case "fan":
            return [fan_line(position, speech, int(detail) - 1)]
        case "mine":
            return [own_line(position, speech)]
        case "theirs":
            return [other_line(position, speech)]
        case "foundations":
            return [foundation_line(position, speech)]
        case _:
            return narrator.table()


def _legal(narrator: Narrator, *, assist: bool) -> list[str]:
    words, position = narrator.words, narrator.position
    if not assist:
        return [words("not in this game: assist is off.")]
    assert position is not None  # noqa: S101 - the caller has looked
    if position.active != narrator.speech.seat:
        return [words("it is not your turn.")]
    actions = {format_action(action): action for action in legal_actions(position)}
    texts = [_spelt(text, actions[text], narrator) for text in sorted(actions)]
    return [words("you may play: {moves}.", moves=", ".join(texts))]


def _spelt(text: str, action: Action, narrator: Narrator) -> str:
    """What is typed; where cards are said in words, what it does as well."""
    speech, position = narrator.speech, narrator.position
    if not isinstance(action, Move) or not speech.spoken or position is None:
        return text
    told = speech.words(
        "{source} to {target}, {card}",
        source=speech.pile(action.source, speech.seat),
        target=speech.pile(action.target, speech.seat),
        card=speech.card(position.top(action.source)),
    )
    return f"{text} ({told})"


def _who(narrator: Narrator, peer: Peer | None) -> list[str]:
    if peer is None:
        return [narrator.words("nobody is here yet.")]
    return [
        narrator.words(
            "{who}, key {key}. {how}",
            who=peer.nick,
            key=peer.fingerprint,
            how=narrator.words(_HOW.get(peer.verified, peer.verified)),
        )
    ]


def _rules(narrator: Narrator, genesis: Genesis | None) -> list[str]:
    if genesis is None:
        return [narrator.words("the rules are not agreed yet.")]
    words = narrator.words
    parts = sections(genesis.rules, words)
    text = [f"{part.heading}. {' '.join(part.sentences)}" for part in parts]
    changes = house_lines(genesis.rules, words)
    return [terms_line(genesis, words), *changes, *text]
