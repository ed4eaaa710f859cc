"""What an evidence file proves (spec 40, 9)."""

from tests.interop.checker_canonical import (
    EVIDENCE,
    ProtocolError,
    as_array,
    as_bin,
    decode,
)
from tests.interop.checker_log import (
    EVENT,
    NOTE,
    VOID,
    DamageError,
    Log,
    read_record,
)


def settle(data: bytes) -> tuple[int, int]:
    """Settle an evidence file (spec 40, 9).

    Args:
        data: Its bytes.

    Returns:
        The code and the guilty role.

    Raises:
        ProtocolError: `unproven`.
    """
    try:
        parts = as_array(decode(data, EVIDENCE), 5, 5)
        if parts[:2] != ("crapette-evidence", 1):
            raise ProtocolError("unproven", "no evidence")
        items = as_array(parts[4], 1, 65_535)
        records = [read_record(as_bin(item, 1, 16_384)) for item in items]
        log = Log()
        short = parts[2] == 402 and [r.kind for r in records] == [1, 2, 6]
        for record in records:
            if short and record.kind == EVENT:
                log.lone(record)
            elif record.kind in (NOTE, VOID):
                raise ProtocolError("unproven", "a record that proves nothing")
            else:
                log.take(record)
    except (ProtocolError, DamageError) as error:
        raise ProtocolError("unproven", str(error)) from error
    named = log.game is not None and log.game.genesis.game_id == parts[3]
    if log.proven is None or not named or log.proven[0] != parts[2]:
        raise ProtocolError("unproven", "no fault")
    return log.proven
