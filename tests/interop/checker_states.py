"""Which message a state of a link allows (spec 61, 5 and 6)."""

from tests.interop.checker_folder import table


def may_arrive(state: str, holds: list[str], message: str) -> bool:
    """Whether a message may arrive.

    Args:
        state: The state of the link.
        holds: The conditions that hold.
        message: The name of the message.

    Returns:
        Whether it is taken; otherwise it is 104.
    """
    if message == "BYE":
        return state not in ("TLS", "CLOSED", "SUSPENDED", "FAILED")
    for entry in table("session-states")["states"]:
        if entry["name"] == state:
            when = entry["may_arrive"].get(message)
            return when == "always" or when in holds
    return False
