"""What Ledgertop can do, in its users' words. Every answer to a viewer leaves through here, redacted."""
