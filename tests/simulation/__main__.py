"""`python -m tests.simulation --seed N --steps M`: one seed; without a seed, one after the other until stopped."""

import argparse
import itertools
import sys
import time

import click

from tests.simulation.run import simulate
from tests.simulation.world import Broken


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="run this seed only")
    parser.add_argument("--steps", type=int, default=1_200)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long to go on with new seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--trace", action="store_true", help="tell everything that happens")
    given = parser.parse_args()
    began = time.monotonic()
    seeds = [given.seed] if given.seed is not None else itertools.count(given.first)
    for seed in seeds:
        try:
            run = simulate(seed, given.steps, tell=click.echo if given.trace else None)
        except Broken as broken:
            click.echo(broken, err=True)
            return 1
        counts = ", ".join(f"{name} {count}" for name, count in sorted(run.counts.items()))
        click.echo(f"seed {seed}: {run.steps} steps, {run.events} events, {run.fingerprint} ({counts})")
        if time.monotonic() - began > given.seconds:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())
