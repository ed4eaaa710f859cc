"""**Pure**: what follows on a deal: how its match stands, and on which terms."""

from __future__ import annotations

from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.session.notices import GameOver
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.told_apart import told_apart


def terms_of(genesis: Genesis) -> tuple[object, ...]:
    """What a player agrees to, beside the cards."""
    return (genesis.preset, genesis.rules, genesis.assist, genesis.match.target)


def match_text(
    genesis: Genesis, over: GameOver, words: Words = ENGLISH, *, seat: int | None = None
) -> str:
    """One sentence; empty for a deal that was no part of a match."""
    target, (a, b) = genesis.match.target, over.score
    names = told_apart(genesis.nicks, seat, words)
    if target <= 1:
        return ""
    if not over.match_over:
        text = "The match to {n}: {one} {a}, {two} {b}."
        return words(text, n=target, one=names[0], a=a, two=names[1], b=b)
    if a == b:
        return words("The match is over: {a}:{b}.", a=a, b=b)
    high, low = max(a, b), min(a, b)
    return words("{name} wins the match {a}:{b}.", name=names[b > a], a=high, b=low)
