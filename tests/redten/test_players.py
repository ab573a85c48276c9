"""What the players make of clear positions, and what they infer about sides."""

from kernels.notation import parse_cards
from kernels.redten import judgement, plays
from kernels.redten.transcript.combinations import combination
from tests.naive import redten as naive
from tests.redten.positions import Position, key_of

GREEDY, EXPERT = 1, 2


def friends(position, seat):
    return [int(judgement.friendship(position.state, seat, other)) for other in range(4) if other != seat]


def test_greedy_beats_with_the_lowest_play():
    position = Position("5s 9s", "4s 7s 8s 2s", "3c", "3d").play("5s")
    assert key_of(position.choice(GREEDY)) == ("single", ("7",))
    position = Position("2s 9s", "Ks 4s 4c 4d", "3c", "3d").play("2s")
    assert key_of(position.choice(GREEDY)) == ("bomb", ("4", "4", "4"))
    position = Position("2s 9s", "Ks 4s 4c", "3c", "3d").play("2s")
    assert position.choice(GREEDY) == plays.PASS


def test_greedy_leads_its_lowest_card():
    assert key_of(Position("3s 4s 5s 6c 9s", "7c", "8c", "9c").choice(GREEDY)) == ("straight", tuple("3456"))
    assert key_of(Position("8s 8c 9d 2s", "7c", "8d", "9c").choice(GREEDY)) == ("pair", ("8", "8"))
    assert key_of(Position("8s 9d 2s", "7c", "8d", "9c").choice(GREEDY)) == ("single", ("8",))
    assert key_of(Position("8s 9d Td 2s", "7c", "8d", "9c").choice(GREEDY)) == ("straight", ("8", "9", "R"))
    assert key_of(Position("Th Td", "7c", "8d", "9c").choice(GREEDY)) == ("single", ("R",))
    assert Position("Th 6s", "3h 4h", "Td 6d", "3c 4c").ask().choice(GREEDY) == plays.DECLINE


def test_expert_goes_out_when_it_can():
    assert key_of(Position("4s 5s 6s 7s", "2c 2d", "8d 8h", "9c 9h").choice(EXPERT)) == ("straight", tuple("4567"))
    position = Position("Ks 3s", "2s", "8d 8h", "9c 9h").play("Ks")
    assert key_of(position.choice(EXPERT)) == ("single", ("2",))


def test_expert_runs_when_nothing_can_stop_it():
    """A red ten that nothing beats first, then the last card; the other way round another would come in."""
    position = Position("Th 4s", "2s 3s 9c", "Kd 8h 9d", "9h Qh 3c", sides=(1, 0, 1, 0))
    assert key_of(position.choice(EXPERT)) == ("single", ("R",))


def test_expert_does_not_beat_a_sure_partner():
    hands = ("Kd 9s 4c", "2s Jc Jd 5h", "Th 8d 8h", "9c 9h 3c")
    position = Position(*hands, sides=(0, 0, 1, 1)).play("Kd")
    position.state.public_tens = judgement.RED_TENS
    position.state.public_reds = 0b1100
    assert friends(position, 1) == [100, -100, -100]
    assert position.choice(EXPERT) == plays.PASS


def test_expert_beats_a_sure_opponent():
    position = Position("Td 9s 4c", "2s Jc 3d", "Th 8d 8h", "9c 9h 3c").play("9s")
    position.state.public_tens = judgement.RED_TENS
    position.state.public_reds = 0b0101
    assert friends(position, 1) == [-100, -100, 100]
    assert position.choice(EXPERT) != plays.PASS


def test_sides_from_the_own_hand_and_what_was_seen():
    """Three hands of equal size: each of the others is the partner of a red ten in one of three cases."""
    hands = ("Th 6s", "3h 4h", "Td 6d", "3c 4c")
    position = Position(*hands)
    assert friends(position, 0) == [-34, -34, -34]
    assert friends(position, 1) == [100 - 2 * 66] * 3
    both = Position("Th Td", "3h 4h", "5d 6d", "3c 4c")
    assert friends(both, 0) == [-100] * 3
    position.state.showing[2] = int(position.state.held[2]) & judgement.RED_TENS
    position.state.public_tens = position.state.showing[2]
    position.state.public_reds = 0b0100
    assert friends(position, 0) == [-100, 100, -100]
    assert friends(position, 1) == [0, -100, 0]
    assert friends(position, 3) == [0, 0, -100]


def test_one_who_is_out_and_showed_no_red_ten_is_black():
    position = Position("Th 6s", "9h", "Td 6d", "3c 4c", leader=1).play("9h")
    assert friends(position, 3)[1] == 100
    assert friends(position, 0)[0] == -100


STRONG = "Th Td Xb Xs 2s 2h 2d As Ah Ks Kh Qs Qh"
WEAK = "Th Td 3s 3d 5s 5d 7s 7d 9s 9d Qs Qd As"


def full_deal(hand):
    """This hand against the rest of the pack, dealt out in turn."""
    rest = [card for card in naive.PACK if card not in hand.split()]
    return hand, *(" ".join(rest[seat::3]) for seat in range(3))


def test_expert_shows_strong_hands_only():
    assert Position(*full_deal(STRONG)).ask().choice(EXPERT) == plays.SHOW
    assert Position(*full_deal(WEAK)).ask().choice(EXPERT) == plays.DECLINE


def test_nobody_shows_where_it_cannot_gain():
    position = Position(*full_deal(STRONG), scoring__shown_won=1, scoring__shown_lost=1).ask()
    assert position.choice(EXPERT) == plays.DECLINE


def test_what_stands():
    """A play that no unseen card can beat stands for sure."""
    unseen = int(judgement.unseen_by(Position("2s 9s", "As 4c", "Kd", "3c").state, 0))
    assert judgement.stands(combination(parse_cards("2s")), unseen) == 100
    assert judgement.stands(combination(parse_cards("9s")), unseen) < 100
    assert judgement.stands(plays.RED_TENS_ACTION, unseen) == 100
    assert judgement.stands(combination(parse_cards("9s 9h")), unseen) == 100
