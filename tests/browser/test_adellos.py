"""Adellos on the page: played whole by two people, each in a browser of their own, and watched by a third."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import SIZES, People, legal, yield_to
from tests.browser.test_page import picture
from tests.running import Running, serving

pytestmark = pytest.mark.browser

OPTIONS = {"board": "duel", "factions": ["royal-army", "clergy"], "first_seat": 0, "may_forfeit_ap": True}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("adellos-page")) as running:
        yield running


@pytest.fixture(params=SIZES)
def people(browser: Browser, service: Running, request: pytest.FixtureRequest) -> Iterator[People]:
    those = People(browser, service, SIZES[request.param])
    yield those
    those.leave()
    assert not those.faults


def field(page: Page, number: int) -> Any:
    return page.locator(f'.board [data-field="{number}"]')


def hire(page: Page, unit: str, number: int) -> None:
    hiring = page.locator(".hiring")
    if not hiring.evaluate("box => box.open"):
        hiring.locator("summary").click()
    hiring.locator("li", has=page.get_by_role("heading", name=unit)).get_by_role(
        "button", name="Hire"
    ).click()
    expect(page.locator(f'.board .choose[data-field="{number}"]')).to_be_visible()
    field(page, number).click()
    expect(field(page, number).locator(".tile")).to_be_visible()


def moves_shown(page: Page) -> set[int]:
    fields = page.locator(".board .field.move")
    return {int(one.get_attribute("data-field") or -1) for one in fields.all()}


def card_names(service: Running) -> list[str]:
    entries = service.call("GET", "/games/adellos").body["catalogue"]
    return [entry["name"] for entry in entries if entry["part"] == "cards"]


def test_a_match_is_created_joined_played_watched_and_resigned(people: People, service: Running) -> None:
    ann, bob, watcher = people.comes(), people.comes(), people.comes()

    ann.goto("/")
    ann.get_by_text("New match").click()
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_text("Options", exact=True).click()
    ann.get_by_label("Board").select_option("duel")
    ann.get_by_label("Seat 0").select_option("royal-army")
    ann.get_by_label("Seat 1").select_option("clergy")
    ann.get_by_label("First seat").fill("0")
    ann.get_by_label("May forfeit ap").check()
    ann.get_by_label("Gold rush").check()  # so that all that is hired here can be paid
    picture(ann, "adellos-create")
    ann.get_by_role("button", name="Create and sit down").click()
    expect(ann.locator(".decides")).to_have_text("Waiting for 1 more player")
    match = ann.url.rsplit("/", 1)[1]

    bob.goto(f"/#/matches/{match}")
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    watcher.goto(f"/#/matches/{match}")

    for page in (ann, bob, watcher):
        expect(page.locator(".board .field")).to_have_count(45)
    expect(bob.locator(".decides")).to_have_text("Ann decides")
    picture(ann, "adellos-noble")

    # Set-up: nobles one after another, then placing and first purchases.
    ann.locator("li.kind", has_text="Prince Konrad").get_by_role("button", name="Choose").click()
    yield_to(bob)
    bob.locator("li.kind", has_text="Pope Anicetus IV").get_by_role("button", name="Choose").click()
    yield_to(ann)
    field(ann, 9).click()
    hire(ann, "Court Scholar", 10)
    hire(ann, "Spearman", 20)
    ann.get_by_role("button", name="End set-up").click()
    yield_to(bob)
    field(bob, 17).click()
    hire(bob, "Acolyte", 15)
    bob.get_by_role("button", name="End set-up").click()

    # Ann's first turn: the scholar draws a card; nobody else learns which.
    yield_to(ann)
    expect(ann.locator(".ap")).to_have_text("3 AP")
    expect(ann.locator(".hand .event-card")).to_have_count(1)
    hidden = card_names(service)
    assert [name for name in hidden if name in ann.locator(".hand").inner_text()]
    for page in (bob, watcher):
        expect(page.locator(".chip.seat-0")).to_contain_text("1 card")
        text = page.content()
        assert not [name for name in hidden if name in text]
    expect(watcher.locator(".hand")).to_have_count(0)
    expect(watcher.get_by_role("button", name="Resign …")).to_have_count(0)

    # A unit is selected and its ways are shown; it can be read in full; it moves.
    field(ann, 20).click()
    expect(ann.locator(".inspected")).to_contain_text("Spearman")
    assert moves_shown(ann) == {
        one["to"] for one in legal(service, ann, match) if one["type"] == "move" and one["field"] == 20
    }
    picture(ann, "adellos-turn")
    for to in (21, 22, 23):
        field(ann, to).click()
        expect(field(bob, to).locator(".tile")).to_be_visible()
    expect(ann.locator(".ap")).to_have_text("0 AP")
    ann.get_by_role("button", name="End turn").click()

    # The system takes the Time Counters off and Bob attacks; both are asked, whatever they hold.
    yield_to(bob)
    expect(bob.locator(".ap")).to_have_text("3 AP")
    field(bob, 15).click()
    field(bob, 24).click()
    expect(field(bob, 24).locator(".tile")).to_be_visible()
    field(bob, 23).click()  # aimed at
    expect(bob.locator(".inspected").first).to_contain_text("Spearman")
    field(bob, 23).click()
    expect(bob.locator(".combat")).to_contain_text("Play a combat card from your hand, or pass.")
    expect(ann.locator(".combat")).to_contain_text("Bob plays a card or passes.")
    bob.locator(".combat").get_by_role("button", name="Pass").click()
    expect(ann.locator(".combat")).to_contain_text("Play a combat card from your hand, or pass.")
    picture(ann, "adellos-combat")
    picture(watcher, "adellos-watched")
    ann.locator(".combat").get_by_role("button", name="Pass").click()
    expect(bob.locator(".combat")).to_have_count(0)
    expect(bob.locator(".log")).to_contain_text("The attack fails, 2 against 2")

    # Any version can be looked at again, and taken up if the other agrees; then Bob gives up.
    ann.locator('.log li[data-version="7"] button').click()
    expect(ann.locator("output")).to_contain_text("version 7 of")
    expect(ann.locator(".board .tile")).to_have_count(0)
    ann.get_by_role("button", name="Ask the others to go back to here").click()
    expect(bob.locator(".proposal")).to_contain_text("Ann asks to go back to version 7.")
    expect(watcher.locator(".proposal")).to_be_visible()
    expect(watcher.get_by_role("button", name="Agree")).to_have_count(0)
    picture(bob, "adellos-proposal")
    bob.get_by_role("button", name="Agree").click()
    for page in (ann, bob, watcher):
        expect(page.locator(".proposal")).to_be_hidden()
        expect(page.locator(".board .tile")).to_have_count(0)
    expect(ann.locator(".decision")).to_contain_text("Place your noble")
    ann.get_by_label("Always pass").check()
    ann.reload()
    expect(ann.get_by_label("Always pass")).to_be_checked()
    bob.get_by_role("button", name="Resign …").click()
    bob.get_by_role("button", name="Resign now").click()
    for page in (ann, bob, watcher):
        expect(page.locator(".decides")).to_have_text("The end: won by Ann (resigned)")
    picture(watcher, "adellos-end")


@pytest.mark.parametrize("people", ["desktop"], indirect=True)
def test_the_board_is_worked_by_keys_alone(people: People, service: Running) -> None:
    sit = {"name": "Ann"}
    opened = service.call("POST", "/matches", {"game": "adellos", "options": OPTIONS, "sit": sit}).body
    match, tokens = opened["id"], [opened["seat"]["token"]]
    tokens.append(service.call("POST", f"/matches/{match}/seats", {"name": "Bob"}).body["seat"]["token"])
    for token in tokens:
        service.call("POST", f"/matches/{match}/commands", service.legal(match, token)[0], token)
    page = people.comes(match, opened["seat"])
    page.goto(f"/#/matches/{match}")
    yield_to(page)

    page.locator('.board [tabindex="0"]').focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)

    expect(field(page, 11).locator(".tile.noble")).to_be_visible()
    expect(field(page, 11)).to_be_focused()
    assert "c2, castle of Ann: noble " in (field(page, 11).get_attribute("aria-label") or "")
    page.keyboard.press("Enter")
    expect(field(page, 11)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".inspected")).to_have_count(0)
    assert service.call("GET", f"/matches/{match}").body["state"]["players"][0]["noble_at"] == 11


@pytest.mark.parametrize("people", ["phone"], indirect=True)
def test_every_game_can_be_played_from_its_list_of_commands(people: People, service: Running) -> None:
    page = people.comes()
    page.goto("/")
    page.get_by_text("New match").click()
    page.get_by_label("Game").select_option("adaman")
    page.get_by_label("Deal number").fill("17")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Create and sit down").click()
    expect(page.locator(".side button").first).to_be_attached()
    match = page.url.rsplit("/", 1)[1]
    version = service.call("GET", f"/matches/{match}").body["version"]
    expect(page.locator("output")).to_have_text(f"version {version} of {version}")  # it has heard everything
    page.evaluate("document.querySelectorAll('.side details').forEach(one => { one.open = true })")
    page.locator(".side button").first.click()
    expect(page.locator("output")).not_to_contain_text(f"version {version} of")
    page.get_by_role("button", name="Resign …").click()
    page.get_by_role("button", name="Resign now").click()
    expect(page.locator("h1 .status")).to_have_text("resigned")


@pytest.mark.parametrize("people", ["phone"], indirect=True)
def test_a_game_of_several_seats_without_a_drawing_is_played_from_lists(
    people: People, service: Running
) -> None:
    """Adellos stands in for it: its drawing is kept from the page."""
    opened = service.call(
        "POST", "/matches", {"game": "adellos", "options": OPTIONS, "sit": {"name": "Ann"}}
    ).body
    match = opened["id"]
    page = people.comes()
    page.route(
        "**/assets/games/adellos.js",
        lambda route: route.fulfill(
            content_type="text/javascript", body='export { open } from "./plain.js";'
        ),
    )
    page.goto(f"/#/matches/{match}")
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".decides")).to_have_text("Ann decides")
    token = opened["seat"]["token"]
    service.call("POST", f"/matches/{match}/commands", service.legal(match, token)[0], token)
    yield_to(page)
    page.get_by_role("button", name="Arch Paladin Mathias").click()
    expect(page.locator(".log")).to_contain_text("Bob: noble chosen (Arch Paladin Mathias)")
    expect(page.locator(".outline")).to_contain_text("Royal Army")
    picture(page, "plain")
