"""``crapette id``: the own name and key, and how to take them elsewhere."""

from __future__ import annotations

import argparse
from pathlib import Path

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.output import (
    complain,
    facts,
    printable,
    versioned,
    write_json,
    write_prose,
)
from crapette_p2p.cli.speaking import words

NAME = "id"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "action", nargs="?", choices=("show", "export", "import"), default="show"
    )
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="where to export to, or import from"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Show, export or import the key."""
    if (args.action == "show") != (args.file is None):
        wants = words("needs a file")
        if args.action == "show":
            wants = words("takes no file")
        raise CommandFailed(
            words("id {action}: {wants}", action=args.action, wants=wants),
            hint="For example: crapette id export my.key",
        )
    if args.action == "show":
        _show(args)
    elif args.action == "export":
        _export(args)
    else:
        _import(args)
    return 0


def _show(args: argparse.Namespace) -> None:
    from crapette_p2p.cli.context import name_of, paths_of, settings_of
    from crapette_p2p.net.identity import load_or_create_identity
    from crapette_p2p.session.keys import fingerprint, format_fingerprint

    path = paths_of(args).identity_key
    public = load_or_create_identity(path).public
    name, shown = name_of(settings_of(args)), format_fingerprint(fingerprint(public))
    if args.json:
        fields = {"name": name, "fingerprint": shown, "key": public.hex()}
        write_json(versioned({**fields, "file": str(path)}))
        return
    own = [
        (words("name"), printable(name)),
        (words("key"), shown),
        (words("kept"), printable(path)),
    ]
    for line in facts(own):
        write_prose(line)


def _export(args: argparse.Namespace) -> None:
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.identity import export_identity, load_or_create_identity

    path = paths_of(args).identity_key
    load_or_create_identity(path)
    export_identity(path, Path(args.file))
    complain(
        words("your key is in {file}", file=printable(args.file)),
        "Whoever has this file can play as you; it is not encrypted.",
    )


def _import(args: argparse.Namespace) -> None:
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.cli.inputs import read_bytes
    from crapette_p2p.net.identity import import_identity
    from crapette_p2p.session.keys import fingerprint, format_fingerprint

    # Read like any other FILE: one that is not there is a wrong argument, and has
    # nothing to do with a key of ours.
    pem = read_bytes(args.file, hint="See: crapette id --help")
    identity = import_identity(pem, Path(args.file), paths_of(args).identity_key)
    shown = format_fingerprint(fingerprint(identity.public))
    complain(words("from now on you are {shown}", shown=shown))
