"""The kernels against the slow twin: every decision of whole games, and how often things happen."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from kernels.dafuweng import transcript
from kernels.dafuweng.transcript.describe import WHY_TEXT
from simcli.play.simulate import Table
from tests.games import from_values, random_rules, scenario
from tests.naive import dafuweng as naive
from tests.readings import deals
from tests.transcripts import matches

VARIANTS = [
    {},
    {"players": 2},
    {"players": 2, "decks": 2},
    {"players": 6, "death": "cannot_play"},
    {"players": 8, "decks": 1, "revive_gain": "play"},
    {"players": 10, "suicide": "last_joker"},
    {"queen_low": 80, "decks": 2},
    {"death": "cannot_play", "revive_gain": "play", "suicide": "last_joker"},
    {"players": 2, "death": "cannot_play", "revive_gain": "play"},
    {"max_turns": 20, "revive_gain": "play"},
]


def recorded_chance(lines):
    """Functions that shuffle and pick as the lines record."""
    piles = iter([line["pile"] for line in lines if line["e"] == "remake"])
    taken = iter([line["took"] for line in lines if line.get("took")])

    def shuffle(cards):
        pile = next(piles)
        assert sorted(pile) == sorted(cards)
        return list(pile)

    def pick(cards):
        card = next(taken)
        assert card in cards
        return card

    return shuffle, pick


def choice_of(line):
    if line["e"] == "die":
        return "decline"
    cards = [line["card"]] if line["e"] == "flip" else sorted(line["cards"])
    return tuple(cards), line["sign"], line["target"]


def without_legal(line):
    if "cards" in line:
        line = {**line, "cards": sorted(line["cards"])}
    return {name: value for name, value in line.items() if name != "legal"}


def check(values, lines):
    """Play the lines of a round on the twin: same legal counts, same consequences."""
    deal = lines[0]
    twin = naive.Game(values, deal["first"], deal["hands"], deal["pile"], *recorded_chance(lines))
    for line in lines[1:]:
        declines = line["e"] == "die" and line["why"] == "suicide"
        if "legal" in line or declines:
            choices = twin.choices()
            assert len(choices) == len(set(choices)) == line.get("legal", len(choices))
            assert choice_of(line) in choices
            twin.act(choice_of(line))
    assert [without_legal(line) for line in twin.lines] == [without_legal(line) for line in lines[1:]]
    return Counter(line["why"] for line in lines if line["e"] == "die") + Counter(line["e"] for line in lines)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_every_decision_is_that_of_the_twin(rules):
    chosen = scenario("dafuweng", "random", seed=11, **rules)
    for match in matches(chosen, range(25)):
        for lines in deals(match):
            check(chosen.rules, lines)


def test_every_kind_of_event_is_compared():
    seen = Counter()
    for players in (2, 6, 10):
        for suicide in ("forbidden", "last_joker"):
            chosen = scenario("dafuweng", "random", seed=12, players=players, decks=1, suicide=suicide)
            for match in matches(chosen, range(70)):
                for lines in deals(match):
                    seen += check(chosen.rules, lines)
    assert set(seen) >= {*transcript.KINDS, *WHY_TEXT}


@pytest.mark.campaign
def test_random_rules_at_length():
    for number, values in enumerate(random_rules("dafuweng", 60, seed=13)):
        chosen = from_values("dafuweng", values | {"rounds": 1}, ("random", "greedy", "expert"), seed=number)
        for match in matches(chosen, range(200)):
            for lines in deals(match):
                check(values, lines)


Z = 4.5
"""Each comparison fails by chance with probability below 1e-5; there are some 40."""


def same_mean(one, other):
    spread = math.sqrt(np.var(one) / len(one) + np.var(other) / len(other))
    return abs(np.mean(one) - np.mean(other)) <= Z * spread + 1e-12


def first_dead_turn(lines):
    turns = 0
    for line in lines:
        if line["e"] == "die":
            return turns
        turns += line["e"] in ("play", "flip")
    return 0


def after_king(lines):
    last = {"p": None}
    for line in lines:
        if line["e"] == "die":
            return last["p"] != line["p"] and (last.get("card") or last["cards"][0])[0] == "K"
        if line["e"] in ("play", "flip"):
            last = line
    return False


def same_shares(rules, games, seed):
    """Random play, kernels against twin: outcomes, lengths, deaths, revivals, first deaths, N at 99, orbit."""
    chosen = scenario("dafuweng", "random", seed=seed, **rules)
    rows = Table(chosen).play(0, 20 * games)
    source = random.Random(seed)
    told = []
    for _ in range(games):
        game = naive.random_game(chosen.rules, chosen.players, source)
        turns = [line for line in game.lines if line["e"] in ("play", "flip")]
        last = turns[-1]["p"]
        told.append(
            {
                **{f"outcome {name}": game.outcome == name for name in ("team0", "team1", "draw", "limit")},
                "turns": game.turns,
                "deaths": sum(line["e"] == "die" for line in game.lines),
                "kills": sum(line.get("why") == "killed" for line in game.lines),
                "revivals": sum(line.get("alive", False) for line in turns),
                "failed_revivals": sum(not line.get("alive", True) for line in turns),
                "n_99": any(line["n"] == 99 for line in turns),
                "first_dead_turn": first_dead_turn(game.lines),
                "after_king": after_king(game.lines),
                "first_dead": game.first_dead if game.first_dead is not None else -1,
                "orbit": 0 if game.outcome == "limit" else game.turns_of[last],
            }
        )
    for name in told[0]:
        twin = np.array([float(one[name]) for one in told])
        if name.startswith("outcome"):
            ours = rows["outcome"] == ("team0", "team1", "draw", "limit").index(name.split()[1])
        else:
            ours = rows[name]
        assert same_mean(ours.astype(float), twin), name


@pytest.mark.parametrize("rules", [{}, {"players": 6, "death": "cannot_play", "revive_gain": "play"}], ids=str)
def test_random_play_has_the_twins_statistics(rules):
    same_shares(rules, 1200, seed=14)


@pytest.mark.campaign
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_random_play_has_the_twins_statistics_at_length(rules):
    same_shares(rules, 20_000, seed=15)
