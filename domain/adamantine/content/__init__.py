"""Printed components of Adamantine."""
