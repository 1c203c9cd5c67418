"""Adellos, a board game of nobles, hired units and hidden event cards for two to four players."""
