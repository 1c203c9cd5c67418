"""Runs a world for a number of steps; what a seed does, it does again."""

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from tests.simulation import checks
from tests.simulation.actors import House, Players
from tests.simulation.world import Broken, World, world

MEMORY = Path("/dev/shm")  # nosec: a disk that needs no waiting, where there is one
EPILOGUE_EVERY = 400
TOLD = 40  # lines of the trace that a failure shows


class Run(Struct, frozen=True):
    """What came of a seed."""

    seed: int
    steps: int
    fingerprint: str
    events: int
    counts: dict[str, int]


def simulate(seed: int, steps: int, *, tell: Callable[[str], None] | None = None) -> Run:
    """Raises Broken, with the trace and how to see it again, when a promise is broken."""
    place = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=place) as folder, world(seed, Path(folder)) as it:
        if tell:
            it.tell = lambda line: (it.trace.append(line), tell(line))[0]  # type: ignore[method-assign]
        return _run(it, steps)


def _run(it: World, steps: int) -> Run:
    players, house = Players(it), House(it)
    checks.Watch(it)
    deeds: dict[Callable[[], None], int] = {
        players.open: 3, players.sit: 12, players.play: 60, players.resend: 12, players.ask: 3,
        players.undo: 3, players.rewind: 2, players.consent: 5, players.fork: 1, players.order: 2,
        players.look: 4, players.misuse: 2,
        house.project: 8, house.rebuild: 6, house.sweep: 8, house.work: 12, house.pass_time: 8, house.jump: 1,
        house.restart: 1, house.turn: 4,
    }  # fmt: skip
    meanwhile = [
        players.play,
        players.play,
        players.sit,
        players.consent,
        house.work,
        house.sweep,
        players.resend,
    ]
    counts: Counter[str] = Counter()
    step = 0
    try:
        for step in range(1, steps + 1):
            deed = it.rng.choices(list(deeds), list(deeds.values()))[0]
            counts[deed.__name__] += 1
            it.meanwhile = meanwhile
            deed()
            _look(it)
            if step % EPILOGUE_EVERY == 0 or step == steps:
                for line in checks.epilogue(it, players, last=step == steps):
                    it.tell(line)
                    _look(it)
                _look(it)
    except Exception as error:
        raise Broken(_report(it, step, error)) from error
    kinds = Counter(line.partition(" -> ")[2].split()[0] for line in it.trace if " -> " in line)
    return Run(it.seed, steps, checks.fingerprint(it), len(it.log), dict(counts + kinds))


def _look(it: World) -> None:
    if it.broken:
        raise Broken(it.broken[0])


def _report(it: World, step: int, error: Exception) -> str:
    told = "\n".join(f"  {line}" for line in it.trace[-TOLD:])
    return (
        f"{type(error).__name__}: {error}\nThe last that happened:\n{told}\n"
        f"It happens again with: python -m tests.simulation --seed {it.seed} --steps {step}"
    )
