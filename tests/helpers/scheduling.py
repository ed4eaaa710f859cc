"""How the files of tests are dealt to the workers of pytest-xdist."""

from __future__ import annotations

from typing import Protocol

from xdist.scheduler import LoadFileScheduling


class Gateway(Protocol):
    """The way to a worker."""

    id: str


class Worker(Protocol):
    """A worker, as far as it matters here."""

    gateway: Gateway
    workerinput: dict[str, str]


class FilesOnce(LoadFileScheduling):  # type: ignore[misc]  # pytest-xdist has no types
    """Whole files, but never again the test at which a worker has ended.

    As it stands, ``--dist loadfile`` gives that test to the next worker, and so on
    until no more are started: one that hangs would end the whole run.
    """

    def remove_node(self, node: Worker) -> str | None:
        """The test that this worker was at; what it had left goes to the others."""
        files = self.assigned_work[node]
        left = [(tests, t) for tests in files.values() for t in tests if not tests[t]]
        if left:
            tests, at = left[0]
            tests[at] = True
        for name in [name for name, tests in files.items() if all(tests.values())]:
            del files[name]
        super().remove_node(node)
        return at if left else None
