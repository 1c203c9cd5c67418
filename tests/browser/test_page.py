"""The page at `/` as a person sees it, in a real browser against the real service."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.running import Running, serving

pytestmark = pytest.mark.browser

PICTURES = Path("test-output")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture(params=[(390, 844), (1280, 900)], ids=["phone", "desktop"])
def page(browser: Browser, request: pytest.FixtureRequest, service: Running) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=service.url)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on(
        "request", lambda asked: faults.append(asked.url) if not asked.url.startswith(service.url) else None
    )
    yield opened
    context.close()
    assert not faults


def picture(page: Page, name: str) -> None:
    PICTURES.mkdir(exist_ok=True)
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.screenshot(path=PICTURES / f"{name}-{width}.png", full_page=True)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, "the page is wider than the window"


def test_the_lobby_lists_matches_and_leads_to_one(page: Page, service: Running) -> None:
    match, token = service.open(deal=11, sit={"name": "Çelik & <b>Söhne</b>"})
    page.goto("/")
    entry = page.locator(f'a[href="#/matches/{match}"]')
    expect(entry).to_contain_text("Çelik & <b>Söhne</b>")
    expect(entry).to_contain_text("running")
    picture(page, "lobby")
    entry.click()
    expect(page.get_by_role("heading", name="Adaman")).to_be_visible()
    service.call("POST", f"/matches/{match}/commands", {"type": "resign"}, token)


def test_a_match_is_shown_live(page: Page, service: Running) -> None:
    match, token = service.open(deal=17)
    page.goto(f"/#/matches/{match}")
    view = service.call("GET", f"/matches/{match}").body
    capital = page.locator("section.row", has_text="Capital")
    expect(capital.locator("li.card")).to_have_count(len(view["state"]["capital"]))
    expect(page.locator(".log li")).to_have_count(view["version"])

    service.play_on(match, token)

    ended = service.call("GET", f"/matches/{match}").body
    expect(page.locator(".log li")).to_have_count(ended["version"])
    expect(page.locator("h1 .status")).to_have_text(ended["outcome"]["result"].replace("_", " "))
    resources = page.locator("section.row", has_text="Resources")
    expect(resources.locator("li.card")).to_have_count(len(ended["state"]["resources"]))
    picture(page, "match")


def test_any_version_can_be_looked_at(page: Page, service: Running) -> None:
    match, token = service.open(deal=13)
    service.play_on(match, token)
    page.goto(f"/#/matches/{match}")
    page.locator('.log li[data-version="5"] button').click()
    expect(page.locator("output")).to_contain_text("version 5 of")
    then = service.call("GET", f"/matches/{match}?at=5").body
    capital = page.locator("section.row", has_text="Capital")
    expect(capital.locator("li.card")).to_have_count(len(then["state"]["capital"]))
    expect(page.locator("h1 .status")).to_have_text("running")
    page.get_by_role("button", name="Live").click()
    expect(page.locator("h1 .status")).not_to_have_text("running")


def test_an_unknown_match_is_said_so(browser: Browser, service: Running) -> None:
    page = browser.new_page(base_url=service.url)
    page.goto("/#/matches/m_nothing")
    expect(page.get_by_role("alert")).to_contain_text("nothing at this address")
    page.close()
