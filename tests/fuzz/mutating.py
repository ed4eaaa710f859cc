"""Inputs for hypothesis: pieces of the corpus, bent in the ways that find things."""

from __future__ import annotations

from hypothesis import strategies as st

_NUMBERS = (0, 1, 0x7F, 0x80, 0xFF)
_EDIT = st.tuples(
    st.sampled_from(("flip", "set", "cut", "drop", "insert", "double", "splice")),
    st.integers(0, 2**16),
    st.binary(min_size=1, max_size=8),
)


def inputs(corpus: list[bytes]) -> st.SearchStrategy[bytes]:
    """Noise, and entries of the corpus after up to six edits."""
    noise = st.binary(max_size=200)
    if not corpus:
        return noise
    bent = st.builds(
        _edited,
        st.sampled_from(corpus),
        st.lists(_EDIT, max_size=6),
        st.sampled_from(corpus),
    )
    return st.one_of(bent, bent, bent, noise)


def _edited(data: bytes, edits: list[tuple[str, int, bytes]], other: bytes) -> bytes:
    for edit, where, new in edits:
        data = _edit(data, edit, where % (len(data) + 1), new, other)
    return data


def _edit(data: bytes, edit: str, at: int, new: bytes, other: bytes) -> bytes:
    match edit:
        case "flip":
            bit = 1 << new[0] % 8
            return (
                data[:at] + bytes(b ^ bit for b in data[at : at + 1]) + data[at + 1 :]
            )
        case "set":
            number = _NUMBERS[new[0] % len(_NUMBERS)]
            return data[:at] + bytes([number]) + data[at + 1 :]
        case "cut":
            return data[:at]
        case "drop":
            return data[:at] + data[at + len(new) :]
        case "insert":
            return data[:at] + new + data[at:]
        case "double":
            return data[: at + 40] + data[at:]
        case _:
            return data[:at] + other[at:]
