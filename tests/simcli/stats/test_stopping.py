"""Stopping rules: where they stop, and that only the games in index order decide."""

from collections import Counter
from itertools import islice
from typing import Any

import numpy as np
import pytest

from simcli.asking.answers import Answer
from simcli.asking.collector import Collector
from simcli.asking.questions import Builder
from simcli.errors import UserError
from simcli.stats import intervals, stopping
from simcli.stats.tallies import ProportionTally
from tests.simcli.synthetic import blocks, records, redox

MOST = 50_000


def ask(rows: np.ndarray, rule: stopping.Rule, size: int = 900, **asked: Any) -> Answer:
    scenario = redox()
    collector = Collector(scenario, Builder(scenario).build("test", asked), rule)
    for block in blocks(rows, size):
        if collector.add(block):
            break
    return collector.answers()[0]


def test_looks_grow_by_a_tenth() -> None:
    assert list(islice(stopping.looks(), 4)) == [1000, 1100, 1210, 1331]


@pytest.mark.parametrize(
    ("text", "width", "relative"), [("2%", 0.02, True), ("0.1pp", 0.001, False), ("0.005", 0.005, False)]
)
def test_precision_from_text(text: str, width: float, relative: bool) -> None:
    rule = stopping.precision(text, MOST)
    assert (rule.width, rule.relative) == (pytest.approx(width), relative)


@pytest.mark.parametrize("text", ["2", "0.5", "50pp"])
def test_a_precision_that_any_share_has(text: str) -> None:
    with pytest.raises(UserError, match="wider than any share; write 2%"):
        stopping.precision(text, MOST)
    assert not stopping.precision(text, MOST, bounded=False).relative


@pytest.mark.parametrize("text", ["", "2 %", "-1%", "0", "x", "2%%", "1e-3"])
def test_no_precision(text: str) -> None:
    with pytest.raises(UserError, match="is no precision"):
        stopping.precision(text, MOST)


@pytest.mark.parametrize("size", [1, 100, 1000, 1234, MOST])
def test_precision_stops_at_the_first_look_that_is_narrow_enough(size: int) -> None:
    rows = records(3_000)
    answer = ask(rows, stopping.precision("1.5pp", MOST), size, event="slam")
    looks = list(islice(stopping.looks(), 20))
    narrow = [
        m
        for m in looks
        if intervals.clopper_pearson(int(rows["slam"][:m].sum()), m, 1 - 0.05 * 0.85).half_width <= 0.015
    ]
    assert answer.stopped == "precision"
    assert answer.games == narrow[0]
    assert answer.total.eligible == narrow[0]


def test_precision_relative_to_a_mean() -> None:
    answer = ask(records(20_000), stopping.precision("1%", MOST), mean="points_0")
    assert answer.stopped == "precision"
    assert answer.total.interval.half_width <= 0.01 * (answer.total.estimate or 0)


def test_budget_of_games() -> None:
    answer = ask(records(5_000), stopping.precision("0.01%", 5_000), event="slam")
    assert (answer.stopped, answer.games) == ("max_games", 5_000)


def test_fixed_number_of_games() -> None:
    answer = ask(records(5_000), stopping.Rule(4_321), event="slam")
    assert (answer.stopped, answer.games) == ("games", 4_321)


@pytest.mark.parametrize("size", [1, 17, 4_000])
@pytest.mark.parametrize("given", [None, "orbit > 2"])
def test_hits_stop_at_exactly_the_kth_in_index_order(size: int, given: str | None) -> None:
    rows = records(4_000)
    eligible = rows["orbit"] > 2 if given else np.ones(len(rows), bool)
    answer = ask(rows, stopping.hits(25, MOST, 1), size, event="slam", given=given)
    last = int(rows["game"][np.flatnonzero(rows["slam"] & eligible)[24]])
    trials = int(eligible[: last + 1].sum())
    assert answer.stopped == "hits"
    assert (answer.games, answer.total.hits, answer.total.eligible) == (last + 1, 25, trials)
    assert answer.total.estimate == 24 / (trials - 1)
    assert "inverse" in answer.total.interval.method


def test_hits_that_do_not_come() -> None:
    answer = ask(records(2_000), stopping.hits(1_000, 2_000, 1), event="slam")
    assert answer.stopped == "max_games"
    assert answer.total.interval.method == "Clopper-Pearson"


@pytest.mark.parametrize(("count", "most", "message"), [(1, 1, "at least 2"), (5, 4, "several rows")])
def test_hits_refused(count: int, most: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        stopping.hits(count, MOST, most)


def test_rules_that_do_not_suit() -> None:
    scenario = redox()
    build = Builder(scenario).build
    with pytest.raises(UserError, match="--hits"):
        Collector(scenario, build("a", {"mean": "orbit"}), stopping.Hits(10, 2))
    with pytest.raises(UserError, match="--precision"):
        Collector(scenario, build("a", {"event": "slam", "by": "orbit"}), stopping.precision("1%", 10))
    with pytest.raises(UserError, match="--decide"):
        Collector(scenario, build("a", {"event": "slam"}) * 2, stopping.decide("< 1%", 10, 0.95, 1))


@pytest.mark.parametrize(("text", "decision"), [("< 20%", "yes"), ("> 20%", "no"), ("< 0.05", "no"), (">= 5%", "yes")])
def test_decisions(text: str, decision: str) -> None:
    answer = ask(records(20_000), stopping.decide(text, 20_000, 0.95, 1), event="slam")
    assert answer.decision == decision
    assert answer.stopped == "decision"
    low, high, method = answer.total.interval
    assert "always valid" in method
    assert low < (answer.total.estimate or 0) < high
    assert not low <= 0.2 <= high or not low <= 0.05 <= high


def test_undecided() -> None:
    answer = ask(records(3_000), stopping.decide("< 10%", 3_000, 0.95, 1), event="slam")
    assert (answer.decision, answer.stopped) == ("undecided", "max_games")


@pytest.mark.parametrize("text", ["5%", "< 1pp", "< 0", "< 100%", "= 3%", "< x"])
def test_no_decision(text: str) -> None:
    with pytest.raises(UserError):
        stopping.decide(text, MOST, 0.95, 1)


def test_always_valid_interval_is_wider_than_a_fixed_one_and_narrows() -> None:
    previous = 1.0
    for games in (100, 10_000, 1_000_000):
        hits = games // 20
        bets = Counter({(1, 1, 1): hits, (1, 1, 0): games - hits})
        low, high, _ = stopping.always_valid(bets, 1, 0.95)
        fixed = intervals.clopper_pearson(hits, games, 0.95)
        assert low < fixed.low < fixed.high < high
        assert high - low < previous
        previous = high - low
    assert previous < 3 * (fixed.high - fixed.low)


def test_always_valid_interval_without_hits() -> None:
    low, high, _ = stopping.always_valid(Counter({(1, 1, 0): 10_000}), 1, 0.95)
    assert low == 0
    assert 3e-4 < high < 3e-3


def test_plan_solves_for_the_third() -> None:
    plan = stopping.solve(0.01, half_width=0.001, level=0.95)
    assert intervals.clopper_pearson(0.01 * plan.games, plan.games, 0.95).half_width <= 0.001
    fewer = plan.games - 1
    assert intervals.clopper_pearson(0.01 * fewer, fewer, 0.95).half_width > 0.001
    assert plan.games == pytest.approx(1.959963985**2 * 0.01 * 0.99 / 0.001**2, rel=0.03)
    assert stopping.solve(0.01, games=plan.games, level=0.95).half_width == pytest.approx(0.001, rel=1e-3)
    assert stopping.solve(0.01, games=plan.games, half_width=0.001).level == pytest.approx(0.95, rel=1e-3)
    assert stopping.solve(0.01, half_width=0.001, level=0.95, rows=4).games == pytest.approx(plan.games / 4, abs=1)
    with pytest.raises(UserError):
        stopping.solve(0.01, games=10)
    with pytest.raises(UserError):
        stopping.solve(0.0, games=10, level=0.95)


@pytest.mark.parametrize("share", [0.002, 0.998])
def test_a_plan_near_the_ends_gives_what_it_promises(share: float) -> None:
    """Of samples of the games planned, more than half have an interval as narrow as asked for."""
    plan = stopping.solve(share, half_width=0.02, level=0.95)
    hits = np.random.default_rng(4).binomial(plan.games, share, 1000)
    widths = [intervals.clopper_pearson(int(hit), plan.games, 0.95).half_width for hit in hits]
    assert np.median(widths) <= 0.02
    assert plan.games < 150


def test_no_number_of_games_is_enough() -> None:
    with pytest.raises(UserError, match="more than 1,000,000,000,000 games"):
        stopping.solve(0.5, half_width=1e-9, level=0.95)


def test_bets_adapt_to_the_games_that_come() -> None:
    """A match may have 200 rounds and never has more than 6: nearly as fast as if that were known."""
    rows = records(30_000, rounds=6)
    fast, slow = (ask(rows, stopping.decide("< 11%", 30_000, 0.95, most), event="slam") for most in (6, 200))
    assert fast.decision == slow.decision == "yes"
    assert fast.games <= slow.games < 1.4 * fast.games


def test_bets_know_only_games_before() -> None:
    tally = ProportionTally()
    tally.add(np.array([3] * 100 + [4, 8, 2]), np.zeros(103, np.int64))
    tally.add(np.array([1]), np.array([1]))
    assert tally.bets == {(0, 3, 0): 100, (4, 4, 0): 1, (5, 8, 0): 1, (10, 2, 0): 1, (10, 1, 1): 1}
