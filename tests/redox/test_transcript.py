"""Transcripts: written games replay clean, whatever is changed in them is noticed, and checking goes on."""

import copy
import random

import pytest

from kernels.redox.transcript.splitting import split
from simcli.config.scenario import Shuffle
from simcli.play.simulate import Table
from tests.games import scenario
from tests.naive import redox_slams
from tests.redox.walks import RULE_SETS, chosen
from tests.transcripts import described, findings, lines_of

SETTING = scenario("redox", seed=3, players=3, max_turns=150, rounds=2)


def tampered(source, events):
    """A copy with one thing changed that breaks the rules, and the number of the line."""
    changed = copy.deepcopy(events)
    number = source.randrange(1, len(events))
    event = changed[number]
    if event["e"] == "deal":
        event["hands"][0][0], event["leader"] = event["face"], 1 - event["leader"] % 2
    elif event["e"] == "recycle":
        event["stock"].pop()
    elif event["e"] == "last":
        event["n"] += 1
    elif event["e"] == "end":
        source.choice([event["points"], event["totals"]])[source.randrange(3)] += 1
    elif event["a"] == "discard":
        what = source.choice(["p", "got", "legal", "from"])
        _change_discard(source, event, what)
    elif event["a"] == "connect":
        event["now"].append(event["now"][0])
    elif event["a"] == "plot":
        event["cards"][0] = "Xb" if event["cards"][0] == "Xs" else "Xs"
    return changed, number


def _change_discard(source, event, what):
    if what == "p":
        event["p"] = (event["p"] + 1) % 3
    elif what == "got":
        event["got"] = "Qh" if event["got"] != "Qh" else "2c"
    elif what == "legal":
        event["legal"] += 1
    else:
        event["from"] = "the pile"


def test_whatever_is_changed_is_noticed_where_it_stands():
    events = lines_of(SETTING, [0])
    source = random.Random(1)
    for _ in range(40):
        changed, number = tampered(source, events)
        found = findings(SETTING, changed)
        assert found
        assert number in [line for line, _ in found] or number + 1 in [line for line, _ in found]


def wrong_seats(seat_of):
    """The findings for each of some turns of a game, given the wrong seat, and the turn's line."""
    events = lines_of(SETTING, [0])
    turns = [number for number, event in enumerate(events) if event["e"] == "turn"]
    for number in random.Random(5).sample(turns, 15):
        turn = {**events[number], "p": seat_of(events[number]["p"])}
        yield number, findings(SETTING, [*events[:number], turn, *events[number + 1 :]])


def test_a_seat_that_is_not_there_is_one_fault():
    for line, found in wrong_seats(lambda _: 9):
        assert [where for where, _ in found] == [line]


def test_a_wrong_seat_is_named_at_its_line_and_mostly_alone():
    found = [(line, found) for line, found in wrong_seats(lambda seat: (seat + 1) % 3)]
    assert all(first[0][0] == line for line, first in found)
    assert sum(len(faults) == 1 for _, faults in found) >= 12


def test_a_line_left_out_is_noticed():
    events = lines_of(SETTING, [0])
    source = random.Random(2)
    for _ in range(20):
        number = source.randrange(len(events))
        found = findings(SETTING, events[:number] + events[number + 1 :])
        assert found
        assert found[0][0] <= number + 1


@pytest.mark.parametrize("name", ["default", "small hands"])
@pytest.mark.parametrize("policy", ["greedy", "expert"])
def test_games_of_players_replay_clean(name, policy):
    setting = chosen(name, policy)
    assert findings(setting, lines_of(setting, range(3))) == []


def test_partial_transcripts_replay_clean():
    events = lines_of(SETTING, [1])
    for event in events:
        if event["e"] in ("deal", "recycle"):
            del event["stock"]
    assert findings(SETTING, events, partial=True) == []


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_line_can_be_described(name):
    assert all(described(chosen(name), [1]))


@pytest.mark.parametrize("kind", ["riffle", "overhand"])
def test_poor_shuffles_are_the_same_lazily_and_settled(kind):
    setting = scenario("redox", "random", 9, Shuffle(kind, 2), players=2, decks=1, rounds=4, max_turns=150)
    table = Table(setting)
    rows = table.play(0, 3)
    table.work.state.eager = 1
    again = table.play(0, 3)
    assert rows["recycles"].max() > 0
    assert rows.tobytes() == again.tobytes()


def test_a_split_is_a_split():
    source = random.Random(4)
    for _ in range(60):
        hand = _slam(source)
        plots = split(hand, 1)
        assert plots is not None
        assert sorted(card for plot in plots for card in plot) == sorted(hand)
        assert all(redox_slams.legal_plot(plot, 1) for plot in plots)
        assert any(len(plot) >= 4 and redox_slams.is_run(plot) for plot in plots)


def _slam(source):
    """Fifteen cards that are a slam by the way they are made, up to four of them jokers."""
    hand = []
    for length in (4, 5, 3):
        suit, start = source.randrange(4), source.randrange(15 - length)
        hand += [suit * 13 + (start + place) % 13 for place in range(length)]
    rank = source.randrange(13)
    hand += [source.randrange(4) * 13 + rank for _ in range(3)]
    for place in source.sample(range(15), source.randrange(5)):
        hand[place] = 53
    return hand
