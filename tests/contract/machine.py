"""Any earlier command may come again at any time, to either of two ends: services in processes of their own, asked
in whatever way. What must be answered then is known: a model of a few lines says it.
"""

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from services.store.port import EventStore
from services.tokens import Keys
from tests.contract.asking import Asked

ENDS = st.integers(0, 1)
FORGING = {
    "act": {"body": {"type": "resign"}, "do": "act"},
    "rewind": {"version": 2},
    "create": {"name": "eve"},
}

_keys = itertools.count()


class Commands(RuleBasedStateMachine):
    """One match of Adaman, its forks, and everything that was ever sent."""

    sent = Bundle("sent")

    def __init__(self, ends: tuple[Asked, Asked], store: EventStore, keys: Keys) -> None:
        super().__init__()
        self.ends = ends
        self.store = store
        self.keys = keys
        self.answers: dict[str, Any] = {}  # by key: what was answered when it took effect
        self.first: dict[str, int] = {}  # by key: the version before it
        self.heads: dict[str, int] = {}  # by match
        self.tokens: dict[str, str] = {}

    # --- first requests ------------------------------------------------------------------------------------

    @initialize(target=sent, end=ENDS, deal=st.integers(1, 50))
    def create(self, end: int, deal: int) -> Any:
        request = {"do": "create", "deal": deal, "name": "ann", "key": self.key()}
        self.opened(request, self.ends[end](request))
        return request

    @rule(target=sent, end=ENDS, number=st.integers(0, 1_000), stale=st.sampled_from([None, 0, -1, 1]))
    def act(self, end: int, number: int, stale: int | None) -> Any:
        """A legal command on the newest version, on a wrong one, or on none."""
        match = self.some_match(number)
        legal = self.legal(match, number)
        if not legal:
            return multiple()
        request = self.acting(match, legal[number % len(legal)])
        if stale is not None:
            request["expected"] = max(1, self.heads[match] + stale)
        self.accepted_or_stale(request, self.ends[end](request))
        return request

    @rule(target=sent, end=ENDS, number=st.integers(0, 1_000))
    def rewind(self, end: int, number: int) -> Any:
        match = self.some_match(number)
        if not self.running(match, number):
            return multiple()
        request = {
            "do": "rewind",
            "match": match,
            "token": self.tokens[match],
            "version": 5,
            "key": self.key(),
        }
        answer = self.ends[end](request)
        if "error" in answer:
            assert answer["error"] == "IllegalCommand"
            assert answer["rule"].startswith("rewind-")
            return multiple()
        self.accepted_or_stale(request, answer)
        return request

    @precondition(lambda self: len(self.heads) < 4)
    @rule(target=sent, end=ENDS)
    def fork(self, end: int) -> Any:
        match = next(iter(self.heads))
        running = self.running(match, end)
        request = {"do": "fork", "match": match, "token": self.tokens[match], "version": 5, "key": self.key()}
        self.opened(request, self.ends[end](request))
        self.heads[match] += running  # the origin is marked
        return request

    # --- and again -----------------------------------------------------------------------------------------

    @rule(request=sent, end=ENDS)
    def resend(self, request: dict[str, Any], end: int) -> None:
        answer = self.ends[end](request)
        if request["key"] in self.answers:
            assert answer == {"ok": self.answers[request["key"]]}, "the first answer, whatever happened since"
        else:  # it was refused, which is not remembered
            self.accepted_or_stale(request, answer)

    @rule(request=sent, end=ENDS)
    def resend_with_another_version(self, request: dict[str, Any], end: int) -> None:
        if request["key"] in self.answers and request["do"] == "act":
            answer = self.ends[end](request | {"expected": 1})
            assert answer == {"ok": self.answers[request["key"]]}, "the id is looked at before the version"

    @rule(request=sent, end=ENDS)
    def forge(self, request: dict[str, Any], end: int) -> None:
        """The same id with another body."""
        change = FORGING.get(request["do"])
        if request["key"] not in self.answers or change is None or change.items() <= request.items():
            return
        if request["do"] == "rewind":
            change = {"version": 6}
        assert self.ends[end](request | change) == {"error": "IdempotencyKeyReuse"}

    @rule(request=sent)
    def ask_both_what_became_of_it(self, request: dict[str, Any]) -> None:
        if request["do"] in ("act", "rewind"):
            command = self.keys.command_id(request["key"])
            told = [one(request | {"do": "told", "command": command}) for one in self.ends]
            answer = self.answers.get(request["key"])
            assert told == [{"ok": answer} if answer else {"error": "NotFound"}] * 2

    # --- both at once --------------------------------------------------------------------------------------

    @rule(target=sent, number=st.integers(0, 1_000), same=st.booleans())
    def both_at_once(self, number: int, same: bool) -> Any:
        """The same id to both, or two ids on one version: one takes effect."""
        match = self.some_match(number)
        legal = self.legal(match, number)
        if not legal:
            return multiple()
        one = self.acting(match, legal[number % len(legal)]) | {"expected": self.heads[match]}
        two = one if same else one | {"key": self.key()}
        with ThreadPoolExecutor(2) as both:
            answers = list(both.map(lambda to, request: to(request), self.ends, (one, two)))
        if same:
            assert answers[0] == answers[1]
            self.accepted_or_stale(one, answers[0])
            return one
        won, lost = (one, two) if "ok" in answers[0] else (two, one)
        refused = answers[1] if won is one else answers[0]
        before = self.heads[match]
        self.accepted_or_stale(won, answers[0] if won is one else answers[1])
        assert refused == {"error": "VersionConflict", "expected": before, "actual": self.heads[match]}
        return multiple(won, lost)

    # --- the model -----------------------------------------------------------------------------------------

    def accepted_or_stale(self, request: dict[str, Any], answer: dict[str, Any]) -> None:
        match, expected = request["match"], request.get("expected")
        if expected not in (None, self.heads[match]):
            assert answer == {
                "error": "VersionConflict",
                "expected": expected,
                "actual": self.heads[match],
            }
            return
        if "error" in answer:  # refused before, and no longer legal now
            assert answer["error"] != "VersionConflict"
            return
        told = answer["ok"]
        before = self.heads[match]
        assert [event["version"] for event in told["events"]] == list(range(before + 1, told["version"] + 1))
        self.answers[request["key"]], self.first[request["key"]] = told, before
        self.heads[match] = told["version"]

    def opened(self, request: dict[str, Any], answer: dict[str, Any]) -> None:
        told = answer["ok"]
        assert told["id"] not in self.heads
        self.answers[request["key"]] = told
        self.heads[told["id"]] = told["version"]
        self.tokens[told["id"]] = told["seat"]["token"]

    @invariant()
    def histories_are_gapless_and_each_command_is_in_once(self) -> None:
        for match, head in self.heads.items():
            entries = self.store.read(match)
            assert [entry.version for entry in entries] == list(range(1, head + 1))
            runs = [command for command, _ in itertools.groupby(entry.command for entry in entries)]
            assert len(runs) == len(set(runs))

    # --- how it is said ------------------------------------------------------------------------------------

    def key(self) -> str:
        return f"machine-{next(_keys)}"

    def some_match(self, number: int) -> str:
        return list(self.heads)[number % len(self.heads)]

    def legal(self, match: str, number: int) -> list[dict[str, Any]]:
        """What may be done, asked of either end."""
        request = {"do": "legal", "match": match, "token": self.tokens[match]}
        legal: list[dict[str, Any]] = self.ends[number % 2](request)["ok"]["commands"]
        return legal

    def running(self, match: str, number: int) -> bool:
        return bool(self.ends[number % 2]({"do": "view", "match": match})["ok"]["status"] == "running")

    def acting(self, match: str, body: dict[str, Any]) -> dict[str, Any]:
        return {"do": "act", "match": match, "token": self.tokens[match], "body": body, "key": self.key()}


def demand_answers(ends: tuple[Asked, Asked], store: EventStore, keys: Keys, *, examples: int = 12) -> None:
    """Drive two ends on one `store`, whose server's `keys` are known, and see that they answer as they must."""
    run_state_machine_as_test(
        lambda: Commands(ends, store, keys),
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
