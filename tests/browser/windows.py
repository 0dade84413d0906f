"""Windows of a headless chromium that note whatever goes wrong in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Literal

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 90_000
Scheme = Literal["light", "dark"]


class Window:
    """One page, and what it complained about. `page` is playwright's."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self._note("error", str(error)))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.requests.append(request.url))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def _dialog(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, url: str) -> None:
        """Opens `url`; another place of the same page is opened anew."""
        self.page.goto("about:blank")
        self.page.goto(url)
        self.page.wait_for_load_state()

    def replay(self, url: str) -> None:
        """Opens the page of a match and waits for its replay."""
        self.go(url)
        self.page.wait_for_selector("#replay.ready")

    def jump(self, place: str) -> None:
        """Goes to another place of this page, such as `#d1m3`, as a link does; returns when the page has heard of it.

        The address changes at once and `hashchange` is fired later: a key pressed between them is played before it.
        """
        self.page.evaluate(
            """place => new Promise(heard => {
                addEventListener("hashchange", () => heard(), {once: true});
                location.hash = place;
            })""",
            place,
        )

    def texts(self, selector: str) -> list[str]:
        """Texts of all elements that fit."""
        found: list[str] = self.page.locator(selector).all_inner_texts()
        return [text.strip() for text in found]

    def overflow_px(self) -> int:
        """By how much the page is wider than the window."""
        wide: int = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return wide

    def cards(self, selector: str) -> list[str]:
        """Labels of the cards below the elements that fit, such as `queen of spades` or `hidden card`."""
        labels: list[str] = self.page.locator(f"{selector} .card:not(.empty)").evaluate_all(
            "cards => cards.map(card => card.getAttribute('aria-label'))"
        )
        return labels


class Windows:
    """A browser."""

    def __init__(self, executable: str) -> None:
        from playwright.sync_api import sync_playwright

        self._executable = executable
        self._playwright = sync_playwright()

    def __enter__(self) -> "Windows":
        self._browser = self._playwright.start().chromium.launch(executable_path=self._executable, args=FLAGS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._browser.close()
        self._playwright.__exit__(kind, error, traceback)

    @contextmanager
    def open(
        self, *, width: int = 1280, height: int = 900, scheme: Scheme = "light", scripts: bool = True
    ) -> Iterator[Window]:
        """A window; at its end it must not have complained."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=scripts
        )
        context.set_default_timeout(PATIENCE_MS)
        window = Window(context.new_page())
        yield window
        context.close()
        assert not window.complaints, window.complaints
