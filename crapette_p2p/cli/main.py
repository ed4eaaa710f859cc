"""Where the ``crapette`` command begins and ends.

``--version`` is answered before anything is imported. Everything else goes
through ``run``: parse, settle the settings, run the subcommand's module, and
turn whatever ends it into an exit code (interface.md 4). The one
``except Exception`` of the program stands here: what nobody foresaw is a bug,
and is written to a report file.
"""

import sys


def main(argv: "list[str] | None" = None) -> int:
    """Run the command line and return the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:
        from crapette_p2p import __version__

        sys.stdout.write(f"crapette {__version__}\n")
        return 0
    if arguments[:1] == ["__complete"]:  # at each Tab: nothing heavy
        from crapette_p2p.cli.completing import complete

        return complete(arguments[1:])
    import gc

    # What starting makes is no garbage: with the usual threshold it would be
    # looked through dozens of times before the first frame.
    gc.set_threshold(50_000, *gc.get_threshold()[1:])
    from crapette_p2p.cli.running import run

    return run(arguments)
