"""The printed content of Adellos: packs."""
