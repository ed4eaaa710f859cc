"""Which message a state of a link allows (spec 61, 5 and 6)."""

from tests.interop.checker_folder import table

HOLDS = {
    "after a game": {"of the finished game"},
    "has proposed": {"after PROPOSE"},
    "has accepted": {"after ACCEPT"},
    "waits for START": {"accepted, not started"},
    "length 0": {"at length 0"},
}


def may_arrive(state: str, side: str, message: str) -> bool:
    """Whether a message may arrive.

    Args:
        state: The state of the link.
        side: Which side, or what holds besides, in the words of the vectors.
        message: The name of the message.

    Returns:
        Whether it is taken; otherwise it is 104.
    """
    if message == "BYE":
        return state not in ("TLS", "CLOSED", "SUSPENDED", "FAILED")
    for entry in table("session-states")["states"]:
        if entry["name"] == state:
            when = entry["may_arrive"].get(message)
            return when == "always" or when in HOLDS.get(side, {side})
    return False
