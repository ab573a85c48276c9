"""The kernels against the slow twin: the same decisions give the same games."""

import random

import numpy as np
import pytest

from kernels import engine
from kernels.notation import card_text
from kernels.redten import columns, plays, splits
from kernels.redten.packed import pack
from simcli.play.simulate import Table
from tests.games import from_values, random_rules, scenario
from tests.naive import redten as naive
from tests.redten.positions import key_of
from tests.walk import Walk

OPTIONS = {"pass_is_final": (False, True), "lead_after_out": ("next", "partner"), "early_stop": (False, True)}


def twin_of(state, options):
    hands = [[card_text(card) for card in range(54) if int(state.held[seat]) >> card & 1] for seat in range(4)]
    return naive.Game(hands, int(state.first_drawer), options)


def play_side_by_side(values, seed, source):
    walk = Walk(from_values("redten", values, ("random",), seed=seed), seed)
    walk.deal()
    twin = twin_of(walk.state, values)
    for seat in walk.decisions():
        assert not twin.over
        actions = walk.actions()
        theirs = {action[:2] if len(action) == 3 else action: action for action in twin.actions()}
        keys = [key_of(action) for action in actions]
        assert len(set(keys)) == len(keys) == len(theirs)
        assert set(keys) == set(theirs)
        assert seat == twin.turn
        number = source.randrange(len(actions))
        if keys[0] == naive.PASS and len(actions) > 1 and source.random() < 0.5:
            number = 0
        walk.step(engine.APPLY, actions[number])
        twin.act(theirs[keys[number]])
    assert twin.over
    row = walk.row()
    outcome, multiplier, points = twin.result()
    assert columns.OUTCOMES[row.outcome] == outcome
    assert (row.multiplier, row.points.tolist()) == (multiplier, points)
    assert walk.state.places.tolist() == twin.places
    assert bool(row.shown) == twin.shown
    assert row.side.tolist() == twin.sides
    return outcome


def test_the_same_decisions_give_the_same_games():
    source = random.Random(1)
    outcomes = set()
    for number, values in enumerate(random_rules("redten", 40, seed=11)):
        values = values | {key: source.choice(choices) for key, choices in OPTIONS.items()}
        for seed in range(3):
            outcomes.add(play_side_by_side(values, 10 * number + seed, source))
    assert outcomes == set(columns.OUTCOMES)


@pytest.mark.campaign
def test_the_same_decisions_give_the_same_games_long():
    source = random.Random(2)
    for number, values in enumerate(random_rules("redten", 2000, seed=12)):
        values = values | {key: source.choice(choices) for key, choices in OPTIONS.items()}
        play_side_by_side(values, 1_000_000 + number, source)


def random_hand(source, size, faces=range(54)):
    return source.sample(list(faces), size)


def crowded_faces(source):
    """Few ranks, so that straights overlap and bombs are frequent."""
    ranks = source.sample(range(13), source.randint(4, 8))
    return [suit * 13 + rank for suit in range(4) for rank in ranks] + [52, 53]


def legal_counts(hand, table):
    actions = np.zeros(engine.ACTIONS, np.int64)
    alike = plays.alike_leads(hand) if table == plays.NOTHING else plays.alike_answers(hand, table)
    count = plays.write_alike(alike, actions, 0)
    if plays.kind_of(table) in (plays.PASS, plays.STRAIGHT):
        count = plays.write_straights(hand, table, actions, count)
    return plays.write_top_bombs(hand, plays.kind_of(table), actions, count), actions


def test_leads_and_answers_are_those_of_the_twin():
    source = random.Random(3)
    for number in range(200):
        faces = crowded_faces(source) if number % 2 else range(54)
        cards = random_hand(source, min(source.randint(1, 14), len(faces)), faces)
        hand, texts = int(pack(sum(1 << card for card in cards))), [card_text(card) for card in cards]
        count, actions = legal_counts(hand, plays.NOTHING)
        leads = {play[:2] for play in naive.plays(texts)}
        assert len(leads) == count
        assert {key_of(int(action)) for action in actions[:count]} == leads
        other = random_hand(source, min(14, len(faces)), faces)
        other_hand = int(pack(sum(1 << card for card in other)))
        other_texts = {play[:2]: play for play in naive.plays([card_text(card) for card in other])}
        for table in legal_counts(other_hand, plays.NOTHING)[1][: len(other_texts)]:
            count, actions = legal_counts(hand, int(table))
            answers = [play for play in naive.plays(texts) if naive.beats(play, other_texts[key_of(int(table))])]
            assert {key_of(int(action)) for action in actions[:count]} == {play[:2] for play in answers}
            assert count == len(answers)


def check_splits(source, hands):
    for number in range(hands):
        faces = crowded_faces(source) if number % 2 else range(54)
        cards = random_hand(source, min(source.randint(1, 18), len(faces)), faces)
        hand = int(pack(sum(1 << card for card in cards)))
        assert splits.fewest(hand) == naive.fewest([card_text(card) for card in cards])


def test_fewest_plays_are_those_of_the_twin():
    check_splits(random.Random(4), 400)


@pytest.mark.campaign
def test_fewest_plays_are_those_of_the_twin_long():
    check_splits(random.Random(5), 30_000)


def test_outcomes_are_as_frequent_as_in_the_twin():
    """Random players, 20 000 hands against 150 of the twin: every share within 4.5 standard errors, so that the
    test would fail by chance about once in 15 000 changes of the seed."""
    compare_outcomes(150)


@pytest.mark.campaign
def test_outcomes_are_as_frequent_as_in_the_twin_long():
    """The same with 20 000 hands of the twin."""
    compare_outcomes(20_000)


def compare_outcomes(hands):
    rows = Table(scenario("redten", "random", seed=77)).play(0, 20_000)
    shares = np.bincount(rows["outcome"], minlength=len(columns.OUTCOMES)) / len(rows)
    source = random.Random(6)
    options = dict(scenario("redten").rules)
    count = dict.fromkeys(columns.OUTCOMES, 0)
    for _ in range(hands):
        pack_of_cards = source.sample(naive.PACK, 54)
        first = source.randrange(4)
        twin = naive.Game([pack_of_cards[(seat - first) % 4 :: 4] for seat in range(4)], first, options)
        while not twin.over:
            twin.act(source.choice(twin.actions()))
        count[twin.result()[0]] += 1
    for outcome, share in zip(columns.OUTCOMES, shares, strict=True):
        error = (share * (1 - share) * (1 / hands + 1 / len(rows))) ** 0.5
        assert abs(count[outcome] / hands - share) < 4.5 * error
