"""The changelog has the form of Keep a Changelog and knows the version."""

from __future__ import annotations

import re
from pathlib import Path

import crapette_p2p

ROOT = Path(__file__).parent.parent
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
RELEASE = re.compile(r"## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})")


def headings() -> list[str]:
    """The second-level headings, in order."""
    return [line for line in CHANGELOG.splitlines() if line.startswith("## ")]


def test_unreleased_comes_first() -> None:
    """What has not been released stands on top, releases below it, newest first."""
    first, *releases = headings()
    assert first == "## [Unreleased]"
    versions = []
    for heading in releases:
        found = RELEASE.fullmatch(heading)
        assert found, heading
        versions.append(tuple(map(int, found[1].split("."))))
    assert versions == sorted(versions, reverse=True)


def test_the_newest_release_is_the_package() -> None:
    """The newest version of the changelog is the package's."""
    found = RELEASE.fullmatch(headings()[1])
    assert found is not None
    assert found[1] == crapette_p2p.__version__
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{crapette_p2p.__version__}"' in project


def test_changes_are_sorted_into_kinds() -> None:
    """Every third-level heading is one of the six kinds."""
    kinds = {line[4:] for line in CHANGELOG.splitlines() if line.startswith("### ")}
    assert kinds
    assert kinds <= KINDS
