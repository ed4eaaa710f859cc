"""How cards read on a screen: local letters of the court cards, suit signs, names.

Files, logs and JSON always use A K Q J T and S H D C; this is for eyes only. The
ten is always "10", so that no letter has to mean it in every alphabet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from crapette_p2p.cards import ACE, UNKNOWN, rank_of, suit_of
from crapette_p2p.ui.language import ENGLISH, Words

COURT_LETTERS: Final[Mapping[str, str]] = MappingProxyType(
    {"en": "AJQK", "pl": "AWDK", "ru": "ТВДК", "fr": "AVDR", "de": "ABDK"}
)
"""Ace, jack, queen, king by language."""
SYMBOLS: Final = "♣♦♠♥"
"""By suit number."""
SUIT_STYLES: Final = ("suit-clubs", "suit-diamonds", "suit-spades", "suit-hearts")
_JACK: Final = 11
_UNSEEN_CARD: Final = "░░░"


@lru_cache
def rank_letters(lang: str) -> tuple[str, ...]:
    """What ranks 1..13 read in a language."""
    letters = COURT_LETTERS.get(lang, COURT_LETTERS["en"])
    return (letters[0], *(str(rank) for rank in range(2, _JACK)), *letters[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Everything that decides what characters a picture is made of."""

    words: Words = ENGLISH
    """Language of labels."""
    local_faces: bool = True
    """Court cards in the letters of the language, not A K Q J."""
    letters: bool = False
    """Suits as letters."""
    ascii_only: bool = False
    """No character outside ASCII at all."""

    @property
    def ranks(self) -> tuple[str, ...]:
        """What ranks 1..13 read on this screen."""
        local = self.local_faces and not self.ascii_only
        return rank_letters(self.words.lang if local else "en")

    @property
    def suits(self) -> str:
        """The four suit signs by suit number."""
        if not (self.letters or self.ascii_only):
            return SYMBOLS
        return "CDSH" if self.words.lang == "pl" else "cdsh"

    def card(self, face: int) -> str:
        """A card, two or three cells: ``7♥``, ``10♥``."""
        if face == UNKNOWN:
            return _UNSEEN_CARD
        local = self.local_faces and not self.ascii_only
        return _deck(self.words.lang if local else "en", self.suits)[face]

    def cell(self, face: int) -> str:
        """A card in exactly three cells, right-aligned."""
        return self.card(face).rjust(3)


@lru_cache
def _deck(lang: str, suits: str) -> tuple[str, ...]:
    """What every face reads: a table draws a hundred of them at a key."""
    ranks = rank_letters(lang)
    faces = range(len(ranks) * len(suits))
    return tuple(ranks[rank_of(f) - ACE] + suits[suit_of(f)] for f in faces)


PLAIN_THEME: Final = Theme()


def card_style(face: int) -> str:
    """The style class of a card's suit."""
    return "unseen" if face == UNKNOWN else SUIT_STYLES[suit_of(face)]


_RANK_NAMES: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
_SUIT_NAMES: Final = ("clubs", "diamonds", "spades", "hearts")


def card_name(face: int, words: Words = ENGLISH) -> str:
    """A card in words, ``seven of hearts``."""
    if face == UNKNOWN:
        return words("a face-down card")
    rank, suit = _RANK_NAMES[rank_of(face) - ACE], _SUIT_NAMES[suit_of(face)]
    return words("{rank} of {suit}", rank=words(rank), suit=words(suit))


def parse_screen_card(text: str, theme: Theme) -> int | None:
    """The card a player typed: ``7h``, ``10♥``, or in the screen's letters."""
    plain = text.strip().lower()
    rank_text, suit_text = plain[:-1], plain[-1:]
    suit = SYMBOLS.find(suit_text) if suit_text else -1
    if suit < 0:
        suit = "cdsh".find(suit_text) if suit_text else -1
    for ranks in (theme.ranks, rank_letters("en")):
        names = [name.lower() for name in ranks]
        rank = _TEN if rank_text == "t" and "т" not in names else None
        if rank is None and rank_text in names:
            rank = names.index(rank_text) + ACE
        if rank is not None and suit >= 0:
            return suit * 13 + rank - 1
    return None


_TEN: Final = 10
