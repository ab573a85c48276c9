"""Tables fit their width: no number and no word is broken, and nothing is left out in silence."""

import pytest

from simcli.cli import layout
from simcli.cli.printing import print_rows

NAMES = ["seat", "points", "share"]
ROWS = [["0", "-12.5", "3%"], ["1", "7", "41.25%"], ["2", "-", "-"]]


def test_points_stand_below_each_other():
    assert layout.table(NAMES, ROWS, [True, True, False], 80) == [
        "seat  points   share",
        "   0   -12.5   3%",
        "   1     7    41.25%",
        "   2     -     -",
    ]


def test_prose_is_wrapped_at_words():
    text = "whether somebody has laid a plot before the third orbit is over, or not"
    lines = layout.table(["column", "meaning"], [["plot", text], ["x", "short"]], [False, False], 40)
    assert lines == [
        "column  meaning",
        "plot    whether somebody has laid a plot",
        "        before the third orbit is over,",
        "        or not",
        "x       short",
    ]


def test_two_columns_of_prose_share_the_room():
    rows = [["a", "one two three four five six seven eight", "nine ten eleven twelve thirteen fourteen"]]
    lines = layout.table(["name", "first", "second"], rows, [False] * 3, 60)
    assert max(map(len, lines)) <= 60
    assert sorted(word for line in lines[1:] for word in line.split()) == sorted(" ".join(rows[0]).split())
    assert len(lines) == 3


def test_a_few_wide_rows_stand_below_each_other():
    names = [f"column_{number}" for number in range(12)]
    lines = layout.table(names, [[str(number) for number in range(12)]] * 2, [True] * 12, 80)
    assert lines[:2] == ["column_0   0", "column_1   1"]
    assert lines[12:14] == ["", "column_0   0"]
    assert len(lines) == 25


def test_of_many_wide_rows_columns_are_left_out_and_named():
    names = [f"column_{number}" for number in range(12)]
    lines = layout.table(names, [[str(number) for number in range(12)]] * 9, [True] * 12, 50)
    assert lines[0].split() == names[:5]
    assert " ".join(lines[10:]) == "(no room for " + ", ".join(names[5:]) + "; -o csv has all)"
    assert max(map(len, lines)) <= 50


def test_a_word_that_is_too_long_is_not_broken():
    word = "results/" + "x" * 90
    assert layout.table(["run", "games"], [[word, "5"]], [False, True], 80) == ["run", f"       {word}", "games  5"]
    assert layout.wrapped(f"in {word} there", 40) == ["in", word, "there"]


def test_wide_characters_take_their_room():
    assert layout.table(["game", "n"], [["大富翁", "1"], ["redox", "2"]], [False, True], 80) == [
        "game    n", "大富翁  1", "redox   2"
    ]  # fmt: skip


@pytest.mark.parametrize(("columns", "lines"), [("80", 3), ("20", 5)])
def test_the_width_is_that_of_the_terminal(monkeypatch, capsys, columns, lines):
    monkeypatch.setenv("COLUMNS", columns)
    print_rows([{"first_column": 1, "second_column": 2}] * 2)
    assert len(capsys.readouterr().out.splitlines()) == lines
