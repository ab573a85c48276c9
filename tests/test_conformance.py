"""What every game must keep, judged by one test for all of them."""

import copy
import os
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from kernels import engine, rng
from kernels.options import PLAIN_POLICIES
from kernels.registry import GAMES, Game
from simcli.config.scenario import Shuffle
from simcli.play.simulate import Table
from tests.games import from_values, random_rules, scenario
from tests.walk import Walk, restore

ROOT = Path(__file__).parent.parent

games = pytest.mark.parametrize("name", GAMES)


@games
def test_cards_are_conserved_and_choices_legal(name):
    for number, values in enumerate(random_rules(name, 6, seed=1)):
        walk = Walk(from_values(name, values, PLAIN_POLICIES, seed=number))
        for _ in walk.rounds():
            pack = walk.count_cards()
            for seat in walk.decisions():
                legal = walk.actions()
                assert len(legal) == len(set(legal)) >= 1
                action = walk.choice(walk.work.policy[seat], seat)
                assert action in legal
                walk.step(engine.APPLY, action)
                assert walk.count_cards() == pack
            assert sum(pack) > 0


@games
@pytest.mark.parametrize("policy", ["greedy", "expert"])
def test_hidden_cards_never_change_a_choice(name, policy):
    code = PLAIN_POLICIES.index(policy)
    changed = 0
    for game in range(4):
        walk = Walk(scenario(name, policy, seed=game), game)
        for _ in walk.rounds(most=1):
            for number, seat in enumerate(walk.decisions()):
                action = walk.choice(code, seat)
                legal = walk.actions()
                if number % 3 == 0:
                    kept = copy.deepcopy(walk.state)
                    walk.redeal(seat)
                    changed += walk.state.tobytes() != kept.tobytes()
                    streams = copy.deepcopy(walk.work.streams)
                    assert walk.choice(code, seat) == action
                    assert walk.actions() == legal
                    restore(walk.work.streams, streams)
                    restore(walk.state, kept)
                walk.step(engine.APPLY, action)
    assert changed > 5


@games
def test_any_split_gives_the_same_bytes(name):
    for number, values in enumerate(random_rules(name, 3, seed=2)):
        chosen = from_values(name, values, PLAIN_POLICIES, seed=number)
        whole = Table(chosen).play(0, 60).tobytes()
        table = Table(chosen)
        parts = {first: table.play(first, count) for first, count in ((41, 19), (0, 1), (11, 30), (1, 10))}
        assert b"".join(parts[first].tobytes() for first in sorted(parts)) == whole


@games
def test_lazy_and_settled_shuffles_give_the_same_games(name):
    for number, values in enumerate(random_rules(name, 3, seed=3)):
        chosen = from_values(name, values, PLAIN_POLICIES, seed=number)
        _compare_lazy_and_settled(chosen)


@games
@pytest.mark.parametrize("shuffle", [Shuffle("riffle", 3), Shuffle("overhand", 5)], ids=lambda shuffle: shuffle.kind)
def test_the_same_where_a_round_begins_with_the_pack_of_the_last_one(name, shuffle):
    keys = [option.key for option in Game(name).options.OPTIONS]
    rules = {"rounds": 3} if "rounds" in keys else {}
    for policy in PLAIN_POLICIES:
        _compare_lazy_and_settled(scenario(name, policy, seed=7, shuffle=shuffle, **rules))


def _compare_lazy_and_settled(chosen):
    lazy, eager = Table(chosen), Table(chosen)
    eager.work.state.eager = 1
    assert lazy.play(0, 100).tobytes() == eager.play(0, 100).tobytes()


@games
def test_a_trace_tells_the_game_that_was_played(name):
    chosen = scenario(name, "expert", seed=5)
    table = Table(chosen)
    rows = table.play(17, 1)
    states, moves = table.trace(17)
    assert (moves.action == engine.SCORED).sum() == len(rows) == (moves.action == engine.DEALT).sum()
    assert set(np.unique(moves.legal[moves.action >= 0]) >= 1) == {True}
    walk = Walk(chosen, 17)
    at = 0
    for _ in walk.rounds(most=200):
        assert moves[at].action == engine.DEALT
        assert states[at].tobytes() == walk.state.tobytes()
        at += 1
        for seat in walk.decisions():
            assert moves[at].seat == seat
            walk.step(engine.APPLY, int(moves[at].action))
            assert states[at].tobytes() == walk.state.tobytes()
            at += 1
        assert moves[at].action == engine.SCORED
        at += 1
    assert at == len(moves)


@games
def test_another_policy_gets_the_same_deal(name):
    one, other = Table(scenario(name, "random", seed=9)), Table(scenario(name, "expert", seed=9))
    for game in range(10):
        assert one.trace(game)[0][0].tobytes() == other.trace(game)[0][0].tobytes()


@games
def test_records_are_as_their_columns_say(name):
    columns = Game(name).columns
    assert list(columns.COLUMNS)[:8] == ["game", "round", "outcome", "winner", "leader", "turns", "orbit", "points"]
    assert columns.COLUMNS["match_outcome"].words[0] == ""
    assert set(columns.UNFINISHED) <= set(columns.COLUMNS["outcome"].words)
    assert not columns.SIDES or columns.COLUMNS[columns.SIDES].seats
    for number, values in enumerate(random_rules(name, 4, seed=4)):
        chosen = from_values(name, values, PLAIN_POLICIES, seed=number)
        rows = Table(chosen).play(0, 200)
        assert rows.dtype.names == tuple(columns.COLUMNS)
        for field, column in columns.COLUMNS.items():
            check_range(column, rows[field], chosen.players)
        check_rounds(rows, Game(name).options.most_rounds(values))


def check_range(column, numbers, players):
    assert column.meaning.endswith(".")
    if column.seats:
        assert (numbers[:, players:] == 0).all()
        numbers = numbers[:, :players]
    low, high = column.low, players - 1 if column.kind == "seat" else column.high
    if column.absent and column.kind == "number":
        low = min(0, low)
    assert low is None or numbers.min() >= low
    assert high is None or numbers.max() <= high


def check_rounds(rows, most):
    assert rows["game"].tolist() == sorted(rows["game"].tolist())
    assert set(rows["game"].tolist()) == set(range(200))
    assert (rows["orbit"] <= rows["turns"]).all()
    starts = np.flatnonzero(rows["round"] == 1)
    assert len(starts) == 200
    assert (np.diff(rows["round"])[np.diff(rows["game"]) == 0] == 1).all()
    assert rows["round"].max() <= most
    last = np.diff(rows["game"], append=-1) != 0
    assert ((rows["match_outcome"] != 0) == last).all()


_CHECKSUM = """
import zlib
from simcli.play.simulate import Table
from tests.games import from_values, random_rules
from kernels.options import PLAIN_POLICIES
for number, values in enumerate(random_rules({name!r}, 2, seed=6)):
    chosen = from_values({name!r}, values, PLAIN_POLICIES, seed=number)
    print(zlib.crc32(Table(chosen).play(0, 4).tobytes()))
"""


@games
def test_plain_python_plays_the_same_games(name):
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", _CHECKSUM.format(name=name)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    compiled = [
        zlib.crc32(Table(from_values(name, values, PLAIN_POLICIES, seed=number)).play(0, 4).tobytes())
        for number, values in enumerate(random_rules(name, 2, seed=6))
    ]
    assert [int(line) for line in plain.stdout.split()] == compiled


def test_streams_have_a_seat_for_every_player():
    for name in GAMES:
        for values in random_rules(name, 20, seed=8):
            assert 1 <= Game(name).options.players(values) <= rng.MAX_SEATS
