"""The table of coverage: `python -m tests.simcli.stats.campaign [TRIALS]`.

For each kind of question and number of games: how many of 100 intervals at 95% hold the truth, and their median width
by the ideal one. Means have a third figure, of how many of 100 come with a warning. Minutes for 1,000 trials.
"""

import sys
from collections.abc import Callable, Iterator

from tests.simcli.stats import coverage, populations
from tests.simcli.stats.coverage import Figure

GAMES = (100, 200, 500, 1_000, 5_000)
TRIALS = 1_000

Measure = Callable[[int, int, int], Figure]
"""A figure from games, trials and a seed."""


def measures(real: bool = True) -> Iterator[tuple[str, str, Measure]]:
    """Kinds of question with what measures them: kind, name, measure."""
    shares = {name: make() for name, make in populations.PROPORTIONS.items()}
    means = {name: make() for name, make in populations.MEANS.items()}
    if real:
        more_shares, more_means = populations.real_populations()
        shares, means = shares | more_shares, means | more_means
    for name, population in shares.items():
        yield "proportion", name, lambda n, t, s, p=population: coverage.of_proportions(p, n, t, s)
    for name, population in means.items():
        yield "mean", name, lambda n, t, s, p=population: coverage.of_means(p, n, t, s)
    for name, population in means.items():
        bounds = (
            float((population.totals / population.rows).min()),
            float((population.totals / population.rows).max()),
        )
        yield "mean in bounds", name, lambda n, t, s, p=population, b=bounds: coverage.of_means(p, n, t, s, b)
    for name, (draw, share) in populations.DIFFERENCES.items():
        yield "difference", name, lambda n, t, s, d=draw, k=share: coverage.of_differences(d, k, n, t, s)
    for name, pool in ((name, make()) for name, make in populations.POOLS.items()):
        for p in (0.05, 0.5, 0.95):
            yield "quantile", f"{100 * p:g}%, {name}", lambda n, t, s, o=pool, q=p: coverage.of_quantiles(o, q, n, t, s)


def main(trials: int) -> None:
    print(f"| kind | question | {' | '.join(f'{n:,} games' for n in GAMES)} |")
    print(f"|---|---|{'---|' * len(GAMES)}")
    for kind, name, measure in measures():
        cells = []
        for games in GAMES:
            figure = measure(games, trials, 1)
            warned = f" {100 * figure.doubted:.0f}!" if figure.doubted else ""
            cells.append(f"{100 * figure.held:.1f} × {figure.width:.2f}{warned}")
        print(f"| {kind} | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS)
