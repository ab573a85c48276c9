"""Every printed interval holds its level: not below 94.5 of 100 at 95%.

By exact summation for shares of independent games, inverse sampling and quantiles; by simulation for games of several
rows, means, and stopping. A simulated share is judged against 94.5% less three of its standard errors: a model whose
coverage is exactly 94.5% fails once in 700 times. Seeds are fixed.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest

from simcli.stats import stopping
from tests.simcli import coverage
from tests.simcli.coverage import Clusters, Source

PROMISE = 0.945
DOSE = 600
CAMPAIGN = 10_000

ONE = np.ones(1_000, np.int64)


def enough(share: float, trials: int) -> bool:
    """Whether a simulated coverage is compatible with the promise."""
    return share >= PROMISE - 3 * math.sqrt(PROMISE * (1 - PROMISE) / trials)


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


MODELS = [
    Clusters(1_000, 0.02, (4, 4), 0.0),
    Clusters(1_000, 0.03, (4, 4), 1.0),
    Clusters(1_000, 0.03, (1, 10), 0.3),
    Clusters(1_000, 0.03, (1, 10), 0.2, busier=True),
    Clusters(1_000, 0.005, (100, 100), 0.3),
    Clusters(1_000, 0.01, (1, 200), 0.2),
    Clusters(5_000, 0.3, (4, 4), 0.3),
    Clusters(1_000, 0.97, (1, 8), 1.0),
    Clusters(200, 0.05, (4, 4), 0.5),
    Clusters(50, 0.3, (1, 6), 0.1),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_shares_of_several_rows(model: Clusters) -> None:
    held, _ = coverage.of_clusters(model, DOSE, 1)
    assert enough(held, DOSE)


@pytest.mark.campaign
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_shares_of_several_rows_at_length(model: Clusters) -> None:
    held, _ = coverage.of_clusters(model, CAMPAIGN, 2)
    assert enough(held, CAMPAIGN)


def test_few_games_or_hits_are_conservative() -> None:
    _, methods = coverage.of_clusters(Clusters(999, 0.3, (4, 4), 0.3), 3, 1)
    assert list(methods) == ["by games: conservative (Bentkus)"]
    _, methods = coverage.of_clusters(Clusters(5_000, 0.0005, (4, 4), 0.3), 3, 1)
    assert list(methods) == ["by games: conservative (Bentkus)"]


def clustered(source: Source) -> tuple[np.ndarray, np.ndarray]:
    """Games of one to ten rows whose values go together."""
    x = source.integers(1, 11, 1_000)
    return x, x * source.exponential(size=1_000)


MEANS: dict[str, tuple[Callable[[Source], tuple[np.ndarray, np.ndarray]], float]] = {
    "normal, 30 games": (lambda source: (ONE[:30], source.normal(size=30)), 0.0),
    "exponential, 100 games": (lambda source: (ONE[:100], source.exponential(size=100)), 1.0),
    "lognormal, 1,000 games": (lambda source: (ONE, source.lognormal(0, 1, 1_000)), math.exp(0.5)),
    "a payoff in 3 of 100 games": (lambda source: (ONE, 100.0 * (source.random(1_000) < 0.03)), 3.0),
    "several rows a game": (clustered, 1.0),
}


@pytest.mark.parametrize("name", MEANS)
def test_means(name: str) -> None:
    draw, truth = MEANS[name]
    assert enough(coverage.of_mean(draw, truth, DOSE, 3), DOSE)


@pytest.mark.campaign
@pytest.mark.parametrize("name", MEANS)
def test_means_at_length(name: str) -> None:
    draw, truth = MEANS[name]
    assert enough(coverage.of_mean(draw, truth, CAMPAIGN, 4), CAMPAIGN)


PRECISIONS = [(0.01, "20%"), (0.05, "10%"), (0.001, "30%"), (0.02, "0.5pp"), (0.3, "2pp"), (0.01, "90%")]


@pytest.mark.parametrize(("p", "text"), PRECISIONS)
def test_after_stopping_at_a_precision(p: float, text: str) -> None:
    assert enough(coverage.of_precision(p, stopping.precision(text, 100_000), DOSE, 5), DOSE)


@pytest.mark.campaign
@pytest.mark.parametrize(("p", "text"), PRECISIONS)
def test_after_stopping_at_a_precision_at_length(p: float, text: str) -> None:
    assert enough(coverage.of_precision(p, stopping.precision(text, 200_000), CAMPAIGN, 6), CAMPAIGN)


@pytest.mark.parametrize("p", [0.5, 0.01])
def test_decisions_are_seldom_wrong_however_often_one_looks(p: float) -> None:
    """At most 5% of runs ever leave out the truth; 100 runs, so 12 wrong ones would be three standard errors more."""
    assert coverage.wrong_decisions(p, 20_000, 100, 7) < 0.12


@pytest.mark.campaign
@pytest.mark.parametrize("p", [0.5, 0.05, 0.005])
def test_decisions_are_seldom_wrong_at_length(p: float) -> None:
    assert coverage.wrong_decisions(p, 1_000_000, 1_000, 8) < 0.05
