"""Figures and ratios, compared within one run; not timed tests."""
