"""**Pure**: the sentences of all failures, by code: what happened, and what helps.

``ui/wording.py`` fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_HOSTING: Final = "Is your friend still on the 'Host' screen?"
_DOCTOR: Final = "crapette doctor"
_ELSEWHERE: Final = "Another place: crapette --data-dir DIR"

FAILURES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        # Reaching a table
        "no-table-there": (
            "{host} answered, but no table is open on port {port}.",
            _HOSTING,
        ),
        "no-answer": (
            "No answer from {host}. Usual reasons: different Wi-Fi (guest network?), "
            "a firewall on your friend's computer, or a wrong address.",
            "Your friend can check with: crapette doctor",
        ),
        "unknown-host": (
            "There is no computer called '{host}' here.",
            "Try its address (your friend's screen shows it).",
        ),
        "no-route": (
            "This computer is not on a network that reaches {host}.",
            "Is that computer on, and on this Wi-Fi (no guest network)? See which "
            "networks this one is on: crapette doctor",
        ),
        "forbidden-here": (
            "This computer forbids connections to {host}.",
            "A firewall or route of its own does; see: crapette doctor",
        ),
        "cannot-connect": (
            "{host} cannot be reached: {reason}.",
            "See which networks this computer is on: crapette doctor",
        ),
        "not-crapette": (
            "Something else is listening on {host}, port {port}; it is no table.",
            "Check the port with your friend.",
        ),
        "not-crapette-far": (
            "Something else is listening on {host}, port {port}; it is no table.",
            "Check the port with your friend. From the internet a table answers only "
            "with: crapette host --public",
        ),
        "silent-there": (
            "Something takes calls on {host}, port {port}, but says nothing: it is no "
            "table, or one that hangs.",
            "Check the port with your friend.",
        ),
        "no-address": (
            "Nobody of that name has a table on this network.",
            "Your friend's screen shows an address: crapette join ADDRESS",
        ),
        # Reading an address
        "address-empty": (
            "There is no address.",
            "For example: crapette join 192.168.1.20",
        ),
        "address-bad-host": ("'{token}' is no address of a computer.", ""),
        "address-no-host": ("'{token}' names no computer.", ""),
        "address-bad-port": (
            "'{token}' is no port: it is a number from 1 to 65535.",
            "",
        ),
        "address-two-ports": ("'{token}' names two ports.", ""),
        "address-bad-brackets": (
            "'{token}' is not written as [ADDRESS]:PORT.",
            "For example: crapette join [fe80::1%eth0]:4747",
        ),
        "address-bad-scope": (
            "'{token}' does not say through which adapter, as in fe80::1%eth0.",
            "",
        ),
        "address-too-many-words": ("'{token}' is more than an address and a port.", ""),
        "address-too-long": ("That is too long for an address.", ""),
        "address-bad-invite": (
            "This invite is not complete.",
            "Copy all of it, from crapette1: to the end.",
        ),
        # At the door
        "far-away": ("an address of the internet; the table is not public.", ""),
        "too-many": ("more connections than one address may have.", ""),
        "spoke-http": ("a browser or another web program, ignored.", ""),
        "silent": ("said nothing, ignored.", ""),
        "hung-up": ("hung up at once.", ""),
        "stranger": ("not a Crapette player, ignored.", ""),
        "door-version": ("plays another version of the game.", ""),
        "door-key": ("could not prove to be the player who is expected.", ""),
        "door-cards": ("sent away: you said that the four cards differ.", ""),
        "door-unsure": (
            "left: other cards there, or somebody may be between you.",
            "",
        ),
        "door-unanswered": (
            "a question stayed unanswered for two minutes; may knock again.",
            "",
        ),
        "door-unexpected": ("left: expected another player's key here.", ""),
        "door-own-key": ("has your own key.", ""),
        "door-taken": ("sent away: the table is taken.", ""),
        "door-nobody-compares": (
            "sent away: nobody is here to compare the four cards. It lets this player "
            "in: --expect-key {key}; anybody: --accept-unverified",
            "",
        ),
        "door-refused": ("sent away: nobody accepted them here.", ""),
        "door-invite": ("the invite does not fit.", ""),
        "door-name": ("a name that cannot be shown.", ""),
        # Opening a table
        "port-in-use": (
            "Port {port} is taken (another table?).",
            "Take any free one: crapette host --port 0",
        ),
        "port-forbidden": (
            "Port {port} needs rights that you do not have.",
            "Take one above 1023: crapette host --port 4747",
        ),
        "address-not-ours": (
            "{host} is no address of this computer.",
            "See its addresses: crapette doctor",
        ),
        "cannot-listen": ("No table can be opened: {reason}.", _DOCTOR),
        "no-discovery": (
            "Finding tables on this network is not installed.",
            "pip install zeroconf; joining by address works without it.",
        ),
        "no-network": (
            "This computer is on no network.",
            "A bot needs none: crapette bot",
        ),
        "cannot-discover": (
            "This network cannot be searched for tables: {reason}.",
            "Joining by address works without it: crapette join ADDRESS",
        ),
        # Logging in
        "version-differs": (
            "That table speaks {theirs}, you speak {ours}: they cannot play together.",
            "Upgrade: pip install -U crapette-p2p",
        ),
        "other-version": (
            "That table speaks another version of the game: you cannot play together.",
            "Upgrade: pip install -U crapette-p2p",
        ),
        "login-not-proven": (
            "Whoever answered could not prove who they are. Nothing was sent.",
            "If it happens again, somebody may be between you.",
        ),
        "other-key": (
            "This is not the player you expected: the key is another one. "
            "Nothing was sent.",
            "See whom you know: crapette peers",
        ),
        "key-changed": (
            "{name}'s key has CHANGED: you know {expected}, this player shows {key}. "
            "Either {name} has a new computer, or this is somebody else. "
            "Nothing was sent.",
            "To meet the new key as a stranger's: crapette peers forget {quoted}",
        ),
        "own-key": (
            "That is your own key: you cannot play against yourself.",
            "A second player on this computer: crapette --data-dir DIR",
        ),
        "weak-key": ("The other player's key is worthless. Nothing was sent.", ""),
        "table-taken": ("Your friend is already playing.", "Try again later."),
        "refused": ("The other player did not want to play.", ""),
        "guest-refused": (
            "The other player did not want to play.",
            "If a bot plays there, it needs: crapette join ADDRESS --expect-key {key}",
        ),
        "not-let-in": (
            "The other side did not let you in.",
            "If nobody is there to answer, that table needs: "
            "crapette host --expect-key {key}",
        ),
        "invite-refused": (
            "This invite does not fit: each works once, for half an hour. The open "
            "table of your friend shows a fresh one.",
            "A table for the invited takes no address: crapette join INVITE",
        ),
        "name-refused": (
            "Your name cannot be shown on the other side.",
            "Choose another: crapette config set name NAME",
        ),
        "cards-differ": (
            "The four cards differ: somebody is between you. Nothing was dealt.",
            "Do not play over this network.",
        ),
        "nobody-compares": (
            "Nobody is here to compare the four cards.",
            "Name the key: --expect-key FINGERPRINT (your friend: crapette id)",
        ),
        "bad-fingerprint": (
            "--expect-key: {text!r} is no fingerprint",
            "It looks like 3F2A-91C0-77BD-0E14; your friend sees it with: crapette id",
        ),
        # At the table
        "rules-refused": ("The other computer does not know these rules.", ""),
        "terms-refused": ("The other computer refused the terms of the game.", ""),
        "peer-timed-out": (
            "The other player's computer fell silent. The game is saved.",
            "Go on with: crapette resume",
        ),
        "peer-left": (
            "The other player has left. The game is saved.",
            "Go on with: crapette resume",
        ),
        "peer-hung-up": ("The other player left before the game began.", ""),
        "peer-lost": (
            "The other player did not come back. The game is saved.",
            "Go on with: crapette resume",
        ),
        "gave-up": (
            "The other player did not come back. The game is saved.",
            "Go on with: crapette resume",
        ),
        "peer-failed": (
            "The other player's program met a bug. The game is saved.",
            "Go on with: crapette resume",
        ),
        "peer-failed-early": (
            "The other player's program met a bug before a game was on.",
            "Try again; the other player may need a newer version.",
        ),
        "game-stuck": (
            "This computer cannot go on with the game: its half of the secret deal "
            "is missing, or this program met a bug. Nothing wrong was sent.",
            "Put your crapette folder back from a backup, then: crapette resume",
        ),
        "peer-cheated": (
            "The other player's program broke the rules, and it is proved "
            "(code {wire}). The game is over; its log keeps the proof.",
            "See the proof: crapette verify last",
        ),
        "accused": (
            "The other player's program says that ours broke the rules "
            "(code {wire}) and ends the game. Your log shows what was played.",
            "See for yourself: crapette verify last",
        ),
        "protocol-broken": (
            "The two programs no longer understand each other (code {wire}). "
            "The game is saved.",
            "Compare both versions: crapette --version",
        ),
        "peer-silent-early": (
            "The other player's computer fell silent before a game was begun.",
            "Try again, or ask your friend.",
        ),
        "unanswered": (
            "A question stayed unanswered for two minutes, here or on the other side; "
            "no game was begun.",
            "Nothing is wrong with the computers: join again, and both answer in time.",
        ),
        "not-expected-there": (
            "That table is kept for another player: yours is not the key it expects.",
            "Tell your friend yours: crapette id",
        ),
        "not-believed-there": (
            "The other side could not be sure of you: somebody may be between you.",
            "Try again, on a network you trust.",
        ),
        "name-not-shown": (
            "The other player's name cannot be shown here.",
            "Ask for another: crapette config set name NAME, on the other side",
        ),
        "rules-not-known": (
            "The other player offers rules that this program does not know.",
            "Compare both versions: crapette --version",
        ),
        "terms-not-taken": (
            "The other player offers terms that this program does not accept.",
            "Compare both versions: crapette --version",
        ),
        "protocol-broken-early": (
            "The two programs do not understand each other (code {wire}); no game "
            "was begun.",
            "Compare both versions: crapette --version",
        ),
        "game-not-here": (
            "The other player wants to go on with a game that is not kept here, or is "
            "open in another window.",
            "See your games: crapette games",
        ),
        "unknown-game": (
            "The other player does not know that game.",
            "See your games: crapette games",
        ),
        "kept-here-only": (
            "The other player's computer does not have this game; here it is saved.",
            "Where the other player has it, too, it goes on with: crapette resume",
        ),
        "game-over": ("The game is over.", ""),
        "internal": ("This program met a bug. The game is saved.", ""),
        # Files
        "cannot-make": (
            "There is no place for Crapette's files at {path}: {reason}.",
            "Choose another: crapette --data-dir DIR",
        ),
        "cannot-write": (
            "{path} cannot be written: {reason}.",
            "Is the disk full, or the directory another user's? See: crapette doctor",
        ),
        "cannot-read": ("{path} cannot be read: {reason}.", _DOCTOR),
        "no-such-file": ("There is no file {path}.", "See your games: crapette games"),
        "file-exists": (
            "{path} exists already and is left alone.",
            "Choose another name, or move it away first.",
        ),
        "file-too-long": ("{path} is too long to be one of ours.", ""),
        "key-unreadable": ("Your key {path} cannot be read: {reason}.", _ELSEWHERE),
        "key-foreign": ("{path} belongs to another user ({reason}).", _ELSEWHERE),
        "key-open-to-others": (
            "Others can read your key {path}.",
            "Close it: chmod 600 {path}",
        ),
        "key-no-key": (
            "{path} holds no key of ours ({reason}).",
            "Bring back a copy, or move it away: with a new key friends compare cards"
            " anew",
        ),
        "import-no-key": (
            "{path} holds no key of Crapette ({reason}).",
            "Where the key is: crapette id export FILE, then import that file here",
        ),
        "key-exists": (
            "You have a key already: {path} is left alone.",
            "To take the other one move yours away first: friends know you by it",
        ),
        "peers-damaged": (
            "The list of known players {path} is damaged.",
            "Mend it in an editor, or move it away: friends then compare cards anew",
        ),
        "seeds-damaged": ("The secrets of that game ({path}) are damaged.", ""),
        "log-empty": ("{path} holds no game.", ""),
        "log-missing": ("That game has no log here.", "Your games: crapette games"),
        "game-in-use": ("That game is open in another window.", ""),
        "unknown-peer": (
            "You know nobody called '{name}'.",
            "Whom you know: crapette peers",
        ),
        "petname-taken": (
            "You know another player called '{name}'.",
            "Whom you know: crapette peers",
        ),
        "bad-petname": (
            "'{name}' is no name.",
            "1 to 20 letters, digits, blanks and - _ . '",
        ),
    }
)
"""Code of a failure → what happened, what to do next."""
