"""A page says what `ask` says, is the same bytes for the same games, and reads without a network."""

import json
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import simcli
from kernels.registry import GAMES, Game
from simcli import app
from simcli.config.loading import load
from simcli.pictures.charts import ROWS, Chart, Mark, Series
from simcli.pictures.making import source
from simcli.report import drawing
from simcli.report.gathering import gather
from simcli.report.markup import tag, with_suits
from simcli.report.page import page
from simcli.runs.runfolder import open_run

GAME = "redten"
MEGABYTES = 2 * 2**20
SECTIONS = ("questions", "ends", "length", "seats", "deal", "own", "rules", "players", "game", "settings")


class Reader(HTMLParser):
    """The text of a page, the numbers it carries with the commands that give them, and its links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.commands: dict[str, list[float]] = {}
        self.open: list[str] = []
        self._command, self._inside = "", 10**6
        self.feed(text)

    def handle_starttag(self, name: str, found: list[tuple[str, str | None]]) -> None:
        given = dict(found)
        if name not in ("meta", "link", "br"):
            self.open.append(name)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given[key] or "" for key in ("href", "src", "action", "data") if key in given]
        if name == "span" and (given.get("title") or "").startswith("simcli "):
            self._command, self._inside = given["title"] or "", len(self.open)
        if name == "data" and "value" in given and len(self.open) > self._inside:
            self.commands.setdefault(self._command, []).append(float(given["value"] or "nan"))

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name
        if len(self.open) < self._inside:
            self._inside = 10**6


def made(game: str = GAME, games: int = 150, sets: tuple[str, ...] = ("policies=random",)):
    return source(game, sets, load(game, sets, str(games), "3"), None, games, 1, True)


@pytest.fixture(scope="module")
def text() -> str:
    return page(gather([made()]))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = app.run(words)
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_all_sections_and_its_pictures(game):
    found = page(gather([made(game, 40)]))
    reader = Reader(found)
    assert reader.open == []
    assert reader.ids == [name for name in SECTIONS if name in reader.ids]
    assert set(SECTIONS) - set(reader.ids) <= {"own"}
    room = Game(game).pictures
    assert room is not None
    titles = [picture.title for picture in room.PICTURES]
    assert all(titles)
    assert sum(f"<h3>{title}</h3>" in found for title in titles) > len(titles) // 2


def test_the_same_games_are_the_same_bytes(text):
    assert page(gather([made()])) == text


def test_a_page_stands_alone(text):
    assert len(text.encode()) < MEGABYTES
    links = Reader(text).links
    assert links == [f"#{name}" for name in Reader(text).ids]
    assert not re.search(r"https?:|url\(|@import|<script", text)


def test_every_number_is_what_ask_says(text, capsys):
    commands = {
        command: numbers for command, numbers in Reader(text).commands.items() if command and "--vary" not in command
    }
    assert len(commands) > 40
    for command, numbers in list(commands.items())[::6]:
        code, out, _ = run(capsys, *shlex.split(command)[1:], "-o", "json", "-q")
        assert code == 0
        (answer,) = json.loads(out)["answers"]
        rows = [answer, *answer.get("groups", []), *answer.get("quantiles", [])]
        said = {number for row in rows for number in (row.get("estimate"), row.get("value"), *row["interval"])}
        assert set(numbers) <= said


def test_changes_of_rules_are_those_of_compare(text, capsys):
    label, change = re.search(r'<tr><th scope="row">(\w+=\w+)<small>.*?<b><data value="([^"]*)">', text).groups()
    key, value = label.split("=")
    code, out, _ = run(capsys, "compare", GAME, f"rules.{key}={value}", "policies=random", "lone_wins", "-n", "150",
                       "--seed", "3", "-s", "policies=random", "-o", "json", "-q")  # fmt: skip
    assert code == 0
    assert json.loads(out)["rows"][0]["difference"] == float(change)


def test_two_settings_side_by_side_are_those_of_compare(tmp_path, capsys):
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    for path, policy in ((one, "random"), (other, "greedy")):
        plain = {
            "game": GAME,
            "policies": policy,
            "seed": 3,
            "games": 2500,
            "questions": {"long": {"event": "turns > 90"}},
        }
        path.write_text(json.dumps(plain))
    file = tmp_path / "both.html"
    assert run(capsys, "report", str(one), "--compare", str(other), "-O", str(file), "-q") == (0, f"{file}\n", "")
    found = file.read_text()
    assert "Two settings side by side: players are 4 x random or 4 x greedy." in found
    (row,) = simcli.compare(one, str(other), quiet=True)
    shown = drawing.number(-row.difference, True, True)
    assert f"B less A: {shown} (" in found
    assert Reader(found).open == []


def test_a_run_is_reported_from_its_games(tmp_path, capsys):
    run(capsys, "run", GAME, "-n", "100", "--seed", "3", "-s", "policies=random", "--results", str(tmp_path), "-q")
    (folder,) = tmp_path.iterdir()
    file = tmp_path / "page.html"
    assert run(capsys, "report", str(folder), "-O", str(file), "-q") == (0, f"{file}\n", "")
    of_run, of_config = file.read_text(), page(gather([made(games=100)]))
    numbers = re.compile(r'<data value="([^"]*)">')
    assert numbers.findall(of_run) == numbers.findall(of_config)
    assert f"simcli report {folder}" in of_run


def test_a_run_of_another_version_is_not_played_on(tmp_path, capsys, monkeypatch):
    run(capsys, "run", GAME, "-n", "60", "--seed", "3", "-s", "policies=random", "--results", str(tmp_path), "-q")
    (folder,) = tmp_path.iterdir()
    monkeypatch.setattr(Game(GAME).options, "VERSION", 99)
    held = open_run(folder)
    found = Reader(page(gather([source(str(folder), (), held.scenario, held, None, 1, True)])))
    assert found.ids == [name for name in SECTIONS if name not in ("rules", "players", "game")]


def test_titles_and_text_are_escaped():
    first = made()
    asked = {"odd": {"event": "turns < 60", "title": "so <b>soon</b>"}}
    found = page(gather([replace(first, scenario=replace(first.scenario, questions=asked))]))
    assert "So &lt;b&gt;soon&lt;/b&gt;" in found
    assert "turns &lt; 60" in found


def test_a_config_without_questions_has_a_page():
    first = made(games=30)
    found = page(gather([replace(first, scenario=replace(first.scenario, questions={}))]))
    assert Reader(found).ids == [name for name in SECTIONS if name not in ("questions", "rules", "players")]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([GAME, "-O", "x.pdf"], "-O x.pdf: not a page; its name ends in .html or .htm"),
        ([GAME, "-O", "nowhere/x.html"], "-O nowhere/x.html: its folder does not exist"),
        ([GAME, "--compare", "redox", "-O", "x.html"], "--compare redox: is of redox, not of redten"),
        ([GAME, "--compare", "nothing", "-O", "x.html"], "nothing: no such file or config"),
    ],
    ids=str,
)
def test_what_cannot_be_reported_is_said(words, line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "report", *words, "-q")
    assert (code, out) == (2, "")
    assert err.startswith(line)
    assert not list(Path().iterdir())


# Drawing


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ((-1, 3), [-1, 0, 1, 2, 3]),
        ((0, 0), [0, 0.2]),
        ((0, 0.0069), [0, 0.002, 0.004, 0.006, 0.008]),
    ],
)
def test_ticks_are_round_and_hold_the_span(span, expected):
    assert drawing.ticks(*span) == expected
    assert drawing.ticks(*span)[-1] >= span[1]
    assert drawing.ticks(*span)[0] <= span[0]


def test_one_wild_interval_does_not_flatten_the_others():
    marks = tuple(Mark(str(n), n / 10, n / 10 - 0.01, n / 10 + 0.01) for n in range(1, 4))
    chart = Chart(ROWS, "", "", "", (Series("", (*marks, Mark("4", 0.2, -60.0, 60.0))),), False)
    low, high = chart.span
    assert -1 < low < 0.1
    assert 0.31 <= high < 1


def test_numbers_are_for_readers():
    assert drawing.number(0.00593, True) == "0.593%"
    assert drawing.number(-0.00593, True, True) == "−0.593 pp"
    assert drawing.number(56.062237, False) == "56.06"
    assert drawing.number(None, False) == "not seen"


def test_red_suits_are_red_and_text_is_text():
    assert with_suits("♥10 <♠A>") == '<span class="red">♥10</span> &lt;♠A&gt;'
    assert tag("p", "a<b", tag("b", "c"), class_="d") == '<p class="d">a&lt;b<b>c</b></p>'
