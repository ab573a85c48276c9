"""The worked game of three rounds that comes with the rules: its points, its slam, and all its errors by name."""

import json
from pathlib import Path

from tests.games import scenario
from tests.transcripts import judged, referee

FILE = Path(__file__).parent / "worked_game.jsonl"
EVENTS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]

ERRORS = [
    (1, "dir is -1, the rules give 1 in round 1"),
    (13, "seat 1 does not hold Ts"),
    (23, "seat 3 does not hold Kd"),
    (45, "left of seat 1 has nothing too much and lacks 8s"),
    (45, "points of seat 1 is 105, the rules give 113"),
    (45, "totals of seat 1 is 105, the rules give 113"),
    (46, "dir is 1, the rules give -1 in round 2"),
    (46, "seat 0 is dealt 14 cards, not 15"),
    (46, "seat 1 is dealt 14 cards, not 15"),
    (47, "no 4h is left in the stock"),
    (51, "seat 3 does not hold 7s"),
    (52, "seat 0 does not hold Xb"),
    (66, "seat 1 does not hold 5c"),
    (66, "got is Kd, 5c topped the pile"),
    (72, "n is 1, the rules give 2"),
    (80, "seat 3 does not hold 7s"),
    (83, "left of seat 3 has nothing too much and lacks Ks Ts"),
    (83, "points of seat 3 is 19, the rules give 39"),
    (83, "totals of seat 0 is 101, the rules give 105"),
    (83, "totals of seat 3 is 9, the rules give 29"),
    (84, "dir is -1, the rules give 1 in round 3"),
    (84, "the pack does not hold so many: 8c"),
    (86, "it is the turn of seat 0, not 2"),
]


def read():
    """The referee after the last line, and what it found, with the lines of the file."""
    judge = referee(scenario("redox", rounds=3), partial=True)
    return judge, [(number + 1, text) for number, text in judged(judge, EVENTS)]


def test_every_error_is_named_and_the_game_goes_on():
    judge, found = read()
    assert found == ERRORS
    assert judge.rounds == 3


def test_the_slam_comes_on_the_tenth_turn_and_doubles():
    judge, _ = read()
    assert EVENTS[-2]["a"] == "slam"
    assert (judge.state.turns, judge.state.winner) == (10, 2)
    assert judge.state.points[:4].tolist() == [230, 424, -10, 204]


def test_points_of_hands_without_an_error():
    ends = [event for event in EVENTS if event["e"] == "end"]
    assert [end["points"][0] for end in ends] == [96, 9, 230]
    assert [sum(event["e"] == "turn" for event in EVENTS[first:last]) for first, last in ((0, 45), (45, 83))] == [
        42,
        31,
    ]
