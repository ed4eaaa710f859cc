"""What was read from files, for as long as each stays as it is.

Lists of games are shown often, and hundreds of logs take seconds to read. What a
list showed is remembered until the next one: a log that is gone, or was another when
it was read, leaves nothing behind, and a game that nobody lists is not remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

Answer = TypeVar("Answer")
_State = tuple[int, int, int, bytes]


class Remembered(Generic[Answer]):
    """Answers about files, one for each."""

    def __init__(self, read: Callable[[Path, float, bytes], Answer]) -> None:
        self._read = read
        self._folders: dict[Path, dict[str, tuple[_State, Answer]]] = {}

    def of(self, path: Path, reader: bytes = b"") -> Answer:
        """What ``read`` says of a file, when it was written to and who asks.

        Raises what ``read`` raises, and OSError.
        """
        status = path.stat()
        as_it_is = (status.st_ino, status.st_size, status.st_mtime_ns, reader)
        folder = self._folders.setdefault(path.parent, {})
        known = folder.get(path.name)
        if known is None or known[0] != as_it_is:
            modified = status.st_mtime_ns / 1e9
            known = folder[path.name] = as_it_is, self._read(path, modified, reader)
        return known[1]

    def keep_only(self, folder: Path, paths: Iterable[Path]) -> None:
        """Forget every file of a folder but these."""
        known = self._folders.pop(folder, {})
        names = known.keys() & {path.name for path in paths}
        if names:
            self._folders[folder] = {name: known[name] for name in names}
