"""Write a game as a web page, or as one picture a position."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

from crapette_p2p.cards import format_card
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.engine.actions import Move, Stop, Turn
from crapette_p2p.engine.layout import is_foundation
from crapette_p2p.engine.played import is_talk
from crapette_p2p.gamelog.dump import plain
from crapette_p2p.gamelog.records import MAGIC
from crapette_p2p.gamelog.replay import Replay, Step
from crapette_p2p.gamelog.times import Times, shown_at
from crapette_p2p.net.files import whole_or_gone
from crapette_p2p.ui.picture import Shot, svg
from crapette_p2p.ui.play.reel import marks_of
from crapette_p2p.ui.told_apart import told_apart
from crapette_p2p.ui.webpage import page


def write_page(
    target: str,
    replay: Replay,
    *,
    name: str,
    flip: bool,
    times: Times | None = None,
) -> None:
    """The whole game in one file; OSError if it cannot be written.

    An older page is written over; a log, which nothing can bring back, is not.
    """
    if _is_log(Path(target)):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
    names = _names(replay)
    title = f"{name}: {names[0]} – {names[1]}"
    path = Path(target)
    with whole_or_gone(path), path.open("w", encoding="utf-8") as file:
        file.writelines(
            page(
                _shots(replay, times),
                names,
                title=title,
                bottom=int(flip),
                hidden=replay.hidden_faces(),
                words=words_in_force(),
            )
        )


def _is_log(path: Path) -> bool:
    if not os.path.isfile(path):
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def write_svgs(target: str, replay: Replay, *, flip: bool) -> int:
    """One file a position, numbered; how many. OSError if they cannot be written."""
    directory = Path(target)
    directory.mkdir(parents=True, exist_ok=True)
    names, number = _names(replay), -1
    for number, shot in enumerate(_shots(replay)):
        picture = svg(shot, names, bottom=int(flip), words=words_in_force())
        (directory / f"{number:04}.svg").write_text(picture, encoding="utf-8")
    return number + 1


def _names(replay: Replay) -> tuple[str, str]:
    first, second = told_apart(replay.log.genesis.nicks, None, words)
    return plain(first), plain(second)


def _shots(replay: Replay, times: Times | None = None) -> Iterator[Shot]:
    """The lay-out, then the table after every action that changes it."""
    position = replay.moment(0).position
    if position is not None:
        ms = None if times is None else shown_at(times, replay, 0)
        yield Shot(words("the lay-out"), position, ms=ms)
    for step in replay.steps:
        position = replay.moment(step.number).position
        if position is not None and not is_talk(step.action):
            action = step.action
            yield Shot(
                _caption(step, _names(replay)[step.author]),
                position,
                step.turn,
                isinstance(action, Stop),
                marks_of(step),
                isinstance(action, Move) and is_foundation(action.target),
                None if times is None else shown_at(times, replay, step.number),
            )


def _caption(step: Step, who: str) -> str:
    card = ""
    if isinstance(step.action, Turn) and step.card is not None:
        card = f" {format_card(step.card)}"
    judged = ""
    if step.upheld is not None:
        judged = ", " + (words("upheld") if step.upheld else words("wrong"))
    turn = words("turn {n}", n=step.turn)
    return f"{step.move}, {turn}, {who}: {step.text}{card}{judged}"
