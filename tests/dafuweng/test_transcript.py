"""Transcripts of Da Fu Weng: games replay clean, and what is changed in them is named where it stands."""

import random

import pytest

from kernels.dafuweng.hand import hand
from tests.dafuweng.test_naive import VARIANTS
from tests.games import from_values, random_rules, scenario
from tests.transcripts import described, findings, lines_of, matches


@pytest.mark.parametrize("rules", [*VARIANTS, {"rounds": 3}], ids=str)
def test_games_replay_clean(rules):
    chosen = scenario("dafuweng", "random", seed=31, **rules)
    assert findings(chosen, lines_of(chosen, range(10))) == []


def test_games_of_all_players_under_random_rules_replay_clean():
    for number, values in enumerate(random_rules("dafuweng", 8, seed=32)):
        chosen = from_values("dafuweng", values, ("random", "greedy", "expert"), seed=number)
        assert findings(chosen, lines_of(chosen, range(4))) == []


def test_games_replay_with_an_unknown_pile():
    for rules in ({}, {"revive_gain": "play"}, {"players": 2, "death": "cannot_play"}):
        chosen = scenario("dafuweng", "random", seed=33, **rules)
        lines = [line | {"pile": []} if line["e"] == "deal" else line for line in lines_of(chosen, range(15))]
        assert not any(line["e"] == "remake" for line in lines)
        assert findings(chosen, lines, partial=True) == []


def _other(name, value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 1 if name in ("sign", "target", "first_dead") else "5h"
    if isinstance(value, list):
        return ["6h" if value[0] != "6h" else "7h"]
    usual = {"why": ("brute", "stuck"), "outcome": ("draw", "limit")}.get(name, ("5h", "6h"))
    return usual[value == usual[0]]


def test_a_changed_field_is_named_at_its_line():
    chosen = scenario("dafuweng", "random", seed=34, players=6, decks=1)
    games = list(matches(chosen, range(20)))
    source = random.Random(34)
    fields = {"play": 0, "flip": 0, "die": 0, "end": 0, "remake": 0}
    for _ in range(250):
        lines = source.choice(games)
        number = source.randrange(len(lines))
        line = lines[number]
        if line["e"] == "deal":
            continue
        name = source.choice([name for name in line if name != "e"])
        if name == "target" and line["target"] is not None:
            continue  # another target may be as legal
        changed = [*lines[:number], line | {name: _other(name, line[name])}, *lines[number + 1 :]]
        found = findings(chosen, changed)
        assert found, (line, name)
        assert found[0][0] == number, (line, name, found[0])
        fields[line["e"]] += 1
    assert fields["play"] > 50


@pytest.mark.parametrize(("kind", "most"), [("die", 2), ("play", 12)])
def test_a_line_left_out_is_missed_and_the_rest_is_followed(kind, most):
    chosen = scenario("dafuweng", "random", seed=35)
    lines = lines_of(chosen, range(12))
    numbers = [number for number, line in enumerate(lines) if line["e"] == kind]
    total = 0
    for number in numbers[::7]:
        found = findings(chosen, lines[:number] + lines[number + 1 :])
        assert found
        assert found[0][0] in (number, number + 1)
        total += len(found)
    assert total <= most * len(numbers[::7])


def test_a_wrong_pile_and_wrong_hands_are_named():
    chosen = scenario("dafuweng", "random", seed=36)
    deal, *rest = lines_of(chosen, range(1))
    twice = deal | {"pile": [deal["pile"][1], *deal["pile"][1:]]}
    assert any("more than the pack has" in text for _, text in findings(chosen, [twice, *rest]))
    short = deal | {"hands": [deal["hands"][0][:2], *deal["hands"][1:]]}
    assert findings(chosen, [short, *rest])[0][0] == 0
    assert "4 players" in findings(chosen, [deal | {"hands": deal["hands"][:2]}])[0][1]


def test_the_first_to_die_begins_the_next_game():
    chosen = scenario("dafuweng", "random", seed=37, rounds=3)
    lines = lines_of(chosen, range(2))
    deals = [number for number, line in enumerate(lines) if line["e"] == "deal"]
    ends = [line for line in lines if line["e"] == "end"]
    assert lines[deals[1]]["first"] == ends[0]["first_dead"]
    wrong = [dict(line) for line in lines]
    wrong[deals[1]]["first"] = (wrong[deals[1]]["first"] + 1) % 4
    assert any(number == deals[1] and "first to die" in text for number, text in findings(chosen, wrong))


def test_lines_for_people_say_what_happens():
    chosen = scenario("dafuweng", "random", seed=38, players=6)
    texts = described(chosen, range(40))
    for word in ("points at", "takes from", "exchanges", "revives", "N 99", "draws", "wins", "turns up", "dies"):
        assert any(word in text for text in texts), word


def test_what_a_hand_can_do():
    values = scenario("dafuweng").rules
    worth = hand(values, [52, 53, 1])
    assert worth["kill"]
    assert worth["revives"]
    assert worth["playable_up_to"] == 99
    assert hand(values, [8])["playable_up_to"] == 90
    assert hand(values, [53])["playable_up_to"] is None
    for cards in ([], [1, 2, 3, 4], [5, 5]):
        with pytest.raises(ValueError, match=r"cards are no hand|times"):
            hand(values, cards)
