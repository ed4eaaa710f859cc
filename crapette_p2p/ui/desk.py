"""What all screens of one run share: settings, the look, and the outside world.

The terminal is behind plain callables, so a screen can be played in a test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.settings import Settings, parse_value


class NotKeptError(ValueError):
    """A setting is in force, but the config file could not be written."""


def _nothing(*_: object) -> None:
    return None


@dataclass(slots=True)
class Desk:
    """Settings in force and the ways out of the program."""

    settings: Settings = field(default_factory=Settings)
    """As changed since the start."""
    words_of: Callable[[str], Words] = lambda _lang: ENGLISH
    """The words of a language."""
    letters_only: bool = False
    """The terminal draws a suit sign two cells wide, or cannot at all."""
    ascii_only: bool = False
    """The terminal can write ASCII only."""
    ring: Callable[[], None] = _nothing
    """Ring the bell."""
    entitle: Callable[[str], None] = _nothing
    """Set the title of the terminal's window."""
    copy: Callable[[str], None] = _nothing
    """Put a text into the clipboard."""
    clear: Callable[[], None] = _nothing
    """Draw everything anew, whatever the terminal shows."""
    keep: Callable[[str, object], None] = _nothing
    """Write a setting into the config file."""
    restyle: Callable[[], None] = _nothing
    """Theme, colours or mouse changed."""
    has_menu: bool = False
    """Whether there is a menu to go back to."""
    afterword: str = ""
    """What is left to say once the terminal is given back."""

    @property
    def words(self) -> Words:
        """The words of the language in force."""
        return self.words_of(self.settings.lang or "en")

    @property
    def theme(self) -> Theme:
        """The look in force."""
        settings = self.settings
        ascii_only = self.ascii_only or settings.ascii
        words = self.words
        if ascii_only and words.lang not in _LATIN_LANGUAGES:
            words = ENGLISH
        return Theme(
            words=words,
            local_faces=settings.faces == "local",
            letters=self.letters_only or settings.suits == "letters",
            ascii_only=ascii_only,
        )

    def change(self, key: str, text: str) -> None:
        """Change a setting at once and keep it; raises ValueError with why not.

        Where it cannot be kept (NotKeptError) it is in force all the same.
        """
        value = parse_value(key, text, self.words)
        self.settings = replace(self.settings, **{key: value})  # type: ignore[arg-type] # parse_value gives the key's type
        self.restyle()
        try:
            self.keep(key, value)
        except (OSError, UnicodeDecodeError) as error:
            why = why_of(error, self.words)
            said = self.words("in force, but not kept: {why}", why=why)
            raise NotKeptError(said) from error


_LATIN_LANGUAGES: Final = frozenset({"en", "pl", "fr", "de"})
"""Languages that stay readable in ASCII."""
