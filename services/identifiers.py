"""Fresh identifiers: from the operating system's randomness, never from content."""

import os


def new_event_id() -> str:
    return os.urandom(16).hex()


def new_command_id() -> str:
    return "c_" + os.urandom(16).hex()


def new_salt() -> str:
    """16 bytes, hex."""
    return os.urandom(16).hex()
