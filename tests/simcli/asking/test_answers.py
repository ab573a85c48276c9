"""Answers against counting by hand, and their independence of how the games arrive."""

import json
import math
import resource
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from kernels.registry import Game
from simcli.asking import questions
from simcli.asking.answers import Answer
from simcli.asking.collector import Collector
from simcli.asking.questions import Builder, read_expect
from simcli.config.loading import load, shipped
from simcli.errors import UserError
from simcli.stats import intervals, stopping
from simcli.tables import frames
from tests.simcli.synthetic import blocks, records, redox

N = 4_000


def ask(rows: np.ndarray, rounds: int = 1, size: int = 700, rule: stopping.Rule | None = None, **asked: Any) -> Answer:
    scenario = redox(rounds=rounds)
    questions = Builder(scenario).build("test", asked)
    collector = Collector(scenario, questions, rule or stopping.Rule(int(rows["game"][-1]) + 1))
    for block in blocks(rows, size):
        if collector.add(block):
            break
    return collector.answers()[0]


def test_a_share_of_rounds() -> None:
    rows = records(N)
    answer = ask(rows, event="slam AND orbit <= 3")
    hits = int((rows["slam"] & (rows["orbit"] <= 3)).sum())
    assert (answer.total.hits, answer.total.eligible, answer.games) == (hits, N, N)
    assert answer.total.estimate == hits / N
    assert answer.total.interval == intervals.clopper_pearson(hits, N, 0.95)
    assert answer.stopped == "games"
    expected = rows["game"][rows["slam"] & (rows["orbit"] <= 3)][:3]
    assert list(answer.examples) == expected.tolist()
    assert answer.unfinished == {"void": pytest.approx((rows["outcome"] == 2).mean())}


def test_given_restricts_what_is_eligible() -> None:
    rows = records(N)
    answer = ask(rows, event="slam", given="orbit = 2")
    chosen = rows["orbit"] == 2
    assert answer.total.eligible == chosen.sum()
    assert answer.total.hits == (rows["slam"] & chosen).sum()
    assert answer.total.games == chosen.sum()


def test_nothing_eligible() -> None:
    answer = ask(records(50), event="slam", given="orbit > 100")
    assert answer.total.estimate is None
    assert answer.total.interval[:2] == (0, 1)
    assert "nothing can be said" in answer.warnings[0]


def test_rounds_of_a_match_are_clustered() -> None:
    rows = records(N, rounds=6)
    answer = ask(rows, rounds=6, event="slam")
    assert answer.total.eligible == len(rows)
    assert answer.total.games == N
    assert "by games" in answer.total.interval.method
    assert (
        answer.total.interval.half_width > intervals.clopper_pearson(answer.total.hits or 0, len(rows), 0.95).half_width
    )


def test_seats_are_rows_of_their_own() -> None:
    rows = records(N)
    answer = ask(rows, event="seat = winner", per="seat")
    assert (answer.total.hits, answer.total.eligible) == (N, 4 * N)
    by_seat = ask(rows, event="points > 100", per="seat", by="seat")
    for row in by_seat.rows:
        assert row.hits == (rows["points"][:, row.key[0]] > 100).sum()
        assert row.interval.method == "Clopper-Pearson"
    assert by_seat.each == pytest.approx(1 - 0.05 / 4)


def test_groups_with_text_and_truth() -> None:
    rows = records(N, rounds=3)
    answer = ask(rows, rounds=3, event="orbit > 4", by="outcome,slam")
    frame = frames.rounds(redox(rounds=3), rows)
    expected = frame.group_by("outcome", "slam").agg((pl.col("orbit") > 4).sum().alias("hits"), pl.len())
    found = {row.key: (row.hits, row.eligible) for row in answer.rows}
    assert found == {(a, b): (c, d) for a, b, c, d in expected.cast({"outcome": pl.String}).rows()}
    assert sum(row.hits or 0 for row in answer.rows) == answer.total.hits


def test_means_and_their_groups() -> None:
    rows = records(N, rounds=3)
    answer = ask(rows, rounds=3, mean="points_1", by="slam")
    assert answer.total.estimate == pytest.approx(rows["points"][:, 1].mean(), rel=1e-12)
    for row in answer.rows:
        assert row.estimate == pytest.approx(rows["points"][rows["slam"] == row.key[0], 1].mean(), rel=1e-12)
    assert answer.total.interval.low < (answer.total.estimate or 0) < answer.total.interval.high
    assert answer.warnings == ()


def test_quantiles_and_histogram() -> None:
    rows = records(N)
    answer = ask(rows, quantiles="points_0")
    values = np.sort(rows["points"][:, 0])
    for quantile in answer.quantiles:
        assert quantile.value == values[math.ceil(quantile.p * N) - 1]
        assert quantile.interval.low <= quantile.value <= quantile.interval.high
    assert sum(bar.count for bar in answer.histogram) == N
    assert len(answer.histogram) <= 20
    for bar in answer.histogram:
        assert bar.count == ((values >= bar.low) & (values <= bar.high)).sum()


def test_a_table_shares_out_all_rows() -> None:
    rows = records(N, rounds=3)
    answer = ask(rows, rounds=3, table=["outcome", "winner"])
    assert sum(row.hits or 0 for row in answer.rows) == len(rows) == answer.total.eligible
    assert sum(row.estimate or 0 for row in answer.rows) == pytest.approx(1)
    assert all(row.eligible == len(rows) and row.games == N for row in answer.rows)


@pytest.mark.parametrize(
    "asked",
    [
        {"event": "slam"},
        {"event": "points > 50", "per": "seat", "by": "winner"},
        {"mean": "points_0 / (1 + orbit)"},
        {"quantiles": "points_2"},
        {"table": "slam"},
    ],
)
def test_blocks_do_not_matter(asked: dict[str, Any]) -> None:
    rows = records(N, rounds=3)
    one, many = ask(rows, rounds=3, size=N, **asked), ask(rows, rounds=3, size=37, **asked)
    assert json.dumps(one.describe()) == json.dumps(many.describe())


def test_a_run_s_table_gives_the_same_answer() -> None:
    rows, scenario = records(500, rounds=3), redox(rounds=3)
    questions = Builder(scenario).build("test", {"event": "points > 50 AND outcome = 'out'", "per": "seat"})
    direct, stored = (Collector(scenario, questions, stopping.Rule(500)) for _ in range(2))
    direct.add(rows)
    table = frames.rounds(scenario, rows).with_columns(pl.col("outcome").cast(pl.String))
    stored.add(frames.records(scenario, table))
    assert direct.answers()[0].describe() == stored.answers()[0].describe()


def test_the_json_has_what_scripts_rely_on() -> None:
    described = ask(records(N), event="slam", given="orbit > 1").describe()
    keys = (
        "question given estimate interval level method hits eligible games stopped game rules_hash policies seed "
        "identity exact examples reproduce"
    )
    assert set(keys.split()) <= set(described)
    assert described["question"] == "slam"
    assert described["given"] == "orbit > 1"
    assert described["policies"] == ["random"] * 4
    json.dumps(described, allow_nan=False)


def test_several_targets_are_several_answers() -> None:
    scenario = redox()
    questions = Builder(scenario).build("test", {"event": "slam", "mean": "points_0", "quantiles": "orbit"})
    assert [question.kind for question in questions] == ["share", "mean", "quantiles"]
    collector = Collector(scenario, questions, stopping.Rule(100))
    collector.add(records(100))
    assert len(collector.answers()) == 3


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "nothing is asked"),
        ({"event": "points > 1"}, "it is a column of seats: ask per seat"),
        ({"event": "points_0 > 1", "per": "seat"}, "it is a column of rounds: ask per round"),
        ({"event": "slam", "by": "orbitt"}, "unknown column 'orbitt'; did you mean orbit"),
        ({"event": "slam", "by": "orbit,orbit"}, "different"),
        ({"event": "slam", "per": "game"}, "unit 'game' does not exist"),
        ({"mean": "slam"}, "gives Boolean, not a number"),
        ({"event": 3}, "is not text"),
        ({"event": "slam", "level": 95}, "is not a level"),
        ({"quantiles": "orbit", "by": "slam"}, "not given by groups"),
        ({"table": "slam", "by": "orbit"}, "a table has no groups"),
        ({"table": "slam,orbit,turns"}, "one to 2"),
        ({"event": "slam", "by": "orbit", "expect": {"p": 1}}, "only one share or one mean"),
        ({"event": "slam", "expect": {"p": 1, "q": 2}}, "is not an expectation"),
        ({"event": "slam", "expect": {"between": [2, 1]}}, "2 is above 1"),
        ({"event": "slam", "expect": {"between": 3}}, "not a pair"),
        ({"event": "slam", "expect": {"p": "often"}}, "is not a number"),
        ({"event": "slam", "expect": {"p": "0.1 within -1 sigma"}}, "positive"),
    ],
)
def test_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        Builder(redox()).build("test", asked)
    assert message in str(caught.value)


def test_division_by_zero_names_the_game() -> None:
    with pytest.raises(UserError, match=r"divides by zero in game \d+"):
        ask(records(100), mean="1 / orbit")
    ask(records(100), mean="1 / orbit", given="orbit > 0")


def test_too_many_groups() -> None:
    with pytest.raises(UserError, match="more than 1000 groups"):
        ask(records(N), event="slam", by="game")


@pytest.mark.parametrize(
    ("expect", "met"),
    [
        ({"p": "0.1 within 4 sigma"}, True),
        ("p: 0.1", True),
        ({"p": "0.2 within 4 sigma"}, False),
        ({"between": [0.05, 0.15]}, True),
        ({"between": [0, 0.05]}, False),
    ],
)
def test_expectations(expect: Any, met: bool) -> None:
    answer = ask(records(N), event="slam", expect=expect)
    assert answer.expected is met
    assert answer.describe()["expected"]["met"] is met


def test_expected_value_within_standard_errors() -> None:
    assert read_expect({"p": "1e-3 within 3 sigma"}, "").sigma == 3
    answer = ask(records(N), event="slam", expect={"p": 0.1})
    hits = answer.total.hits or 0
    assert answer.deviation == pytest.approx((hits / N - 0.1) / math.sqrt(0.1 * 0.9 / N))


def test_no_exact_value_to_expect() -> None:
    with pytest.raises(UserError, match="no exact value"):
        ask(records(N), event="slam", expect={"p": "exact"})


def test_whole_and_broken_numbers_add_up_alike() -> None:
    rows = records(N, rounds=3)
    whole, broken = ask(rows, rounds=3, mean="points_0"), ask(rows, rounds=3, mean="points_0 + 0.0")
    assert whole.total.estimate == broken.total.estimate
    assert whole.total.interval == broken.total.interval


@pytest.mark.campaign
@pytest.mark.parametrize(
    "asked", [{"event": "slam AND orbit <= 3"}, {"event": "points > 50", "per": "seat", "by": "seat"}]
)
def test_memory_stays_flat_over_a_hundred_million_rounds(asked: dict[str, Any]) -> None:
    """Less than 50 MB more after a hundred million rounds than after one million; peak below 1 GB."""
    scenario, rows = redox(), records(20_000)
    collector = Collector(scenario, Builder(scenario).build("test", asked), stopping.Rule(10**12))
    peaks = []
    for block in range(5_000):
        collector.add(rows)
        rows["game"] += len(rows)
        if block in (50, 4_999):
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    assert collector.games == 10**8
    assert peaks[1] - peaks[0] < 50
    assert peaks[1] < 1000


def test_a_column_is_an_event_however_like_a_question_s_name() -> None:
    scenario = replace(redox(), questions={"any_slam": {"event": "slam"}})
    builder = Builder(scenario)
    assert builder.named("slam") is None
    assert builder.named("any_slam") == {"event": "slam"}
    with pytest.raises(UserError, match="did you mean any_slam"):
        builder.named("any_slum")


@pytest.mark.parametrize("name", shipped())
def test_configs_that_come_along_ask_what_can_be_asked(name: str) -> None:
    questions.check(load(name))


def test_questions_of_a_config_need_not_fit_other_rules() -> None:
    """A run with fewer seats has no columns of the others; it may be kept all the same."""
    for change in ("rules.players=2", "rules={players: 3}"):
        questions.check(load("redox", [change]))
    questions.check(load("redox", ["policies=greedy"]))
    with pytest.raises(UserError, match="did you mean slam"):
        questions.check(load("redox", ["questions.any_slam.event=slm"]))


def test_a_number_with_bounds_that_never_moved_may_move_seldom() -> None:
    rows = records(200, slam=0.0)
    answer = ask(rows, mean="CASE WHEN slam THEN 3 ELSE 1 END")
    seldom = intervals.clopper_pearson(0, 200, 0.95).high
    assert answer.total.estimate == answer.total.interval.low == 1
    assert answer.total.interval.high == pytest.approx(1 + 2 * seldom, rel=1e-3)
    assert answer.warnings == ()


@pytest.mark.parametrize(("text", "bounds"), [("left_1 - jokers_0", "known"), ("points_0", None), ("left_1 / 2", None)])
def test_bounds_come_from_columns_that_have_them(text: str, bounds: str | None) -> None:
    (question,) = Builder(redox()).build("test", {"mean": text})
    high = Game("redox").columns.COLUMNS["left"].high
    assert question.bounds == (None if bounds is None else (-(high or 0), high))
