"""`make bench`: every benchmark, or those named."""

import importlib
import sys

NAMES = ("playouts", "perft", "history", "rebuild", "growth", "moves")

asked = sys.argv[1:] or NAMES
for name in asked:
    sys.argv = [f"benchmarks.{name}"]
    importlib.import_module(f"benchmarks.{name}").main()
    print()
