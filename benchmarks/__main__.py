"""`make bench`: every benchmark, or those named."""

import importlib
import sys

NAMES = ("playouts", "perft", "moves")

for name in sys.argv[1:] or NAMES:
    importlib.import_module(f"benchmarks.{name}").main()
    print()
