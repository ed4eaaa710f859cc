"""Whose signed message a game waits for (spec 60, 10.4)."""

from tests.interop.checker_game import Game

SET_UP = ("COMMIT", "CHALLENGE", "REVEAL", "OPEN_A", "OPEN_B")


def owed_by(game: Game) -> tuple[int, str | None] | None:
    """Who owes the next event, and its name unless it is a play.

    Args:
        game: The deal.

    Returns:
        Role and name, or None when nothing is owed.
    """
    play = game.play
    if play is None:
        return game.events % 2, SET_UP[game.events // 2]
    if game.done:
        return None
    if game.owed is not None:
        return game.owed.author, ("OPEN_A", "OPEN_B")[game.owed.type - 4]
    end = play.end
    if end is None:
        return play.table.counts.active, None
    if end.author is not None:
        return 1 - end.author, "GRANT"
    first = 0 if end.winner is None else end.winner
    if len(game.audits) < 2:
        return (first, 1 - first)[len(game.audits)], "AUDIT"
    return first, "RESULT"
