"""Where the ``crapette`` command begins and ends.

``--version`` is answered before anything is imported. Everything else goes
through ``run``: parse, settle the settings, run the subcommand's module, and
turn whatever ends it into an exit code (interface.md 4). The one
``except Exception`` of the program stands there: what nobody foresaw is a bug,
and is written to a report file.
"""

import os
import sys


def main(argv: "list[str] | None" = None) -> int:
    """Run the command line and return the exit code."""
    _open_what_is_closed()
    arguments = sys.argv[1:] if argv is None else argv
    if arguments != ["--version"] and arguments[:1] != ["__complete"]:
        import gc

        # What starting makes is no garbage: with the usual threshold it would be
        # looked through dozens of times before the first frame.
        gc.set_threshold(50_000, *gc.get_threshold()[1:])
        from crapette_p2p.cli.running import run

        if argv is None:  # a shell has started it, and can again
            from crapette_p2p.cli.started import started_as
            from crapette_p2p.ui.language import STARTED_AS

            STARTED_AS.set(started_as)
        return run(arguments)
    try:
        code = _answer_at_once(arguments)
        sys.stdout.flush()
    except OSError as error:
        from crapette_p2p.cli.running import say_unwritten

        return say_unwritten(error, arguments)
    return code


def _answer_at_once(arguments: "list[str]") -> int:
    if arguments == ["--version"]:
        from crapette_p2p import __version__

        sys.stdout.write(f"crapette {__version__}\n")
        return 0
    from crapette_p2p.cli.completing import complete

    return complete(arguments[1:])  # at each Tab: nothing heavy


def _open_what_is_closed() -> None:
    """Give a standard stream that the caller has closed nowhere to lead.

    Otherwise the next file that is opened would take its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for good
