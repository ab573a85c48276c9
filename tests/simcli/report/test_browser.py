"""A page in a real browser, where there is one: nothing is fetched, nothing complains, everything can be seen."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simcli.config.loading import load
from simcli.pictures.making import source
from simcli.report.gathering import gather
from simcli.report.page import page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = (360, 1000, 1400)
PAPER = 794
"""Width of A4 in pixels."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except api.Error:
            pytest.skip("no Chromium: install the system's package `chromium`, or run `playwright install chromium`")
        yield found
        found.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sets = ("policies=random",)
    first = source("redten", sets, load("redten", sets, "200", "3"), None, 200, 1, True)
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page(gather([first])), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_is_whole_in_a_browser(browser, file, width, scheme):
    view = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    complaints, requests = [], []
    view.on("console", lambda message: complaints.append(message.text))
    view.on("pageerror", lambda error: complaints.append(str(error)))
    view.on("request", lambda request: requests.append(request.url))
    view.goto(file.as_uri())
    assert (complaints, requests) == ([], [file.as_uri()])
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    boxes = view.evaluate("[...document.querySelectorAll('svg')].map(e => e.getBoundingClientRect().toJSON())")
    assert len(boxes) > 40
    assert all(box["width"] >= 60 and box["height"] >= 10 for box in boxes)
    assert all(box["left"] >= 0 and box["right"] <= width for box in boxes)
    tall = view.evaluate(
        "[...document.querySelectorAll('rect.one')].filter(e => e.getBoundingClientRect().height > 20).length"
    )
    assert tall > 5
    view.close()


def test_a_page_prints(browser, file):
    view = browser.new_page(viewport={"width": PAPER, "height": 1123})
    view.emulate_media(media="print")
    view.goto(file.as_uri())
    narrow = "[...document.querySelectorAll('svg')].filter(e => e.getBoundingClientRect().width < 60).length"
    assert view.evaluate(narrow) == 0
    assert view.evaluate("document.documentElement.scrollWidth") <= PAPER
    assert view.pdf(format="A4").startswith(b"%PDF-")
    view.close()
