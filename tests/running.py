"""The whole service as its users start it, for tests that look from outside."""

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

READY_SECONDS = 40


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: Any


@dataclass
class Running:
    process: subprocess.Popen[str]
    url: str
    log: Path

    def call(
        self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> Answer:
        """One request to the API; `path` is below its prefix."""
        asked = urllib.request.Request(
            f"{self.url}/api/v1{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                **({"Content-Type": "application/json"} if body is not None else {}),
                **({"Authorization": f"Bearer {token}"} if token else {}),
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )
        try:
            with urllib.request.urlopen(asked, timeout=10) as answer:
                return Answer(answer.status, dict(answer.headers), json.loads(answer.read() or b"null"))
        except urllib.error.HTTPError as error:
            return Answer(error.code, dict(error.headers), json.loads(error.read() or b"null"))

    def call_plain(self, path: str) -> Answer:
        """One request outside the API's prefix, for text."""
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=10) as answer:
                return Answer(answer.status, dict(answer.headers), answer.read().decode())
        except urllib.error.HTTPError as error:
            return Answer(error.code, dict(error.headers), error.read().decode())

    def open(self, **wish: Any) -> tuple[str, str]:
        """Create a match of Adaman and sit down: its id and the seat's token. One lost in its set-up is dealt again."""
        while True:
            answer = self.call("POST", "/matches", {"game": "adaman", "sit": {"name": "ann"}, **wish})
            assert answer.status == 201, answer.body
            match, token = answer.body["id"], answer.body["seat"]["token"]
            if self.call("GET", f"/matches/{match}").body["status"] == "running" or "deal" in wish:
                return match, token

    def legal(self, match: str, token: str) -> list[dict[str, Any]]:
        commands: list[dict[str, Any]] = self.call(
            "GET", f"/matches/{match}/legal-commands", token=token
        ).body["commands"]
        return commands

    def play_on(self, match: str, token: str) -> None:
        """Play the first legal command until the match has ended."""
        while commands := self.legal(match, token):
            answer = self.call("POST", f"/matches/{match}/commands", commands[0], token)
            assert answer.status == 200, answer.body

    def children(self) -> dict[str, int]:
        """Process ids of the supervised processes, by what they do; `answering` is the one that `http` forks."""
        found = {words[0]: pid for pid, words in children_of(self.process.pid).items() if words}
        if "http" in found:
            found |= dict(zip(["answering"], children_of(found["http"]), strict=False))
        return found


def children_of(parent: int) -> dict[int, list[str]]:
    """Ids of a process's children, with the subcommand and options each runs; none where it is no Ledgertop."""
    found = {}
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().decode().split("\0")
            of = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if of == parent:
            found[int(folder.name)] = words[words.index("ledgertop") + 1 :] if "ledgertop" in words else []
    return found


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not yet asked for its status does not."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


def have_runtime_folder() -> None:
    """The wheel that brings PostgreSQL warns where XDG_RUNTIME_DIR is unset (trap 16)."""
    if "XDG_RUNTIME_DIR" not in os.environ:
        folder = os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="ledgertop-run-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)  # it locks a file there once more at exit


@contextmanager
def serving(folder: Path, *, processes: int = 1, **environment: str) -> Iterator[Running]:
    """`ledgertop serve` on a free port with its data in `folder`, ended by SIGTERM."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LEDGERTOP_", "REDIS_"))}
    log = folder / "serve.log"
    folder.mkdir(parents=True, exist_ok=True)
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "ledgertop", "--data", str(folder / "data")),
                *("serve", "--port", "0", "--processes", str(processes)),
            ],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**kept, **environment},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "listening on " in line, log.read_text()
        yield Running(process, line.split("listening on ")[1].strip(), log)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=10)
        if process.stdout:
            process.stdout.close()
