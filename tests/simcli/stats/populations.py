"""Games to draw from: synthetic ones with the shapes of the games' columns, and the games themselves."""

from collections.abc import Callable

import numpy as np

from kernels.registry import Game
from simcli.play.simulate import Table
from simcli.stats.paired import Side
from tests.games import scenario
from tests.simcli.stats.coverage import Floats, Ints, Pairs, Pool, Population, Source

SIZE = 100_000
"""Games of a synthetic population."""

ONE = np.ones(SIZE, np.int64)


def alike(
    chance: float, rows: tuple[int, int], correlation: float, busier: bool = False, size: int = SIZE
) -> Population:
    """Events of games of rows[0]..rows[1] rows, whose chances are beta-distributed: correlation 1 is all rows alike.

    `busier`: games with more rows are more prone to the event.
    """
    source = np.random.default_rng(1)
    x = source.integers(rows[0], rows[1] + 1, size)
    mean = chance * (2 * x / (rows[0] + rows[1]) if busier else np.ones(size))
    if correlation >= 1:
        return Population.of(x, np.where(source.random(size) < mean, x, 0))
    if correlation <= 0:
        return Population.of(x, source.binomial(x, mean))
    weight = 1 / correlation - 1
    return Population.of(x, source.binomial(x, source.beta(mean * weight, (1 - mean) * weight)))


def event(chance: float) -> Population:
    """An event of a single row."""
    return Population(np.ones(2), np.array([0.0, 1.0]), np.array([1 - chance, chance]))


PROPORTIONS: dict[str, Callable[[], Population]] = {
    "one row a game, 30%": lambda: event(0.3),
    "one row a game, 1.4%": lambda: event(0.014),
    "one row a game, 0.03%": lambda: event(0.0003),
    "4 rows, independent, 2%": lambda: alike(0.02, (4, 4), 0),
    "4 rows, all alike, 3%": lambda: alike(0.03, (4, 4), 1),
    "4 rows, half alike, 5%": lambda: alike(0.05, (4, 4), 0.5),
    "1 to 22 rows, 30%": lambda: alike(0.3, (1, 22), 0.1),
    "1 to 22 rows, 1.4%": lambda: alike(0.014, (1, 22), 0.05),
    "1 to 22 rows, 0.03%": lambda: alike(0.0003, (1, 22), 0.0),
    "1 to 10 rows, busier games hit more, 3%": lambda: alike(0.03, (1, 10), 0.2, busier=True),
    "1 to 8 rows, all alike, 97%": lambda: alike(0.97, (1, 8), 1),
    "100 rows, 0.5%": lambda: alike(0.005, (100, 100), 0.3),
}


def values(draw: Callable[[Source], Floats]) -> Callable[[], Population]:
    """A number of a single row, rounded so that kinds of game are few."""
    return lambda: Population.of(ONE, np.round(draw(np.random.default_rng(2)), 2))


def of_rounds(source: Source) -> tuple[Ints, Floats]:
    """Games of 1 to 22 rounds that have something in common."""
    x = source.integers(1, 23, SIZE)
    return x, np.round(x * source.exponential(size=SIZE) + source.normal(size=SIZE) * np.sqrt(x), 2)


MEANS: dict[str, Callable[[], Population]] = {
    "normal": values(lambda source: source.normal(size=SIZE)),
    "exponential": values(lambda source: source.exponential(size=SIZE)),
    "lognormal": values(lambda source: source.lognormal(size=SIZE)),
    "zero-sum points of few sizes": values(
        lambda source: source.choice([-1, 1], SIZE) * 4.0 ** source.geometric(0.9, SIZE).clip(1, 3)
    ),
    "1 to 22 rounds": lambda: Population.of(*of_rounds(np.random.default_rng(3))),
    "a payoff in 3 of 100": lambda: event(0.03)._replace(totals=np.array([0.0, 100.0])),
    "a payoff in 1 of 1,000": lambda: event(0.001)._replace(totals=np.array([0.0, 100.0])),
    "cube of an exponential": values(lambda source: source.exponential(size=SIZE) ** 3),
}


def rare_pair(source: Source, games: int) -> tuple[Side, Side]:
    """Slams of 1.4% against 0.03%, one row a game."""
    ones = np.ones(games, np.int64)
    chance = source.random(games)
    return Side(ones, (chance < 0.014).astype(np.int64)), Side(ones, (chance > 0.9997).astype(np.int64))


def close_pair(source: Source, games: int) -> tuple[Side, Side]:
    """Events of 30% and 31% that mostly coincide, 1 to 22 rows a game on either side."""
    sides = []
    common = source.normal(size=games)
    for chance in (0.3, 0.31):
        rows = source.integers(1, 23, games)
        sides.append(Side(rows, source.binomial(rows, np.clip(chance + 0.1 * common, 0, 1))))
    return sides[0], sides[1]


def points_pair(source: Source, games: int) -> tuple[Side, Side]:
    """Points of two settings on the same deals, with rare large ones."""
    ones = np.ones(games, np.int64)
    deal = source.normal(size=games)
    one, other = (
        np.round(3 * deal + source.normal(size=games) * (1 + 9 * (source.random(games) < 0.02))) for _ in "12"
    )
    return Side(ones, (one + 1).astype(np.int64)), Side(ones, other.astype(np.int64))


DIFFERENCES: dict[str, tuple[Pairs, bool]] = {
    "1.4% and 0.03%, one row a game": (rare_pair, True),
    "30% and 31%, 1 to 22 rows": (close_pair, True),
    "points, rare large ones": (points_pair, False),
}


def pool_of_rounds() -> Pool:
    """Values of 1 to 22 rounds, those of a game alike in part."""
    source = np.random.default_rng(4)
    table = np.round(source.normal(size=(20_000, 22)) + source.normal(size=(20_000, 1)), 3)
    table[np.arange(22) >= source.integers(1, 23, (20_000, 1))] = np.nan
    return Pool(table)


POOLS: dict[str, Callable[[], Pool]] = {
    "one row a game": lambda: Pool(np.random.default_rng(5).normal(size=(20_000, 1))),
    "4 rows, all alike": lambda: Pool(np.repeat(np.random.default_rng(6).normal(size=(20_000, 1)), 4, axis=1)),
    "1 to 22 rows": pool_of_rounds,
}


# The games themselves


def by_game(game: str, games: int, rounds: int | None = None) -> np.ndarray:
    """Records of games, experts at every seat."""
    options = {} if rounds is None else {"rounds": rounds}
    return Table(scenario(game, "expert", seed=97, **options)).play(0, games)


def real(rows: np.ndarray, value: np.ndarray, given: np.ndarray | None = None) -> Population:
    """The population of a question: a value a round, or a value a seat of a round (more columns)."""
    chosen = np.ones(len(rows), bool) if given is None else given
    game = np.unique(rows["game"], return_inverse=True)[1][chosen]
    found = value[chosen].astype(np.float64).reshape(len(game), -1)
    return Population.of(np.bincount(game) * found.shape[1], np.bincount(game, found.sum(axis=1)))


def name_is(rows: np.ndarray, game: str, column: str, name: str) -> np.ndarray:
    """Whether a named column has this name."""
    return np.asarray(rows[column] == Game(game).columns.COLUMNS[column].words.index(name))


def real_populations() -> tuple[dict[str, Population], dict[str, Population]]:
    """Proportions and means of all four games."""
    redten, redox, three = by_game("redten", 60_000), by_game("redox", 40_000), by_game("redox", 20_000, 3)
    erbaiwu, dafuweng = by_game("erbaiwu", 20_000), by_game("dafuweng", 20_000)
    own = redten["points"][:, 0].astype(np.float64)
    settled = erbaiwu["settler"] >= 0
    shares = {
        "redox: slam": real(redox, redox["slam"]),
        "redox, three rounds: slam": real(three, three["slam"]),
        "redten: points > 0, per seat": real(redten, redten["points"][:, :4] > 0),
        "redten: solo won, given solo": real(
            redten, name_is(redten, "redten", "outcome", "solo_win"), redten["solo"] > 0
        ),
        "redten: two bombs dealt, per seat": real(redten, redten["dealt_bombs"][:, :4] >= 2),
        "dafuweng: team 0 won": real(dafuweng, name_is(dafuweng, "dafuweng", "outcome", "team0")),
        "erbaiwu: settled": real(erbaiwu, settled),
        "erbaiwu: settled early": real(erbaiwu, settled & (erbaiwu["orbit"] <= 3)),
        "erbaiwu: gouged, given settled": real(erbaiwu, erbaiwu["gouged"], settled),
        "erbaiwu: whole five": real(erbaiwu, erbaiwu["whole_five"]),
        "erbaiwu: bonus, per seat": real(erbaiwu, erbaiwu["bonus"][:, :4] > 0),
    }
    means = {
        "redox: points_0": real(redox, redox["points"][:, 0]),
        "redox, three rounds: points_0": real(three, three["points"][:, 0]),
        "redox, three rounds: recycles": real(three, three["recycles"]),
        "redten: points_0": real(redten, own),
        "redten: turns": real(redten, redten["turns"]),
        "redten: points_0, given solo": real(redten, own, redten["solo"] > 0),
        "redten: points_0 * points_0 * multiplier": real(redten, own**2 * redten["multiplier"]),
        "redten: joker_bombs * points_0^3": real(redten, redten["joker_bombs"] * own**3),
        "dafuweng: points_0": real(dafuweng, dafuweng["points"][:, 0]),
        "dafuweng: turns": real(dafuweng, dafuweng["turns"]),
        "erbaiwu: points_0": real(erbaiwu, erbaiwu["points"][:, 0]),
        "erbaiwu: turns": real(erbaiwu, erbaiwu["turns"]),
        "erbaiwu: outlaw_fines": real(erbaiwu, erbaiwu["outlaw_fines"]),
    }
    return shares, means
