"""Every column of every game's records is what an independent reading of the transcript says."""

from collections import defaultdict
from importlib import import_module

import pytest

from kernels.options import PLAIN_POLICIES
from kernels.registry import GAMES
from simcli.tables.expressions import Kind
from simcli.tables.frames import schema
from tests.games import from_values, records, scenario
from tests.transcripts import matches

CASES = {
    "redox": [
        ({}, 6),
        ({"rounds": 3, "players": 2, "decks": 1, "hand_size": 7, "jokers_per_deck": 4}, 20),
        ({"rounds": 2, "players": 3, "decks": 1, "stock_exhausted": "void", "min_naturals": 2}, 8),
        ({"target": 120, "players": 2, "decks": 1, "hand_size": 7, "max_rounds": 4, "scoring__slam_factor": 3}, 10),
        ({"target": 90, "rounds": 3, "players": 2, "decks": 1, "hand_size": 8, "max_turns": 90}, 10),
        ({"scoring__joker": 33, "scoring__ace": 11, "scoring__face": 7, "scoring__winner": 5}, 4),
    ],
    "dafuweng": [
        ({"rounds": 3}, 40),
        ({"players": 2, "decks": 2, "max_turns": 30}, 40),
        ({"players": 6, "death": "cannot_play", "rounds": 2}, 30),
        ({"players": 8, "decks": 1, "revive_gain": "play"}, 30),
        ({"players": 10, "suicide": "last_joker", "queen_low": 80}, 20),
        ({"death": "cannot_play", "revive_gain": "play", "suicide": "last_joker"}, 30),
    ],
    "erbaiwu": [
        ({}, 8),
        ({"players": 2, "match__rounds": 6, "whole_five_before_gouge": False}, 10),
        ({"players": 3, "held_sevens": False, "scoring__bonus": 25, "max_rounds": 4}, 10),
        ({"players": 6, "match__until": 40, "scoring__bonus_at": 30, "scoring__outlaw": 3}, 40),
        ({"scoring__settle_max": 9, "scoring__held_seven": -40, "scoring__fine_outlaw": 7, "match__until": 60}, 20),
    ],
    "redten": [
        ({"rounds": 2}, 30),
        ({"pass_is_final": True, "early_stop": False}, 20),
        ({"lead_after_out": "partner", "scoring__first_fourth": 3, "scoring__shown_won": 3}, 20),
        ({"scoring__lone_first": (7, -2), "scoring__lone_middle": (3, -1), "scoring__lone_last": (-8, 5)}, 30),
    ],
}  # fmt: skip
"""Rules, and how many games of each table of players."""

TABLES = [*((policy,) for policy in PLAIN_POLICIES), PLAIN_POLICIES]
"""All seats by one player, or by each in turn."""

CONSTANT = {"dafuweng": {"winner"}}
"""Columns that have one value only: no seat wins where teams do."""

SLOW = {"redox": {f"dealt_distance_{seat}" for seat in range(8)}}
"""Columns that have a test of their own."""


def readings(name, chosen, games, read="rounds"):
    """Pairs of a record and its reading."""
    rounds = getattr(import_module(f"tests.readings.{name}"), read)
    numbered = enumerate(matches(chosen, range(games)))
    read_off = [{"game": game} | row for game, lines in numbered for row in rounds(lines, chosen.rules)]
    return zip(records(chosen, games), read_off, strict=True)


def beyond(known, record):
    """Numbers outside the bounds that a column is said to have."""
    for column, about in known.items():
        if about.kind is Kind.INTEGER and not about.low <= record[column] <= about.high:
            yield column, record[column]


def check(name, scale=1):
    """Compare whole rows; returns the values that each column took."""
    assert name in CASES, f"add to CASES the rules of {name} that are to be read, and how many games of each"
    seen = defaultdict(set)
    for rules, games in CASES[name]:
        values = scenario(name, **rules).rules
        for seed, policies in enumerate(TABLES):
            chosen = from_values(name, values, policies, seed)
            known = schema(chosen, "rounds")
            for record, row in readings(name, chosen, scale * games):
                assert {column: record[column] for column in row} == row, (rules, policies)
                assert set(record) - set(row) <= SLOW.get(name, set())
                assert not list(beyond(known, record))
                for column, value in row.items():
                    seen[column].add(value)
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_every_column_says_what_the_transcript_says(name):
    seen = check(name)
    assert {column for column, values in seen.items() if len(values) < 2} == CONSTANT.get(name, set())


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_every_column_says_what_the_transcript_says_at_length(name):
    check(name, scale=25)


DISTANCES = [
    ({}, 1),
    ({"players": 3, "decks": 1, "hand_size": 8, "jokers_per_deck": 4, "rounds": 2}, 6),
    ({"players": 2, "hand_size": 9, "min_naturals": 3, "jokers_per_deck": 4, "max_turns": 20, "rounds": 2}, 4),
]


def check_distances(scale):
    seen = set()
    for rules, games in DISTANCES:
        chosen = scenario("redox", "expert", **rules)
        for record, row in readings("redox", chosen, scale * games, "distances"):
            assert {column: record[column] for column in row} == row
            seen |= set(row.values())
    return seen


def test_dealt_distances_are_those_of_the_dealt_hands():
    assert len(check_distances(1)) > 4


@pytest.mark.campaign
def test_dealt_distances_are_those_of_the_dealt_hands_at_length():
    assert 0 in check_distances(25)
