"""Adamantine on the page: played by two people, each in a browser of their own, and watched by a third."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import SIZES, People, yield_to
from tests.browser.test_page import picture
from tests.running import Running, serving

pytestmark = pytest.mark.browser

# For whoever decides at a step of an exploration: the button that is pressed.
PRESSED = {
    "trimming": ".exploring .face-card button.danger",
    "combat": ".decision.mine button:has-text('Might: die +')",
    "dividing": ".exploring .face-card .buttons button",
    "striking": ".decision.mine .buttons button",
    "reward": ".decision.mine button:has-text('Play no more')",
    "checks": ".decision.mine button:has-text('Roll the die')",
    "discard": ".decision.mine .buttons button.danger",
    "possess": ".decision.mine .buttons button",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("adamantine-page")) as running:
        yield running


@pytest.fixture(params=SIZES)
def people(browser: Browser, service: Running, request: pytest.FixtureRequest) -> Iterator[People]:
    those = People(browser, service, SIZES[request.param])
    yield those
    those.leave()
    assert not those.faults


class Table:
    """A match and who looks at it: the players' pages by seat, and what each viewer may know."""

    def __init__(self, service: Running, match: str, pages: list[Page]) -> None:
        self.service, self.match, self.pages = service, match, pages
        catalogue = service.call("GET", "/games/adamantine").body["catalogue"]
        self.cards = {entry["id"]: entry for entry in catalogue if entry["part"] != "decks"}

    def token(self, page: Page | None) -> str | None:
        kept = json.loads(page.evaluate("localStorage.getItem('ledgertop.seats')") or "{}") if page else {}
        return str(kept[self.match][0]["token"]) if self.match in kept else None

    def view(self, page: Page | None = None) -> Any:
        return self.service.call("GET", f"/matches/{self.match}", token=self.token(page)).body

    def press(self, page: Page, button: Any) -> None:
        """Press a button, and wait until every page shows what came of it."""
        before = self.view()["version"]
        button.click()
        expect(page.locator("output")).not_to_have_text(f"version {before} of {before}")
        self.up_to_date()

    def up_to_date(self) -> None:
        version = self.view()["version"]
        for page in self.pages:
            expect(page.locator("output")).to_have_text(f"version {version} of {version}")

    def leave_the_room(self) -> None:
        """Whoever decides in the exploration presses something until the champion is out again."""
        while (view := self.view())["state"]["exploration"] is not None and view["status"] == "running":
            page = self.pages[view["to_act"][0]]
            self.press(page, page.locator(PRESSED[view["state"]["pending"]["decision"]]).first)

    def assert_nothing_hidden(self, page: Page) -> None:
        """No name of a card that the service has not told this viewer stands in the page."""
        told = [
            self.view(page),
            self.service.call(
                "GET", f"/matches/{self.match}/events?after=0&limit=1000", token=self.token(page)
            ).body,
        ]
        known = json.dumps(told)
        seen = [card for name, card in self.cards.items() if f'"{name}"' in known]
        words = " ".join(card["name"] + card["text"] for card in seen)
        page_text = page.content()
        shown = [
            card["name"]
            for card in self.cards.values()
            if card["name"] not in words and re.search(rf"\b{re.escape(card['name'])}\b", page_text)
        ]
        assert not shown


def test_a_match_is_created_joined_played_watched_and_resigned(people: People, service: Running) -> None:
    ann, bob, watcher = people.comes(), people.comes(), people.comes()

    ann.goto("/")
    ann.get_by_text("New match").click()
    ann.get_by_label("Game").select_option("adamantine")
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_text("Options", exact=True).click()
    ann.get_by_label("Bring decks").check()
    ann.get_by_label("First seat").fill("0")
    picture(ann, "adamantine-create")
    ann.get_by_role("button", name="Create and sit down").click()
    expect(ann.locator(".decides")).to_have_text("Waiting for 1 more player")
    match = ann.url.rsplit("/", 1)[1]
    bob.goto(f"/#/matches/{match}")
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    watcher.goto(f"/#/matches/{match}")
    table = Table(service, match, [ann, bob, watcher])
    expect(bob.locator(".decision")).to_contain_text("Ann brings a deck")

    yield_to(ann)
    iron_vow = ann.locator(".decks > li", has_text="Iron Vow")
    table.press(ann, iron_vow.get_by_role("button", name="Bring it"))
    wild_host = bob.locator(".decks > li", has_text="Wild Host")
    table.press(bob, wild_host.get_by_role("button", name="Bring it"))
    for page, champion, first in (
        (ann, "Garrod the Unbowed", "Fighter"),
        (bob, "Mother Bracken", "Ranger"),
    ):
        for name in (champion, first):
            card = page.locator(".decision .face-card", has=page.get_by_role("button", name=name))
            if name == "Garrod the Unbowed":
                picture(page, "adamantine-champion")
            table.press(page, card.get_by_role("button", name="Choose"))
    expect(watcher.get_by_label("Table of Bob")).to_contain_text("Mother Bracken")

    # The first day: cheap cards are free; a card is read in full; nobody else learns what is held.
    hand = ann.locator(".hero-hand .face-card")
    expect(hand).to_have_count(6)
    expect(watcher.locator(".hand")).to_have_count(0)
    for page in table.pages:
        table.assert_nothing_hidden(page)
    held = table.view(ann)["state"]["players"][0]["hero_hand"][0]["card"]
    hand.first.locator(".face").click()
    expect(ann.locator(".panel")).to_contain_text(table.cards[held]["text"])
    picture(ann, "adamantine-day")
    ann.keyboard.press("Escape")
    expect(ann.locator(".panel")).to_have_count(0)
    for _ in range(min(3, ann.get_by_role("button", name="Play free").count())):
        table.press(ann, ann.get_by_role("button", name="Play free").first)
    played = table.view()["state"]["players"][0]["in_play"]
    expect(bob.get_by_label("Table of Ann").get_by_label("Cards in play").locator("li")).to_have_count(
        len(played)
    )
    table.press(ann, ann.get_by_role("button", name="End the day"))

    # The first night: a room of two cards, whose faces are the owner's alone.
    expect(ann.locator(".dungeon-hand .face-card")).to_have_count(6)
    table.press(ann, ann.get_by_role("button", name="Build a room"))
    drawn = table.view(ann)["state"]["players"][0]["dungeon_hand"]
    order = sorted(drawn, key=lambda one: table.cards[one["card"]]["part"] == "events")
    for one in order[:2]:
        lying = ann.locator(".dungeon-hand .face-card", has=ann.locator(f"[data-key='face-{one['handle']}']"))
        table.press(ann, lying.get_by_role("button", name="Lay"))
    picture(ann, "adamantine-night")
    for page in table.pages:
        table.assert_nothing_hidden(page)
    table.press(ann, ann.get_by_role("button", name="The room is complete"))
    expect(ann.get_by_label("Table of Ann").locator(".rooms")).to_contain_text(
        table.cards[order[0]["card"]]["name"]
    )
    for page in (bob, watcher):
        expect(page.get_by_label("Table of Ann").locator(".rooms .down")).to_have_count(2)
        table.assert_nothing_hidden(page)
    table.press(ann, ann.get_by_role("button", name="End the night"))

    # Bob's champion explores it: by the keyboard, to the end.
    yield_to(bob)
    explore = bob.locator(".decision").get_by_role("button", name="Explore room")
    explore.focus()
    bob.keyboard.press("Enter")
    expect(bob.locator(".log")).to_contain_text("explores room")
    table.up_to_date()
    if bob.locator(".exploring").count():
        expect(watcher.locator(".exploring .face-card").first).to_be_visible()
        picture(bob, "adamantine-exploring")
    table.leave_the_room()
    picture(bob, "adamantine-explored")
    for page in table.pages:
        table.assert_nothing_hidden(page)
        expect(page.locator(".log")).to_contain_text("The exploration ends")
        expect(page.locator(".log")).not_to_contain_text("undefined")

    # A payment is begun and taken back; any version can be looked at again; then Bob gives up.
    pay = bob.get_by_role("button", name=re.compile("^Play for"))
    if pay.count():
        table.press(bob, pay.first)
        expect(bob.locator(".decision")).to_contain_text("So far 0 of")
        picture(bob, "adamantine-payment")
        table.press(bob, bob.get_by_role("button", name="Take it back"))
    watcher.locator('.log li[data-version="4"] button').click()
    expect(watcher.get_by_label("Table of Ann")).to_contain_text("No champion yet")
    watcher.get_by_role("button", name="Live").click()
    expect(watcher.get_by_role("button", name="Resign …")).to_have_count(0)
    bob.get_by_role("button", name="Resign …").click()
    bob.get_by_role("button", name="Resign now").click()
    for page in table.pages:
        expect(page.locator(".decides")).to_have_text("The end: won by Ann (resigned)")
    picture(watcher, "adamantine-end")


@pytest.mark.parametrize("people", ["desktop"], indirect=True)
def test_a_deck_of_ones_own_is_pasted_and_its_faults_are_said(people: People, service: Running) -> None:
    wish = {"game": "adamantine", "options": {"bring_decks": True, "first_seat": 0}, "sit": {"name": "Ann"}}
    made = service.call("POST", "/matches", wish).body
    service.call("POST", f"/matches/{made['id']}/seats", {"name": "Bob"})
    page = people.comes(made["id"], made["seat"])
    page.goto(f"/#/matches/{made['id']}")
    page.get_by_text("Bring a deck of your own").click()
    lists = page.get_by_label("Hero cards and dungeon cards")
    lists.fill('{"hero": {"fighter": 5}, "dungeon": {}}')
    page.get_by_role("button", name="Bring this deck").click()
    refusal = page.locator(".match > .error")
    expect(refusal).to_contain_text("The hero deck has 5 cards, not 60.")
    expect(refusal).to_contain_text("The hero deck has no champion.")
    expect(lists).to_have_value('{"hero": {"fighter": 5}, "dungeon": {}}')
    assert "status of 422" in people.faults.pop()  # the browser says so of any refusal
    picture(page, "adamantine-deck")
    page.get_by_role("button", name="Start from Iron Vow").click()
    page.get_by_role("button", name="Bring this deck").click()
    expect(page.locator(".decision")).to_contain_text("Bob brings a deck")
    expect(refusal).to_have_text("")


def opened(service: Running) -> tuple[str, list[dict[str, Any]]]:
    """A match of two ready decks with champions and classes chosen; seat 0 has the first day."""
    options = {"decks": ["ember-circle", "wild-host"], "first_seat": 0}
    made = service.call(
        "POST", "/matches", {"game": "adamantine", "options": options, "sit": {"name": "Ann"}}
    ).body
    match, seats = made["id"], [made["seat"]]
    seats.append(service.call("POST", f"/matches/{match}/seats", {"name": "Bob"}).body["seat"])
    for seat in (seats[0], seats[0], seats[1], seats[1]):
        command = service.legal(match, seat["token"])[0]
        service.call("POST", f"/matches/{match}/commands", command, seat["token"])
    return match, seats


@pytest.mark.parametrize("people", ["phone"], indirect=True)
def test_an_encounter_is_rolled_laid_and_met_in_the_night(people: People, service: Running) -> None:
    match, seats = opened(service)
    ann, bob = people.comes(match, seats[0]), people.comes(match, seats[1])
    for page in (ann, bob):
        page.goto(f"/#/matches/{match}")
    table = Table(service, match, [ann, bob])
    yield_to(ann)
    # Ann searches, as Bob has no room; what the die showed is seen at once.
    table.press(ann, ann.get_by_role("button", name="Search the dungeon"))
    expect(ann.locator(".happened .die")).to_be_visible()
    discarded = table.view()["state"]["players"][1]["dungeon_discard"]
    expect(ann.locator(".happened")).to_contain_text(table.cards[discarded[0]]["name"])
    ann.get_by_label("Table of Bob").locator("summary", has_text="discarded").click()
    pile = ann.get_by_label("Table of Bob").locator(".pile button")
    expect(pile).to_have_count(len(discarded))
    pile.first.click()
    expect(ann.locator(".panel")).to_contain_text(table.cards[discarded[0]]["text"])
    picture(ann, "adamantine-panel")
    ann.get_by_role("button", name=re.compile("^Close ")).click()
    table.press(ann, ann.get_by_role("button", name="End the day"))
    table.press(ann, ann.get_by_role("button", name="Roll for a random encounter"))
    expect(ann.locator(".decision")).to_contain_text("Lay the random encounter")
    lay = ann.locator(".dungeon-hand").get_by_role("button", name="Lay")
    if lay.count():
        table.press(ann, lay.first)
        picture(ann, "adamantine-encounter")
        table.press(ann, ann.get_by_role("button", name="Send the encounter"))
        table.leave_the_room()
    else:
        table.press(ann, ann.get_by_role("button", name="Lay nothing"))
    if table.view()["status"] == "running":
        expect(ann.get_by_role("button", name="End the night")).to_be_visible()
    for page in (ann, bob):
        expect(page.locator(".log")).to_contain_text("for a random encounter")
        table.assert_nothing_hidden(page)
