"""The command line: in this process, or as its users run it, in one of its own with pipes."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ledgertop.cli import main

SECONDS = 60


@dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[Any]:
        """Stdout as NDJSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def object(self) -> Any:
        """Stdout as one JSON object."""
        (one,) = self.objects
        return one


@dataclass
class Ledgertop:
    data: Path

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "ledgertop", "--data", str(self.data), *words]

    def environment(self, **more: str) -> dict[str, str]:
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("LEDGERTOP_", "REDIS_"))
        }
        return {**kept, **more}

    def run(self, *words: str, feed: str | bytes = "", **environment: str) -> Result:
        """In this process, with pipes that are none."""
        cleared = {key: None for key in os.environ if key.startswith(("LEDGERTOP_", "REDIS_"))}
        done = CliRunner().invoke(
            main, ["--data", str(self.data), *words], feed, env={**cleared, **environment}
        )
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Result(done.exit_code, done.stdout, done.stderr)

    def process(self, *words: str, feed: str | bytes = "", **environment: str) -> Result:
        """In a process of its own."""
        done = subprocess.run(
            self.command(*words),
            input=feed.encode() if isinstance(feed, str) else feed,
            capture_output=True,
            timeout=SECONDS,
            env=self.environment(**environment),
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def play(self, *words: str, feed: str = "") -> list[Any]:
        """A session of `play adaman --json`: what it said."""
        result = self.run("play", "adaman", "--json", *words, feed=feed)
        assert result.code == 0, result.err
        return result.objects

    def sealed_match(self, *, feed: str = "") -> tuple[str, str]:
        """The id and the token of a sealed match that goes on; some are lost before they begin."""
        while True:
            said = self.play(feed=feed)
            if said[-1]["is"] == "left":
                return said[0]["match"], said[0]["token"]

    def whole_match(self, *words: str) -> str:
        """A match played to its end by always choosing the first command."""
        said = self.play(*words, feed="1\n" * 100)
        assert said[-1]["is"] == "ended"
        return str(said[0]["match"])
