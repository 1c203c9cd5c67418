"""Players who never give up: each command is sent under one key until it is answered."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from typing import Any
from urllib.error import URLError

from services.errors import OutcomeUnknown, StoreUnavailable
from services.looking import Caller
from services.wishes import CreateMatch, Order, Sit
from tests.faults.epilogue import Acknowledged
from tests.house import House, token_of
from tests.running import Running

OVER: dict[str, Any] = {}
AGAIN_SECONDS = 0.05
LONGEST = 3.0  # seconds until any answer, also a refusal (P21)


@dataclass
class Played:
    """What the players were told."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: int = 0
    slowest: float = 0.0
    errors: list[BaseException] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.acknowledged)

    def wait_for_more(self, more: int = 5, within: float = 15.0) -> None:
        goal, deadline = len(self) + more, time.monotonic() + within
        while len(self) < goal:
            assert not self.errors, self.errors
            assert time.monotonic() < deadline, f"no {more} more commands were answered within {within} s"
            time.sleep(0.02)


@contextmanager
def playing(player: Callable[[Played, str, threading.Event], object], players: int = 4) -> Iterator[Played]:
    """Several play at once until the end of the context; then everybody's last command has been answered."""
    played, stop, prefix = Played(), threading.Event(), secrets.token_hex(4)

    def play(name: str) -> None:
        try:
            player(played, name, stop)
        except BaseException as error:  # noqa: BLE001 - told to the test
            played.errors.append(error)

    threads = [threading.Thread(target=play, args=(f"{prefix}-{number}",)) for number in range(players)]
    for thread in threads:
        thread.start()
    try:
        yield played
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    assert not played.errors, played.errors


def in_process(house: House, *, patient: bool = True) -> Callable[[Played, str, threading.Event], None]:
    """A player who asks the services themselves."""

    def persist(played: Played, ask: Callable[[], Any], stop: threading.Event) -> Any:
        while True:
            began = time.monotonic()
            try:
                return ask()
            except (StoreUnavailable, OutcomeUnknown):
                played.refused += 1
            finally:
                played.slowest = max(played.slowest, time.monotonic() - began)
            if stop.is_set() and not patient:
                return None
            time.sleep(AGAIN_SECONDS)

    def play(played: Played, name: str, stop: threading.Event) -> None:
        for number in count():
            key = f"{name}-{number}"
            wish = CreateMatch("adaman", sit=Sit(name))
            opened = persist(played, lambda: house.service.opening.create(wish, Order(key)), stop)  # noqa: B023
            played.acknowledged.append(Acknowledged(opened.id, key, opened.version))
            played.tokens.append(token_of(opened))
            for move in count():
                caller = Caller(token_of(opened))
                legal = persist(played, lambda: house.service.looking.legal(opened.id, caller), stop)  # noqa: B023
                if stop.is_set():
                    return
                if not legal["commands"]:
                    break
                order = Order(f"{key}-{move}", legal["version"])
                command = legal["commands"][0]
                answer = persist(played, lambda: house.act(opened, command, order), stop)  # noqa: B023
                played.acknowledged.append(Acknowledged(opened.id, f"{key}-{move}", answer.version))

    return play


def over_http(
    running: Callable[[], Running], *, abandoning: bool = False
) -> Callable[[Played, str, threading.Event], None]:
    """A player who asks over HTTP, whoever serves just now. With `abandoning`, matches are ended when left alone."""

    def persist(played: Played, method: str, path: str, stop: threading.Event, **rest: Any) -> Any:
        while True:
            began = time.monotonic()
            try:
                answer = running().call(method, path, **rest)
            except (
                URLError,
                HTTPException,
                OSError,
                ValueError,
            ):  # nobody is there, or went away in the midst of it
                answer = None
            played.slowest = max(played.slowest, time.monotonic() - began)
            if answer and answer.status in (200, 201):
                return answer.body
            if answer and answer.status == 409 and abandoning:
                return OVER
            if answer:
                assert answer.status == 503, answer
                assert answer.headers["Retry-After"], answer
            played.refused += 1
            if stop.is_set():
                return None
            time.sleep(AGAIN_SECONDS)

    def play(played: Played, name: str, stop: threading.Event) -> None:
        for number in count():
            key = f"{name}-{number}"
            body = {"game": "adaman", "sit": {"name": name}}
            opened = persist(played, "POST", "/matches", stop, body=body, Idempotency_Key=key)
            if opened is None:
                return
            match, token = opened["id"], opened["seat"]["token"]
            played.acknowledged.append(Acknowledged(match, key, opened["version"]))
            played.tokens.append(token)
            for move in count():
                legal = persist(played, "GET", f"/matches/{match}/legal-commands", stop, token=token)
                if legal is None or stop.is_set():
                    return
                if not legal["commands"]:
                    break
                command = {**legal["commands"][0], "expected_version": legal["version"]}
                path, move_key = f"/matches/{match}/commands", f"{key}-{move}"
                answer = persist(
                    played, "POST", path, stop, body=command, token=token, Idempotency_Key=move_key
                )
                if answer is OVER:
                    break
                if answer is None:
                    return
                played.acknowledged.append(Acknowledged(match, move_key, answer["version"]))

    return play
