"""Transcripts replay clean, and whatever is changed in one is found where it stands."""

import copy
import random

import pytest

from kernels.erbaiwu import transcript
from kernels.options import PLAIN_POLICIES
from simcli.config.scenario import Shuffle
from tests.games import from_values, random_rules, scenario
from tests.transcripts import described, findings, lines_of


@pytest.mark.parametrize("players", range(2, 7))
def test_transcripts_replay_clean(players):
    for policy in PLAIN_POLICIES:
        chosen = scenario("erbaiwu", policy, players=players, seed=players)
        assert findings(chosen, lines_of(chosen, range(2))) == []


def test_transcripts_replay_clean_under_random_rules():
    for number, values in enumerate(random_rules("erbaiwu", 12, seed=21)):
        chosen = from_values("erbaiwu", values, PLAIN_POLICIES, seed=number)
        assert findings(chosen, lines_of(chosen, range(2))) == []


@pytest.mark.parametrize("kind", ["riffle", "overhand"])
def test_transcripts_replay_clean_after_a_physical_shuffle(kind):
    chosen = scenario("erbaiwu", shuffle=Shuffle(kind, 2))
    assert findings(chosen, lines_of(chosen, range(3))) == []


def test_a_transcript_without_counts_or_stock_replays_clean():
    chosen = scenario("erbaiwu", seed=2)
    lines = [{name: value for name, value in line.items() if name != "legal"} for line in lines_of(chosen, range(2))]
    assert findings(chosen, lines) == []
    written = [line for line in lines if not transcript.is_silent(line)]
    assert len(written) < len(lines)
    assert findings(chosen, written) == []
    for line in lines:
        if line["e"] == "deal":
            line["stock"] = []
    assert findings(chosen, lines, partial=True) == []
    assert findings(chosen, lines) != []


DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"] + ["Xb", "Xs"]


def short(seed, games=(0,)):
    """A scenario of matches of two rounds, and some of its games as lines."""
    chosen = scenario("erbaiwu", seed=seed, match__rounds=2)
    return chosen, lines_of(chosen, games)


def tampered(line, source):
    """The line with one value changed."""
    changed = copy.deepcopy(line)
    name = source.choice([name for name in line if name not in ("e", "game")])
    value = changed[name]
    if isinstance(value, int):
        changed[name] = value + 1
    elif isinstance(value, str):
        changed[name] = source.choice([card for card in DECK if card != value])
    elif value and isinstance(value[0], list):
        hand = source.choice(value)
        hand[:] = hand[1:] if hand else ["As"]
    elif name == "bonus250" or name == "losers":
        changed[name] = [*value, 1 if 1 not in value else 2]
    elif not value:
        changed[name] = ["gouge"]
    elif isinstance(value[0], int):
        value[0] += 1
    else:
        value[0] = source.choice([card for card in DECK if card not in value])
    return changed


MAY_BE_LEGAL = ("discard", "show7", "outlaw", "layoff", "lift", "lock", "string", "pong")
"""A change of such a line may be found later only, because the player could have done that, too."""


def test_a_changed_value_is_found_at_its_line():
    chosen, lines = short(5)
    source = random.Random(1)
    checked = 0
    for number, line in enumerate(lines):
        if number % 2:
            continue
        changed = tampered(line, source)
        found = findings(chosen, [*lines[:number], changed, *lines[number + 1 :]])
        if line["e"] in MAY_BE_LEGAL:
            assert found
            assert found[0][0] >= number
        else:
            checked += 1
            assert found[0][0] == number, (line, changed, found[:2])
    assert checked > 20


def test_a_wrong_count_is_the_only_fault():
    chosen, lines = short(6)
    for number, line in enumerate(lines):
        if "legal" in line and number % 3 == 0:
            changed = line | {"legal": line["legal"] + 1}
            (fault,) = findings(chosen, [*lines[:number], changed, *lines[number + 1 :]])
            assert fault[0] == number


def test_a_line_by_the_wrong_seat_is_the_only_fault():
    chosen, lines = short(7)
    for number, line in enumerate(lines):
        if "p" in line and number % 2 == 0:
            changed = line | {"p": (line["p"] + 1) % 4}
            faults = findings(chosen, [*lines[:number], changed, *lines[number + 1 :]])
            assert [fault[0] for fault in faults] == [number], (line, faults)


def test_a_missing_draw_fine_or_pass_is_named_once():
    chosen, lines = short(8)
    kinds = set()
    for number, line in enumerate(lines):
        if line["e"] in ("draw", "fine", "nopong"):
            kinds.add(line["e"])
            faults = findings(chosen, lines[:number] + lines[number + 1 :])
            assert [fault[0] for fault in faults] == [number], (line, faults)
    assert kinds == {"draw", "fine", "nopong"}


def test_a_round_by_other_rules_is_judged_in_time():
    chosen, lines = short(5)
    changed = [line | {"legal": line["legal"] + 1} if "legal" in line else line for line in lines]
    assert len(findings(chosen, changed)) >= sum("legal" in line for line in lines) * 0.9


def test_a_broken_round_does_not_spoil_the_next_match():
    chosen = scenario("erbaiwu", seed=9)
    first, second = lines_of(chosen, [0]), lines_of(chosen, [1])
    faults = findings(chosen, first[:20] + first[30:] + second)
    assert faults
    assert max(number for number, _ in faults) < len(first)


def test_rounds_and_dealers_must_follow():
    chosen, lines = short(10)
    deals = [number for number, line in enumerate(lines) if line["e"] == "deal"]
    for number in deals:
        later = lines[number] | {"round": lines[number]["round"] + 1}
        assert number in [fault[0] for fault in findings(chosen, [*lines[:number], later, *lines[number + 1 :]])]
    assert findings(chosen, lines[deals[1] :])[0][0] == 0
    assert findings(chosen, lines[:-1])


def test_nonsense_is_refused_in_words():
    chosen, lines = short(11)
    nonsense = [
        {"e": "layoff", "p": 0, "card": "Zz", "as": "8h"},
        {"e": "string", "p": 0, "cards": ["As"], "as": ["As", "Ah"]},
        {"e": "string", "p": 0, "cards": ["As", "Ah", "Kd"], "as": ["As", "Ah", "Kd"]},
        {"e": "lock", "p": 0, "end": "9h", "cards": ["8s", "8d"], "as": ["8s", "8d"]},
        {"e": "lift", "p": 0, "card": "Xb", "as": "Xs"},
        {"e": "layoff", "p": 0, "card": "8s", "as": "9s"},
        {"e": "pong", "p": 0, "cards": ["As", "As"], "of": "Ah"},
        {"e": "pong", "p": 9, "cards": [], "of": "Ah"},
        {"e": "discard", "p": -1, "card": ""},
        {"e": "what"},
        [],
    ]
    for line in nonsense:
        found = findings(chosen, [lines[0], line, *lines[1:]])
        assert [number for number, _ in found] == [1], (line, found)


def test_the_table_is_drawn_for_people():
    chosen = scenario("erbaiwu", seed=1)
    text = "\n".join(described(chosen, range(6)))
    for mark in ("locks", "groups: [", "outlaws: ", "JOKER(", "lifts with", "pongs", "settles", " |", "The match ends"):
        assert mark in text
