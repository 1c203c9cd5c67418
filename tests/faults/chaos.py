"""How long the suite is: CI runs its short form, `make chaos` the long one."""

import os

CHAOS = os.environ.get("LEDGERTOP_CHAOS") == "1"


def rounds(short: int, long: int) -> int:
    """How often, or for how many seconds, something is done."""
    return long if CHAOS else short
