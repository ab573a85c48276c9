"""`simcli plot`: every number is what `ask` says; the same picture is the same bytes; what is wrong is said first."""

import json
import re
import shlex
import sys

import pytest

from kernels.pictures import CUMULATIVE, GROUPS, Picture
from simcli import app
from simcli.config.loading import load
from simcli.pictures import paper
from simcli.pictures.charts import COLUMNS, ROWS, STEPS, Chart
from simcli.pictures.making import changed, chart_of, source

GAME = "redten"
SETS = ("policies=random",)
PICTURES = {
    "a number": Picture("turns"),
    "a difference": Picture("points_0 - points_1"),
    "parts of a number": Picture("turns / 7", given="solo"),
    "words": Picture("outcome"),
    "a seat": Picture("winner"),
    "an event": Picture("solo"),
    "a share by groups": Picture("winner = leader", GROUPS, "solo"),
    "a mean by two columns": Picture("points", GROUPS, "solo,side", per="seat"),
    "an event by then": Picture("solo", CUMULATIVE, "turns"),
    "by then, given": Picture("winner = leader", CUMULATIVE, given="NOT solo"),
}


def games(count: int = 300):
    return source(GAME, SETS, load(GAME, SETS, str(count), "3"), None, count, 1, True)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    def _call(*words: str) -> tuple[int, str, str]:
        code = app.run(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    return _call


@pytest.mark.parametrize("name", PICTURES)
def test_every_number_is_what_ask_says(name, call):
    chart = chart_of(PICTURES[name], [games()])
    assert 2 <= len(chart.labels) <= 40
    assert len(set(chart.labels)) == len(chart.labels)
    marks = chart.marks
    for mark in {mark.reproduce: mark for mark in marks[:: max(1, len(marks) // 3)]}.values():
        code, out, _ = call(*shlex.split(mark.reproduce)[1:], "-o", "json", "-q")
        (answer,) = json.loads(out)["answers"]
        assert code == 0
        rows = answer.get("groups", [answer])
        assert (mark.value, mark.low, mark.high) in [(row["estimate"], *row["interval"]) for row in rows]


@pytest.mark.parametrize("name", ["a number", "a difference", "parts of a number", "words", "a seat", "an event"])
def test_the_bars_of_a_distribution_are_all_there_is(name):
    chart = chart_of(PICTURES[name], [games()])
    assert sum(mark.value or 0 for mark in chart.marks) == pytest.approx(1)


def test_cumulated_shares_grow_to_all():
    values = [mark.value for mark in chart_of(Picture("winner >= 0", CUMULATIVE, "turns"), [games()]).marks]
    assert values == sorted(values)
    assert values[-1] > 0.98


def test_axes_are_in_words():
    chart = chart_of(Picture("points", GROUPS, "solo", per="seat"), [games()])
    assert chart.along == "whether one seat was dealt both red tens"
    assert chart.labels == ["no", "yes"]
    assert chart.measured == "mean of change of the seat's total by this round (points)"
    assert chart_of(Picture("solo", CUMULATIVE), [games()]).measured == (
        "share of rounds by then in which one seat was dealt both red tens"
    )
    assert re.fullmatch(
        r"redten, rules [0-9a-f]{12}, players 4 x random, 300 games, seed 3\nintervals at 95%, which hold together",
        chart.foot,
    )


def test_two_settings_share_their_labels():
    first = games()
    chart = chart_of(Picture("turns"), [first, changed(first, "greedy")])
    one, other = chart.series
    assert (one.name, other.name) == (GAME, "greedy")
    assert [mark.label for mark in one.marks] == [mark.label for mark in other.marks]
    assert one.marks != other.marks
    rules = chart_of(Picture("outcome"), [first, changed(first, "rules.rounds=2")])
    assert "rules.rounds=2: redten" in rules.foot


@pytest.mark.parametrize("ending", paper.ENDINGS)
@pytest.mark.parametrize("dark", [False, True])
def test_the_same_picture_is_the_same_bytes(ending, dark):
    pytest.importorskip("matplotlib")
    first = games()
    charts = {
        COLUMNS: chart_of(Picture("turns"), [first, changed(first, "greedy")]),
        ROWS: chart_of(PICTURES["a mean by two columns"], [first]),
        STEPS: chart_of(PICTURES["an event by then"], [first]),
    }
    chart = charts[{".png": COLUMNS, ".svg": ROWS, ".pdf": STEPS}[ending]]
    assert chart.form in charts
    drawn = paper.draw(chart, ending, dark)
    assert drawn == paper.draw(chart, ending, dark)
    assert drawn != paper.draw(chart, ending, not dark)
    assert drawn[:5] in (b"\x89PNG\r", b"<?xml", b"%PDF-")


def test_text_and_files(call, tmp_path):
    pytest.importorskip("matplotlib")
    code, out, err = call("plot", GAME, "turns", "-n", "100", "-s", "policies=random", "--seed", "3")
    assert (code, err) == (0, "")
    assert out.startswith("Turns of the round\nshare of rounds, by turns of the round\n")
    assert "█" in out
    file = tmp_path / "turns.svg"
    words = ["plot", GAME, "outcome", "-n", "100", "--seed", "3", "-O", str(file)]
    assert call(*words) == (0, "", "")
    assert b"<svg" in file.read_bytes()


def test_cards_may_be_predealt(call):
    code, out, err = call("plot", GAME, "solo", "-n", "40", "--seed", "3", "--hand", "Th Td", "-s", "policies=random")
    assert (code, err) == (0, "")
    assert re.search(r"yes +█+ +100%", out)
    assert "predealt seat 0 Th Td" in " ".join(out.split())


@pytest.mark.parametrize("show", ["turns", "outcome", "points_0 - points_1"])
def test_text_fits_the_terminal(show, call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "64")
    _, out, _ = call("plot", GAME, show, "-n", "100", "-s", "policies=random", "--seed", "3")
    assert max(map(len, out.splitlines())) <= 64
    assert "█" * 8 in out


def test_a_run_is_drawn_from_its_games(call, tmp_path):
    call("run", GAME, *("-s", SETS[0]), "-n", "50", "--seed", "3", "--results", str(tmp_path), "-q")
    (run,) = tmp_path.iterdir()
    _, of_run, _ = call("plot", str(run), "outcome")
    _, of_config, _ = call("plot", GAME, "outcome", "-n", "50", "-s", SETS[0], "--seed", "3")
    assert of_run == of_config
    _, both, _ = call("plot", str(run), "outcome", "--against", str(run))
    assert f"{run} (1)" in both
    assert call("plot", str(run), "outcome", "--against", "greedy")[0] == 2


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["turms"], "EXPR, column 1: unknown column 'turms'; did you mean turns"),
        (["turns", "--kind", "cumulative"], "EXPR: what is cumulated is an event, such as outcome = 'draw'"),
        (["turns", "--kind", "groups"], "--kind groups: groups are those of a column; name it with --by"),
        (["turns", "--kind", "distribution", "--by", "solo"], "--by: a distribution has no groups"),
        (["outcome", "--by", "solo"], "EXPR: outcome is words; ask for an event such as outcome = '...'"),
        (
            ["turns", "--given", "turns < 0"],
            "EXPR: none of the first games has it, so that there is no scale for turns",
        ),
        (["turns", "-O", "x.gif"], "-O x.gif: not a file of a known kind; its name ends in .png, .svg, .pdf"),
        (["turns", "-O", "nowhere/x.png"], "-O nowhere/x.png: its folder does not exist"),
        (["turns", "--against", "redox"], "redox: is of redox, the other of redten"),
        (["turns", "--kind", "pie"], "simcli plot: Invalid value for '--kind'"),
    ],
    ids=str,
)
def test_what_cannot_be_drawn_is_said(words, line, call):
    code, out, err = call("plot", GAME, *words, "-n", "50", "-s", "policies=random", "--seed", "3", "-q")
    assert (code, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1


def test_without_matplotlib_its_install_command_is_named(call, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = call("plot", GAME, "turns", "-O", str(tmp_path / "x.png"))
    assert code == 2
    assert "pip install 'simcli[plot]'" in err
    assert call("plot", GAME, "turns", "-n", "20", "-s", "policies=random", "-q")[0] == 0


def test_an_empty_chart_has_a_span():
    assert Chart(ROWS, "", "", "", (), True).span == (0.0, 0.0)
