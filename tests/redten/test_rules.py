"""What the rules say and what they imply, position by position."""

from itertools import permutations

import pytest

from kernels.notation import parse_cards
from kernels.redten import columns, game, plays
from kernels.redten.transcript.combinations import combination
from tests.games import scenario
from tests.redten.positions import Position

OTHER = ("3c 3d", "4c 4d", "5c 5d")
"""Hands of those who only watch."""


def kinds(keys, kind):
    return {key[1] for key in keys if key[0] == kind}


# Combinations.


def test_singles_rank_from_three_to_the_red_ten():
    order = ["3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As", "2s", "Xs", "Xb", "Th"]
    for low, card in enumerate(order):
        above = order[low + 1 :]
        position = Position(card, " ".join(order[:low] + above) or "3c", "4c", "5c").play(card)
        answers = kinds(position.moves(), "single")
        assert len(answers) == len(above)


def test_red_tens_are_equal():
    position = Position("Th 3s", "Td 4s", *OTHER[1:]).play("Th")
    assert position.moves() == {("pass",)}


def test_a_red_and_a_black_ten_are_no_pair():
    keys = Position("Th Ts", *OTHER).moves()
    assert kinds(keys, "pair") == set()
    assert keys == {("single", ("T",)), ("single", ("R",))}


def test_two_black_tens_are_a_pair_above_nines_and_below_jacks():
    position = Position("Ts Tc", "Js Jc 9s 9c", *OTHER[1:]).play("Ts Tc")
    assert kinds(position.moves(), "pair") == {("J", "J")}


def test_both_red_tens_and_both_jokers_are_bombs_only():
    keys = Position("Th Td Xs Xb", *OTHER).moves()
    assert kinds(keys, "pair") == set()
    assert kinds(keys, "joker_bomb") == {("Xs", "Xb")}
    assert kinds(keys, "red_ten_bomb") == {("R", "R")}


def test_three_alike_are_a_bomb_and_nothing_else():
    keys = Position("8s 8h 8d", *OTHER).moves()
    assert keys == {("single", ("8",)), ("pair", ("8", "8")), ("bomb", ("8", "8", "8"))}


def test_tens_of_both_colours_are_no_bomb():
    keys = Position("Ts Tc Th Td", *OTHER).moves()
    assert kinds(keys, "bomb") == set()


def test_straights_have_three_cards_or_more_and_do_not_wrap():
    assert kinds(Position("Ks As 2s", *OTHER).moves(), "straight") == set()
    assert kinds(Position("Qs Ks", *OTHER).moves(), "straight") == set()
    assert kinds(Position("As 2s 3s", *OTHER).moves(), "straight") == {("A", "2", "3")}
    assert kinds(Position("Qs Ks As", *OTHER).moves(), "straight") == {("Q", "K", "A")}


def test_jokers_are_in_no_straight():
    assert kinds(Position("Ks As Xs Xb", *OTHER).moves(), "straight") == set()


def test_a_ten_of_either_colour_makes_a_straight_of_its_own():
    keys = kinds(Position("9s Ts Th Js", *OTHER).moves(), "straight")
    assert keys == {("9", "T", "J"), ("9", "R", "J")}
    assert kinds(Position("9s Th Js", *OTHER).moves(), "straight") == {("9", "R", "J")}


def test_colour_of_the_ten_does_not_matter_for_beating():
    position = Position("8s 9s Th", "9c Ts Td Jc", *OTHER[1:]).play("8s 9s Th")
    assert kinds(position.moves(), "straight") == {("9", "T", "J"), ("9", "R", "J")}


def test_straights_beat_by_where_they_start_and_only_at_the_same_length():
    position = Position("3s 4s 5s", "4c 5h 6c 7c", *OTHER[1:]).play("3s 4s 5s")
    assert kinds(position.moves(), "straight") == {("4", "5", "6"), ("5", "6", "7")}
    assert kinds(Position("As 2s 3s", "Ac 2c 3c 4c", *OTHER[1:]).play("As 2s 3s").moves(), "straight") == {
        ("2", "3", "4")
    }


LONG = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"


def test_thirteen_ranks_make_two_longest_straights():
    keys = kinds(Position(LONG, "3c 3d", "4c 4d", "5c 5d").moves(), "straight")
    longest = {names for names in keys if len(names) == 13}
    assert longest == {tuple("A23456789TJQK"), tuple("23456789TJQKA")}
    assert len(keys) == sum(15 - size for size in range(3, 14))


def test_the_higher_of_the_two_beats_the_lower():
    other = "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    position = Position(LONG + " Xb", other + " Xs", "3h", "4h").play(LONG)
    assert kinds(position.moves(), "straight") == {tuple("23456789TJQKA")}
    position.play("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac")
    assert position.state.table_seat == 1


def test_fourteen_cards_from_ace_to_ace():
    hand = LONG + " Ah"
    keys = kinds(Position(hand, *OTHER).moves(), "straight")
    assert tuple("A23456789TJQKA") in keys
    position = Position(hand, *OTHER).play(hand)
    assert position.state.left[0] == 0
    assert position.state.places[0] == 0


def test_fourteen_cards_need_two_aces():
    assert all(len(names) < 14 for names in kinds(Position(LONG + " Xb", *OTHER).moves(), "straight"))


def test_bombs_beat_singles_pairs_and_straights():
    for lead in ("2s", "As Ah", "Qs Ks Ac"):
        position = Position(lead + " 9s", "3c 3d 3h", *OTHER[1:]).play(lead)
        assert kinds(position.moves(), "bomb") == {("3", "3", "3")}


def test_more_cards_beat_fewer_then_the_higher_rank():
    position = Position("2s 2h 2d", "3s 3h 3c 3d 4s 4h 4d", "5c 5d", "6c 6d").play("2s 2h 2d")
    assert kinds(position.moves(), "bomb") == {("3",) * 4}
    position = Position("7s 7h 7d 7c", "6s 6h 6d 6c 8s 8h 8d 8c", "5c 5d", "3c 3d").play("7s 7h 7d 7c")
    assert kinds(position.moves(), "bomb") == {("8",) * 4}


def test_red_tens_beat_jokers_beat_four_alike():
    position = Position("2s 2h 2d 2c 9s", "Xs Xb 9c", "Th Td 9h", "4c 4d").play("2s 2h 2d 2c")
    assert position.moves() == {("pass",), ("joker_bomb", ("Xs", "Xb"))}
    position.play("Xs Xb")
    assert position.moves() == {("pass",), ("red_ten_bomb", ("R", "R"))}
    position.play("Th Td")
    assert position.moves() == {("pass",)}


def test_nothing_of_another_kind_or_length_beats():
    position = Position("3s 3h 4s 5s 6s 7s", "9s 9h Ts Js Qs", *OTHER[1:])
    position.play("3s")
    assert {key[0] for key in position.moves()} == {"pass", "single"}
    position = Position("3s 3h 9c", "9s 9h Ts Js Qs", *OTHER[1:]).play("3s 3h")
    assert {key[0] for key in position.moves()} == {"pass", "pair"}
    position = Position("3s 4s 5s 6s 9c", "9s 9h Ts Js Xs", *OTHER[1:]).play("3s 4s 5s 6s")
    assert position.moves() == {("pass",)}


# Tricks.

FOUR = ("3s 4s 5s 6s", "3h 4h 5h 6h", "3d 4d 5d 6d", "3c 4c 5c 6c")


def test_who_leads_may_not_pass():
    assert ("pass",) not in Position(*FOUR).moves()


def test_one_who_passed_may_play_again():
    position = Position(*FOUR).play("3s", "", "4d", "", "", "5h")
    assert (position.turn, position.state.table_seat) == (2, 1)


def test_three_passes_in_a_row_end_the_trick():
    position = Position(*FOUR).play("3s", "4h", "", "", "")
    assert position.turn == 1
    assert position.state.table == plays.NOTHING


def test_a_final_pass_is_final():
    position = Position(*FOUR, pass_is_final=True).play("3s", "", "4d", "", "")
    assert position.turn == 2
    assert position.state.table == plays.NOTHING


def test_a_final_pass_skips_the_seat():
    position = Position(*FOUR, pass_is_final=True).play("3s", "", "4d", "5c", "")
    assert position.turn == 2
    position.play("6d")
    assert position.turn == 3
    position.play("")
    assert (position.turn, int(position.state.table)) == (2, plays.NOTHING)


def test_all_still_in_must_pass_after_one_went_out():
    position = Position("6s", "3h 4h", "3d 4d", "3c 4c", sides=(1, 1, 0, 0)).play("6s", "", "")
    assert (position.turn, position.state.table_seat) == (3, 0)
    position.play("")
    assert (position.turn, int(position.state.table)) == (1, plays.NOTHING)


def test_a_trick_is_won_over_one_who_went_out():
    position = Position("6s", "3h 4h", "9d 4d", "3c 4c", sides=(1, 1, 0, 0)).play("6s", "", "9d", "", "")
    assert (position.turn, int(position.state.table)) == (2, plays.NOTHING)


def test_two_passes_end_a_trick_of_three():
    position = Position("6s", "3h 7h", "9d 4d", "3c 4c", sides=(1, 1, 0, 0)).play("6s", "7h", "", "")
    assert position.turn == 1


def test_forced_passes_are_asked():
    position = Position("2s 3s", "3h 4h", "3d 4d", "3c 4c").play("2s")
    for seat in (1, 2, 3):
        assert position.turn == seat
        assert position.moves() == {("pass",)}
        position.play("")


# Who leads after the winner of the trick went out.


def after_out(sides, known, lead_after_out, hands=("6s", "3h 4h", "3d 4d", "3c 4c"), leader=0):
    position = Position(*hands, sides=sides, lead_after_out=lead_after_out, leader=leader)
    if known:
        position.state.public_tens = game.RED_TENS
    return position.play("6s", "", "", "").turn


def test_the_next_one_still_in_leads():
    assert after_out((1, 0, 1, 0), True, "next") == 1


def test_the_partner_leads_once_the_sides_are_known():
    assert after_out((1, 0, 1, 0), True, "partner") == 2
    assert after_out((0, 1, 1, 0), True, "partner") == 3
    assert after_out((1, 0, 1, 0), False, "partner") == 1


def test_the_lone_player_has_no_partner():
    assert after_out((1, 0, 0, 0), True, "partner") == 1


def test_among_three_the_nearest_of_the_side_leads():
    assert after_out((0, 1, 0, 0), True, "partner") == 2


def test_a_partner_who_is_out_does_not_lead():
    position = Position("6s 6c", "3h 4h", "6d", "3c 4c", sides=(1, 0, 1, 0), lead_after_out="partner", leader=2,
                        early_stop=False)  # fmt: skip
    position.state.public_tens = game.RED_TENS
    position.play("6d", "", "", "")
    assert position.turn == 0
    position.play("6s", "", "").play("6c", "", "")
    assert position.turn == 1


def test_a_shown_and_a_played_red_ten_make_the_sides_known():
    position = Position("Th 6s", "3h 4h", "Td 7d", "3c 4c", lead_after_out="partner").ask()
    position.act(plays.SHOW).act(plays.DECLINE)
    assert position.state.shown == 0
    position.play("Th", "", "", "", "6s", "", "Td", "", "").play("7d")
    assert position.over


# The end.


def test_early_stop_needs_both_of_a_side():
    position = Position("6s", "7h 3h", "8d", "3c 4c", sides=(1, 0, 1, 0)).play("6s", "7h", "8d")
    assert position.over
    assert position.state.places.tolist() == [0, 2, 3, 1]
    position = Position("6s", "7h", "8d 3h", "3c 4c", sides=(1, 0, 1, 0)).play("6s", "7h")
    assert not position.over


def test_without_early_stop_three_must_be_out():
    position = Position("6s", "7h 3h", "8d", "3c 4c", sides=(1, 0, 1, 0), early_stop=False).play("6s", "7h", "8d")
    assert not position.over
    position.play("", "").play("3c", "").play("4c")
    assert position.over
    assert position.state.places.tolist() == [0, 2, 3, 1]
    assert columns.OUTCOMES[position.row().outcome] == "red_big"


def test_one_against_three_goes_on_until_three_are_out():
    position = Position("9s", "6h", "7d", "3c 4c", sides=(1, 0, 0, 0), leader=1).play("6h", "7d", "", "9s")
    assert position.over
    position = Position("9s 3s", "6h", "7d", "3c 4c", sides=(1, 0, 0, 0), leader=1).play("6h", "7d")
    assert not position.over


def test_those_still_holding_cards_come_last_in_the_direction_of_play():
    position = Position("4s 4c", "6h", "3c 3d", "7d", sides=(0, 1, 0, 1), leader=1).play("6h", "", "7d")
    assert position.over
    assert position.state.places.tolist() == [1, 3, 0, 2]


# Showing.


def showing(hands, *decisions):
    position = Position(*hands).ask()
    for decision in decisions:
        position.act(decision)
    return position


TWO_HOLDERS = ("Th 6s", "3h 4h", "Td 6d", "3c 4c")


def test_both_must_show():
    for one in (plays.SHOW, plays.DECLINE):
        for other in (plays.SHOW, plays.DECLINE):
            position = showing(TWO_HOLDERS, one, other)
            assert bool(position.state.shown) == (one == other == plays.SHOW)
            assert position.turn == 0


def test_a_single_shown_ten_stays_seen_by_all():
    state = showing(TWO_HOLDERS, plays.SHOW, plays.DECLINE).state
    assert (int(state.public_reds), int(state.public_tens).bit_count(), int(state.shown)) == (1, 1, 0)


def test_nothing_is_seen_before_all_have_decided():
    state = showing(TWO_HOLDERS, plays.SHOW).state
    assert (int(state.public_reds), int(state.public_tens)) == (0, 0)


def test_a_holder_of_both_shows_both_or_none():
    hands = ("3h 4h", "Th Td 6s", "6d 5d", "3c 4c")
    position = Position(*hands).ask()
    assert position.turn == 1
    assert len(position.actions()) == 2
    position.act(plays.SHOW)
    assert position.state.shown
    assert int(position.state.public_tens) == game.RED_TENS


def test_the_first_drawer_is_asked_first():
    position = Position(*TWO_HOLDERS)
    position.state.first_drawer = 1
    position.ask()
    assert position.turn == 2
    position.act(plays.DECLINE)
    assert position.turn == 0


# Points.

PAIRS = {
    "red_big": ((0, 2, 1, 3), 2, (2, -2, 2, -2)),
    "red_small": ((0, 1, 2, 3), 2, (1, -1, 1, -1)),
    "drawn": ((0, 1, 3, 2), 1, (0, 0, 0, 0)),
    "black_small": ((1, 0, 3, 2), 4, (-1, 1, -1, 1)),
    "black_big": ((1, 3, 0, 2), 4, (-2, 2, -2, 2)),
}
SOLO = {
    "solo_win": ((0, 1, 2, 3), 2, (9, -3, -3, -3)),
    "solo_drawn": ((1, 0, 2, 3), 1, (0, 0, 0, 0)),
    "solo_loss": ((1, 3, 2, 0), 4, (-9, 3, 3, 3)),
}


def scored(places, sides, shown, **rules):
    position = Position("3s", *OTHER, sides=sides, **rules)
    position.state.places[:] = places
    position.state.over = 1
    position.state.last_seat = 0
    position.state.shown = shown
    return position.row()


@pytest.mark.parametrize("outcome", [*PAIRS, *SOLO])
@pytest.mark.parametrize("shown", [0, 1])
def test_points(outcome, shown):
    places, factor, points = (PAIRS | SOLO)[outcome]
    sides = (1, 0, 1, 0) if outcome in PAIRS else (1, 0, 0, 0)
    row = scored(places, sides, shown)
    multiplier = factor if shown else 1
    assert columns.OUTCOMES[row.outcome] == outcome
    assert row.multiplier == multiplier
    assert row.points.tolist() == [multiplier * number for number in points]
    assert row.winner == places[0]
    assert [int(row.place[seat]) for seat in places] == [1, 2, 3, 4]


def test_a_lone_third_is_drawn():
    row = scored((1, 2, 0, 3), (1, 0, 0, 0), 1)
    assert (columns.OUTCOMES[row.outcome], row.multiplier) == ("solo_drawn", 1)


def test_points_are_options():
    rules = {
        "scoring__first_second": 5, "scoring__first_third": 3, "scoring__first_fourth": 1,
        "scoring__shown_won": 3, "scoring__shown_lost": 7,
        "scoring__lone_first": (30, -10), "scoring__lone_middle": (3, -1), "scoring__lone_last": (-12, 4),
    }  # fmt: skip
    pairs = (1, 0, 1, 0)
    solo = (1, 0, 0, 0)
    assert scored((0, 2, 1, 3), pairs, 1, **rules).points.tolist() == [15, -15, 15, -15]
    assert scored((1, 0, 3, 2), pairs, 1, **rules).points.tolist() == [-21, 21, -21, 21]
    assert scored((0, 1, 3, 2), pairs, 1, **rules).points.tolist() == [1, -1, 1, -1]
    assert scored((0, 1, 2, 3), solo, 0, **rules).points.tolist() == [30, -10, -10, -10]
    assert scored((1, 0, 2, 3), solo, 1, **rules).points.tolist() == [3, -1, -1, -1]
    assert scored((1, 2, 3, 0), solo, 1, **rules).points.tolist() == [-84, 28, 28, 28]


@pytest.mark.parametrize("rules", [
    {},
    {"scoring__first_fourth": 5, "scoring__shown_won": 3},
    {"scoring__lone_middle": (20, -1), "scoring__lone_first": (1, 0), "scoring__shown_lost": 1},
    {"scoring__lone_last": (4, -7), "scoring__first_third": 9, "scoring__shown_won": 5},
])  # fmt: skip
def test_bounds_are_those_of_all_hands(rules):
    ends = [
        scored(places, sides, shown, **rules)
        for places in permutations(range(4)) for sides in ((1, 0, 0, 0), (1, 1, 0, 0)) for shown in (0, 1)
    ]  # fmt: skip
    points, multipliers = [int(number) for row in ends for number in row.points], [int(row.multiplier) for row in ends]
    bounds = columns.bounds(scenario("redten", **rules).rules)
    assert bounds == {"points": (min(points), max(points)), "multiplier": (1, max(multipliers))}


def test_showing_breaks_even_at_three_of_four():
    """With p the share of won among decided hands, showing gains p * (2 - 1) and loses (1 - p) * (4 - 1)."""
    won, lost = (scored(places, (1, 0, 1, 0), 1) for places in ((0, 2, 1, 3), (1, 3, 0, 2)))
    plain_won, plain_lost = (scored(places, (1, 0, 1, 0), 0) for places in ((0, 2, 1, 3), (1, 3, 0, 2)))
    gain = won.points[0] - plain_won.points[0]
    loss = plain_lost.points[0] - lost.points[0]
    assert 3 * gain == 1 * loss


def test_the_pile_keeps_every_card_that_was_played():
    position = Position("3s 4s 5s", "3h 4h", "Td 3d", "3c 4c").play("3s", "4h", "Td")
    assert [int(card) for card in position.state.pile[:3]] == parse_cards("3s 4h Td")
    assert position.held(2) == {"3d"}


def test_written_cards_are_read_as_what_they_are():
    assert combination(parse_cards("Th Td")) == plays.RED_TENS_ACTION
    assert combination(parse_cards("Xb Xs")) == plays.JOKERS_ACTION
    assert combination(parse_cards("Th Ts")) is None
    assert combination(parse_cards("Th Td Ts")) is None
    assert combination(parse_cards("Ks As 2s")) is None
    assert combination(parse_cards("5s 4s 3s")) is None
    assert combination(parse_cards("3s 3h 3d 3c")) == plays.code(plays.BOMB, 0, 4)
    assert plays.rank_of(combination(parse_cards("Qs Ks As"))) == 11
    assert plays.rank_of(combination(parse_cards("As 2s 3s"))) == 0
