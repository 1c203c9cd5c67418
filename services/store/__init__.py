"""The port to the event store and its adapters."""
