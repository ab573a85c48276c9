"""Every printed interval holds its level: not below 94.5 of 100 at 95%, and is not much wider than it must be.

By exact summation for proportions of independent games, inverse sampling and quantiles; else by simulation. A simulated
coverage is judged against 94.5% less three of its standard errors: a model whose coverage is exactly 94.5% fails once
in 700 times. Seeds are fixed. `campaign` prints the table of all models.
"""

import math

import pytest

from simcli.stats import stopping
from tests.simcli.stats import coverage, populations
from tests.simcli.stats.campaign import GAMES, measures

PROMISE = 0.945
DOSE = 300
CAMPAIGN = 2_000
WIDEST = 1.3


def enough(held: float, trials: int) -> bool:
    """Whether a simulated coverage is compatible with the promise."""
    return held >= PROMISE - 3 * math.sqrt(PROMISE * (1 - PROMISE) / trials)


@pytest.mark.parametrize("trials", [1, 5, 20, 100, 1_000])
@pytest.mark.parametrize("p", [1e-4, 0.001, 0.01, 0.03, 0.1, 0.3, 0.5, 0.9, 0.999])
def test_clopper_pearson(p: float, trials: int) -> None:
    assert coverage.of_clopper_pearson(p, trials) >= 0.95 - 1e-9


@pytest.mark.parametrize("hits", [2, 3, 10, 50])
@pytest.mark.parametrize("p", [0.5, 0.1, 0.01])
def test_inverse_sampling(p: float, hits: int) -> None:
    assert coverage.of_inverse_sampling(p, hits) >= 0.95 - 1e-6


@pytest.mark.parametrize("games", [5, 50, 1_000, 20_000])
@pytest.mark.parametrize("p", [0.01, 0.05, 0.25, 0.5, 0.95])
def test_quantiles(p: float, games: int) -> None:
    assert coverage.of_quantile(p, games) >= 0.95 - 1e-9


FEW_HITS = {"1 to 22 rows, 0.03%", "one row a game, 0.03%"}
"""So rare that the worst that rows of a game could do is all that bounds them."""


@pytest.mark.parametrize("name", populations.PROPORTIONS)
def test_proportions(name: str) -> None:
    figure = coverage.of_proportions(populations.PROPORTIONS[name](), 200, DOSE, 1)
    assert enough(figure.held, DOSE)
    assert figure.width <= WIDEST + 0.05 or name in FEW_HITS


RARE = {"a payoff in 1 of 1,000", "a payoff in 3 of 100", "cube of an exponential"}
"""Means that a few games carry."""


@pytest.mark.parametrize("name", sorted(populations.MEANS.keys() - RARE))
def test_means(name: str) -> None:
    figure = coverage.of_means(populations.MEANS[name](), 200, DOSE, 3)
    assert enough(figure.held, DOSE)
    assert figure.width <= WIDEST
    assert figure.doubted < 0.5 or "few sizes" in name


@pytest.mark.parametrize("name", populations.MEANS)
def test_means_within_bounds(name: str) -> None:
    population = populations.MEANS[name]()
    values = population.totals / population.rows
    figure = coverage.of_means(population, 200, DOSE, 3, (float(values.min()), float(values.max())))
    assert enough(figure.held, DOSE)


def test_a_mean_that_unseen_games_carry_comes_with_a_warning() -> None:
    """The warning appears as soon as one of the rare games is seen; before, nothing can tell."""
    figure = coverage.of_means(populations.MEANS["a payoff in 1 of 1,000"](), 1_000, DOSE, 3)
    assert figure.doubted > 0.5


@pytest.mark.parametrize("name", populations.DIFFERENCES)
def test_differences(name: str) -> None:
    draw, share = populations.DIFFERENCES[name]
    for games in (100, 500):
        figure = coverage.of_differences(draw, share, games, DOSE, 4)
        assert enough(figure.held, DOSE)
    assert figure.width <= WIDEST


@pytest.mark.parametrize("name", populations.POOLS)
def test_quantiles_of_several_rows(name: str) -> None:
    figure = coverage.of_quantiles(populations.POOLS[name](), 0.25, 200, 60, 5)
    assert enough(figure.held, 60)
    assert figure.width <= WIDEST


@pytest.mark.campaign
def test_all_at_length() -> None:
    """Every kind at every number of games; a mean without bounds where no warning is to be expected."""
    failed = []
    for kind, name, measure in measures():
        for games in GAMES:
            figure = measure(games, CAMPAIGN, 2)
            excused = kind == "mean" and figure.doubted > 0.05
            if not excused and not enough(figure.held, CAMPAIGN):
                failed.append((kind, name, games, figure))
    assert not failed


# After stopping

PRECISIONS = [(0.01, "20%"), (0.05, "10%"), (0.001, "30%"), (0.02, "0.5pp"), (0.3, "2pp"), (0.01, "90%")]


@pytest.mark.parametrize(("p", "text"), PRECISIONS)
def test_after_stopping_at_a_precision(p: float, text: str) -> None:
    assert enough(coverage.of_precision(p, stopping.precision(text, 100_000), DOSE, 5), DOSE)


@pytest.mark.campaign
@pytest.mark.parametrize(("p", "text"), PRECISIONS)
def test_after_stopping_at_a_precision_at_length(p: float, text: str) -> None:
    assert enough(coverage.of_precision(p, stopping.precision(text, 200_000), CAMPAIGN, 6), CAMPAIGN)


def exponential(source: coverage.Source, games: int) -> coverage.Floats:
    return source.exponential(size=games)


def test_means_after_stopping_at_a_precision() -> None:
    assert enough(coverage.of_precise_means(exponential, 1.0, 0.05, 100, 6), 100)


@pytest.mark.campaign
@pytest.mark.parametrize("width", [0.06, 0.03, 0.02])
def test_means_after_stopping_at_a_precision_at_length(width: float) -> None:
    assert enough(coverage.of_precise_means(exponential, 1.0, width, CAMPAIGN, 6), CAMPAIGN)


@pytest.mark.parametrize(("p", "lengths", "most"), [(0.5, (1, 1), 1), (0.01, (1, 1), 1), (0.05, (1, 22), 200)])
def test_decisions_are_seldom_wrong_however_often_one_looks(p: float, lengths: tuple[int, int], most: int) -> None:
    """At most 5% of runs ever leave out the truth; 100 runs, so 12 wrong ones would be three standard errors more."""
    assert coverage.wrong_decisions(p, 20_000, 100, 7, lengths, most) < 0.12


@pytest.mark.campaign
@pytest.mark.parametrize(("p", "lengths", "most"), [(0.5, (1, 1), 1), (0.005, (1, 1), 1), (0.05, (1, 22), 200)])
def test_decisions_are_seldom_wrong_at_length(p: float, lengths: tuple[int, int], most: int) -> None:
    assert coverage.wrong_decisions(p, 1_000_000, 1_000, 8, lengths, most) < 0.05
