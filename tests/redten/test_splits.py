"""The fewest plays of a hand: cases by hand, laws, and the split itself."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.notation import parse_cards
from kernels.redten import plays, splits
from kernels.redten.hand import fewest_split
from kernels.redten.packed import FULL_PACK, RANK_OF, add, count_of, pack, take

CASES = {
    "": 0,
    "3s": 1,
    "3s 3h": 1,
    "3s 3h 3d": 1,
    "3s 3h 3d 3c": 1,
    "Xs": 1,
    "Xs Xb": 1,
    "Th Td": 1,
    "Th Ts": 2,
    "Ts Tc": 1,
    "Ts Tc Th Td": 2,
    "Ks As 2s": 3,
    "As 2s 3s": 1,
    "Qs Ks As": 1,
    "As 2s 3s Qs Ks": 3,
    "As Ah 2s 3s Qs Ks": 2,
    "3s 4s 5s 5h 6s 7s": 2,
    "3s 4s 5s 5h 5d 6s 7s": 2,
    "9s Ts Th Js": 2,
    "8s 9s Ts Th Js Qs": 2,
    "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks": 1,
    "As 2s 3s 4s 5s 6s 7s 8s 9s Td Js Qs Ks Ah": 1,
    "3s 3h 4s 4h 5s 5h": 2,
    "3s 3h 4s 4h 5s 5h 3d 4d 5d": 3,
    "3s 4s 5s 6s 6h 7h 8h 9h 9s Js": 4,
}


def packed(text):
    return int(pack(sum(1 << card for card in parse_cards(text))))


@pytest.mark.parametrize("text", CASES)
def test_cases(text):
    assert splits.fewest(packed(text)) == CASES[text]


cards = st.sets(st.integers(0, 53), max_size=20)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(cards, st.integers(0, 53))
def test_one_card_more_takes_at_most_one_play_more(hand, extra):
    """Nor can a card more save more than one play: with it gone, one play falls apart into at most two, or a pile is
    left."""
    hand = hand - {extra}
    small = int(pack(sum(1 << card for card in hand)))
    large = int(add(small, int(RANK_OF[extra])))
    assert splits.fewest(large) <= splits.fewest(small) + 1
    assert splits.fewest(small) <= splits.fewest(large) + 1
    assert splits.fewest(small) <= splits.piles(small)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(cards)
def test_the_split_lays_the_whole_hand_down(hand):
    start = int(pack(sum(1 << card for card in hand)))
    split = fewest_split(start)
    assert len(split) == splits.fewest(start)
    rest = start
    for action in split:
        rest = int(plays.without(rest, action))
    assert rest == 0
    assert sum(plays.size_of(action) for action in split) == len(hand)


def test_packing():
    source = random.Random(1)
    assert int(pack((1 << 54) - 1)) == FULL_PACK
    for _ in range(100):
        hand = source.sample(range(54), 14)
        word = int(pack(sum(1 << card for card in hand)))
        for rank in range(16):
            assert count_of(word, rank) == sum(RANK_OF[card] == rank for card in hand)
        for card in hand:
            word = int(take(word, 1 << int(RANK_OF[card])))
        assert word == 0


def test_the_automaton_is_small():
    assert splits.STATES < 1000
