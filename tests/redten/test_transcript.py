"""Transcripts: written, read back without a complaint, and changed lines found where they are."""

import copy
import random

import pytest

from kernels.redten import transcript
from kernels.redten.hand import hand
from tests.games import scenario
from tests.transcripts import described, findings, lines_of

VARIANTS = (
    {},
    {"pass_is_final": True, "lead_after_out": "partner", "early_stop": False, "rounds": 2},
    {"scoring__first_fourth": 1, "scoring__shown_lost": 7, "rounds": 3},
)


def match(number, legal=True, policy="random", **rules):
    """A scenario and the lines of one of its matches."""
    chosen = scenario("redten", policy, seed=3, **rules)
    return chosen, lines_of(chosen, [number], legal)


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("legal", [True, False])
def test_own_transcripts_are_clean(rules, legal):
    for game in range(4):
        for policy in ("random", "greedy", "expert"):
            chosen, lines = match(game, legal, policy, **rules)
            assert findings(chosen, lines) == []


@pytest.mark.parametrize("rules", VARIANTS)
def test_a_trick_is_won_by_the_last_play_of_it(rules):
    """With final passes a play may end its trick, when nobody is left who may answer."""
    at_once = 0
    for game in range(10):
        _, lines = match(game, **rules)
        played = None
        for number, line in enumerate(lines):
            if line["e"] == "play":
                played = line["p"]
            elif line["e"] == "trick":
                assert line["winner"] == played
                assert lines[number + 1]["p"] == line["leads"]
                at_once += lines[number - 1]["e"] == "play"
    assert bool(at_once) == bool(rules.get("pass_is_final"))


def changes(lines, every=1):
    """Transcripts with one line changed: (what was changed, line, the transcript); long games only every so often."""
    for number, line in enumerate(lines):
        for name, make in CHANGES.items():
            changed = make(copy.deepcopy(line))
            rare = line["e"] not in ("play", "pass") or (number + len(name)) % every == 0
            if changed is not None and changed != line and rare:
                yield name, number, [*lines[:number], changed, *lines[number + 1 :]]


def change(kind, field, make):
    def apply(line):
        if line["e"] != kind or field not in line:
            return None
        line[field] = make(line[field])
        return line

    return apply


def other_seat(seat):
    return (seat + 1) % 4


CHANGES = {
    "drawer": change("deal", "first_drawer", other_seat),
    "leader": change("deal", "leader", other_seat),
    "dealt card": change("deal", "hands", lambda hands: [[hands[1][0], *hands[0][1:]], *hands[1:]]),
    "round": change("deal", "round", lambda number: number + 1),
    "show seat": change("show", "p", other_seat),
    "show card": change("show", "cards", lambda cards: ["9s"] if cards else ["As"]),
    "shown": change("shown", "valid", lambda valid: not valid),
    "seat": change("play", "p", other_seat),
    "kind": change("play", "kind", lambda kind: "pair" if kind == "single" else "single"),
    "no card": change("play", "cards", lambda cards: ["Zz", *cards[1:]]),
    "twice": change("play", "cards", lambda cards: [*cards, cards[0]]),
    "pass seat": change("pass", "p", other_seat),
    "winner": change("trick", "winner", other_seat),
    "leads": change("trick", "leads", other_seat),
    "place": change("out", "place", lambda place: place + 1),
    "out seat": change("out", "p", other_seat),
    "places": change("end", "places", lambda places: places[::-1]),
    "sides": change("end", "sides", lambda sides: [1 - side for side in sides]),
    "points": change("end", "points", lambda points: [points[0] + 1, *points[1:]]),
    "multiplier": change("end", "multiplier", lambda factor: factor + 1),
    "totals": change("end", "totals", lambda totals: [totals[0] + 1, *totals[1:]]),
    "play count": change("play", "legal", lambda count: count + 1),
    "pass count": change("pass", "legal", lambda count: count - 1),
    "show count": change("show", "legal", lambda count: 1),
    "unknown field": lambda line: line | {"hint": 1},
    "unknown event": lambda line: line | {"e": "jump"},
}  # fmt: skip


def test_every_changed_line_is_found_where_it_is():
    seen = set()
    for game in range(2):
        chosen, lines = match(game, lead_after_out="partner")
        for name, number, changed in changes(lines, every=30):
            found = findings(chosen, changed)
            assert found, (name, number)
            assert found[0][0] == number, (name, number, found[:2])
            seen.add(name)
    assert seen == set(CHANGES)


def sampled(lines):
    """Every line but plays and passes, and every third of those."""
    return [at for at in range(1, len(lines)) if at % 3 == 0 or lines[at]["e"] not in ("play", "pass")]


def test_a_missing_line_is_found_at_the_next():
    chosen, lines = match(1)
    for number in sampled(lines):
        found = findings(chosen, [*lines[:number], *lines[number + 1 :]])
        assert found, lines[number]
        assert found[0][0] in (number, number + 1), (lines[number], found[:2])


def test_a_line_that_stands_twice_is_found():
    chosen, lines = match(1)
    for number in sampled(lines):
        found = findings(chosen, [*lines[: number + 1], *lines[number:]])
        assert [place for place, _ in found] == [number + 1], (lines[number], found[:3])


def test_the_referee_goes_on():
    """One changed play or pass brings no landslide: at most this many complaints in all, usually one to three."""
    many = []
    for game in range(2):
        chosen, lines = match(game)
        for name, _, changed in changes(lines, every=8):
            if name in ("seat", "kind", "pass seat", "trick", "play count", "out seat"):
                many.append(len(findings(chosen, changed)))
    assert sum(many) / len(many) < 1.5
    assert max(many) <= 5


def test_two_changes_are_both_found():
    chosen, lines = match(0)
    plays = [number for number, line in enumerate(lines) if line["e"] == "play"]
    for first, second in ((plays[1], plays[8]), (plays[2], plays[-2])):
        changed = copy.deepcopy(lines)
        changed[first]["kind"] = "red_ten_bomb"
        changed[second]["legal"] += 1
        assert [place for place, _ in findings(chosen, changed)] == [first, second]


def test_a_silent_seat_may_be_left_out_unless_numbers_are_given():
    for game in range(6):
        chosen, lines = match(game)
        silent = [number for number, line in enumerate(lines) if transcript.is_silent(line)]
        for number in silent:
            assert findings(chosen, [*lines[:number], *lines[number + 1 :]])
        bare = [{key: value for key, value in line.items() if key != "legal"} for line in lines]
        assert findings(chosen, bare) == []
        assert findings(chosen, [line for line in bare if not transcript.is_silent(line)]) == []


def test_other_suits_of_the_same_ranks_are_the_same_play():
    """A pair out of three, whichever two, is followed with the very cards recorded."""
    chosen, lines = match(0)
    done = False
    held = [list(hand) for hand in lines[0]["hands"]]
    for number, line in enumerate(lines):
        if line["e"] != "play":
            continue
        own = held[line["p"]]
        if line["kind"] == "single" and line["cards"][0] not in ("Th", "Td"):
            twins = [card for card in own if card[0] == line["cards"][0][0] and card not in line["cards"]]
            later = [other for other in lines[number + 1 :] if other["e"] == "play" and twins[:1] == other["cards"]]
            if twins and later and twins[0] not in ("Th", "Td"):
                swapped = copy.deepcopy(lines)
                at = lines.index(later[0])
                swapped[number]["cards"], swapped[at]["cards"] = lines[at]["cards"], line["cards"]
                assert findings(chosen, swapped) == []
                done = True
        for card in line["cards"]:
            own.remove(card)
    assert done


JUNK = (None, True, -1, 4, 10**30, 1.5, "", "Zz", [], ["Th"], ["Th", "Th"], [[]], {"e": 1}, ["3s"] * 60)


def test_junk_never_stops_the_referee():
    """Any field of any line replaced by nonsense, lines dropped and moved: complaints, never an error."""
    source = random.Random(9)
    chosen, lines = match(2)
    for _ in range(60):
        changed = copy.deepcopy(lines)
        for _ in range(3):
            line = source.choice(changed)
            line[source.choice(list(line))] = source.choice(JUNK)
        del changed[source.randrange(1, len(changed))]
        assert findings(chosen, changed)


def test_a_match_must_go_on():
    chosen, lines = match(0, rounds=2)
    second = next(number for number, line in enumerate(lines) if line["e"] == "deal" and line["round"] == 2)
    assert findings(chosen, lines) == []
    changed = copy.deepcopy(lines)
    changed[second]["round"] = 3
    assert findings(chosen, changed)[0][0] == second


def test_text_for_people():
    texts = described(scenario("redten", "expert", seed=3), [0])
    assert texts[0].startswith("Deal 1.")
    assert "♥3" in texts[0]
    assert all(texts)
    assert texts[-1].startswith("In order: ")


def test_a_hand_and_its_worth():
    from kernels.notation import parse_cards

    worth = hand({}, parse_cards("As 2s 3s 4d 5c Th Td Xb Xs 9s 9h 9d 9c 6c"))
    assert worth["plays"] == 4 == len(worth["split"])
    assert sorted(card for cards in worth["split"] for card in cards) == sorted(worth["cards"])
    assert worth["bombs"] == [["9s", "9h", "9d", "9c"], ["Xs", "Xb"], ["Th", "Td"]]
    longest = hand({}, parse_cards("As 2s 3s 4s 5s 6s 7s 8s 9s Td Js Qs Ks Ah"))
    assert (longest["plays"], longest["split"][0][0], longest["split"][0][-1]) == (1, "As", "Ah")
    assert hand({}, [])["plays"] == 0
    with pytest.raises(ValueError, match="duplicate card As"):
        hand({}, parse_cards("As As"))
