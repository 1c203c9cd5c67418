"""Read models, fed from the event log, each exactly once; all can be rebuilt while the service runs."""

from projections.read_side import PROJECTIONS, ReadSide, migrate, open_read_side

__all__ = ["PROJECTIONS", "ReadSide", "migrate", "open_read_side"]
