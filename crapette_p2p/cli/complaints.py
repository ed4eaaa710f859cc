"""What argparse complains of, in the language of the run.

argparse has English sentences of its own; those it says of our command line are
recognised here and said again. In English they stand as they are, but for two kinds:
what is left over before a command, since the parser says that in our words after one,
and a value that is no number, since argparse names what would have read it.
"""

from __future__ import annotations

import re
from typing import Final

from crapette_p2p.cli.speaking import words, words_in_force

_COMPLAINTS: Final = {
    r"argument (?P<flag>.+?): expected (?:one|at least one) argument": (
        "{flag} needs a value"
    ),
    r"argument (?P<flag>.+?): invalid choice: (?P<text>.+?) "
    r"\(choose from (?P<choices>.+)\)": "{flag}: {text} is none of {choices}",
    r"argument (?P<flag>.+?): invalid (?:float|seconds) value: (?P<text>.+)": (
        "{flag} needs a number, not {text}"
    ),
    r"argument (?P<flag>.+?): invalid \S+ value: (?P<text>.+)": (
        "{flag} needs a whole number, not {text}"
    ),
    r"argument (?P<flag>.+?): not allowed with argument (?P<other>.+)": (
        "{flag} does not go together with {other}"
    ),
    r"argument (?P<flag>.+?): ignored explicit argument .+": "{flag} takes no value",
    r"argument (?P<flag>.+?): (?P<text>.+)": "{flag}: {text}",
    r"the following arguments are required: (?P<names>.+)": "missing: {names}",
    r"one of the arguments (?P<names>.+) is required": "missing: one of {names}",
    r"unrecognized arguments: (?P<given>.+)": "there is no such argument: {given}",
}
"""What argparse writes → what we say."""
_OURS: Final = re.compile(r"unrecognized arguments: |argument \S+: invalid \w+ value: ")
"""What we say better in English, too."""
_NAMING: Final = frozenset({"flag", "other", "names"})
"""Fields that name arguments."""
_BETWEEN: Final = re.compile(r"(?<![^ ])[A-Z][^ ,]*")
"""What stands for a value, in a list of arguments."""


def reworded(message: str) -> str:
    """A complaint of argparse in this language; any other as it is."""
    if words_in_force().lang == "en" and not _OURS.match(message):
        return message
    for pattern, sentence in _COMPLAINTS.items():
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            values = found.groupdict()
            for field in _NAMING & values.keys():
                values[field] = _named(values[field])
            return words(sentence, **values)
    return message


def _named(text: str) -> str:
    """Flags as they are typed; what stands for a value as the help calls it."""
    return _BETWEEN.sub(lambda placeholder: words(placeholder[0]), text)
