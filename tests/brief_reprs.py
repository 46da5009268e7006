"""What every object looks like in a shell: one short line that says what it is."""

from typing import Any

LONGEST = 200


def check(thing: Any, text: str) -> None:
    """Its representation begins with a text, and is neither long nor a mere address."""
    found = repr(thing)
    assert found.startswith(text)
    assert len(found) <= LONGEST
    assert "\n" not in found
    assert " at 0x" not in found
