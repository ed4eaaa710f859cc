"""The rules engine: pure, exact, and the only judge of what may be played.

Everything another layer needs is re-exported here; ``engine/play.py`` is where to
begin reading. What it plays is ``protocol/spec/20-rules.md``, and pages like
``20-rules.md`` are meant whenever a comment in here names one.
"""

from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Resign,
    Stop,
    TableAction,
    Turn,
)
from crapette_p2p.engine.duties import (
    due_plays,
    duties,
    offence_of,
)
from crapette_p2p.engine.layout import PileId, Seat
from crapette_p2p.engine.listing import legal_with_offences
from crapette_p2p.engine.notation import format_action, format_pile, parse_action
from crapette_p2p.engine.perft import perft
from crapette_p2p.engine.play import play, start, successor, turn_up
from crapette_p2p.engine.position import (
    Calls,
    Counters,
    End,
    EndReason,
    OffenceCode,
    OpenOffence,
    Position,
)
from crapette_p2p.engine.position_json import parse_position, position_to_json
from crapette_p2p.engine.queries import (
    legal_json,
    perft_json,
    play_json,
    result_json,
)
from crapette_p2p.engine.rules import legal_actions, refusal
from crapette_p2p.engine.ruleset import (
    DEFAULT_PRESET,
    PRESETS,
    RuleSet,
    parse_rules,
    rules_from_array,
    rules_to_array,
    rules_to_json,
)
from crapette_p2p.engine.stop import judge, resolve_stop

__all__ = [
    "ACCEPT_DRAW",
    "DECLINE_DRAW",
    "DEFAULT_PRESET",
    "DISCARD",
    "GRANT",
    "OFFER_DRAW",
    "PASS",
    "PRESETS",
    "RESIGN",
    "TURN",
    "Action",
    "AnswerDraw",
    "Calls",
    "Counters",
    "Discard",
    "End",
    "EndReason",
    "Grant",
    "Move",
    "OffenceCode",
    "OfferDraw",
    "OpenOffence",
    "Pass",
    "PileId",
    "Position",
    "Resign",
    "RuleSet",
    "Seat",
    "Stop",
    "TableAction",
    "Turn",
    "due_plays",
    "duties",
    "format_action",
    "format_pile",
    "judge",
    "legal_actions",
    "legal_json",
    "legal_with_offences",
    "offence_of",
    "parse_action",
    "parse_position",
    "parse_rules",
    "perft",
    "perft_json",
    "play",
    "play_json",
    "position_to_json",
    "refusal",
    "resolve_stop",
    "result_json",
    "rules_from_array",
    "rules_to_array",
    "rules_to_json",
    "start",
    "successor",
    "turn_up",
]
