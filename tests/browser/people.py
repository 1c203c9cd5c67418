"""Browsers of people who don't know each other's seats."""

import json
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.running import Running

SIZES = {"phone": (390, 844), "desktop": (1280, 900)}


class People:
    """Each opens the page in a browser of their own. Anything on a console or sent elsewhere is a fault."""

    def __init__(self, browser: Browser, service: Running, size: tuple[int, int]) -> None:
        self._browser, self._service, self._size = browser, service, size
        self._opened: list[Page] = []
        self.faults: list[str] = []

    def comes(self, match: str = "", seat: dict[str, Any] | None = None) -> Page:
        """A page; of somebody who holds the seat of the match, if there is one."""
        width, height = self._size
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, base_url=self._service.url
        )
        context.set_default_timeout(8_000)
        page = context.new_page()
        page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", self._sent)
        if seat is not None:
            kept = json.dumps({match: [seat]})
            page.add_init_script(script=f"localStorage.setItem('ledgertop.seats', '{kept}')")
        self._opened.append(page)
        return page

    def _sent(self, request: Any) -> None:
        if not request.url.startswith(self._service.url):
            self.faults.append(request.url)

    def leave(self) -> None:
        for page in self._opened:
            page.context.close()


def yield_to(page: Page) -> None:
    """Wait until the page says the decision is its viewer's."""
    expect(page.locator(".decides")).to_have_text("Your decision")


def legal(service: Running, page: Page, match: str) -> list[dict[str, Any]]:
    """The legal commands of the seat taken in the page's browser."""
    kept = json.loads(page.evaluate("localStorage.getItem('ledgertop.seats')"))
    return service.legal(match, kept[match][0]["token"])
