"""What `hand` says of REDOX hands."""

import random
from collections import Counter

import pytest

from kernels.notation import parse_cards
from kernels.options import defaults
from kernels.redox import options
from kernels.redox.hand import hand
from tests.redox.hands import JOKER, dealt

VALUES = options.check(defaults(options.OPTIONS))
WORKED = "2s 3s 4s 5s 6h 7h 8h 4c 5c 6c 7c 8c Js Js Jh"


def worth(text, **values):
    return hand(options.check(VALUES | values), parse_cards(text))


def test_a_slam_and_how_it_splits():
    found = worth(WORKED)
    assert (found["slam"], found["distance"], found["can_open"]) == (True, 0, True)
    assert found["points"] == 2 + 3 + 4 + 5 + 6 + 7 + 8 + 4 + 5 + 6 + 7 + 8 + 30
    assert sorted(card for plot in found["split"] for card in plot) == sorted(WORKED.split())
    assert all(len(plot) >= 3 for plot in found["split"])


def test_one_card_from_a_slam():
    found = worth(WORKED.replace("Jh", "9d"))
    assert (found["slam"], found["distance"], found["split"]) == (False, 1, None)


def test_jokers_and_what_they_count():
    found = worth("Xb Xs 2s 3s Ah Kh 9d 7c")
    assert found["can_open"]
    assert found["points"] == 50 + 50 + 2 + 3 + 20 + 10 + 9 + 7


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("As", "1 cards are no hand"),
        (f"{WORKED} Js", "Js is there 3 times"),
        ("Xb " * 5 + "As 2s", "5 jokers, the pack"),
    ],
)
def test_cards_that_no_pack_gives(text, reason):
    with pytest.raises(ValueError, match=reason):
        worth(text)


def test_a_hand_can_open_where_some_run_of_four_or_more_can_be_laid():
    source = random.Random(3)
    answers = set()
    for _ in range(60):
        cards = dealt(source, source.randint(7, 10), 2, 6)
        for min_naturals in (1, 2, 3):
            values = options.check(VALUES | {"jokers_per_deck": 3, "min_naturals": min_naturals})
            can_open = can_lay_a_run(cards, min_naturals)
            assert hand(values, cards)["can_open"] == can_open, cards
            answers.add(can_open)
    assert answers == {True, False}


def can_lay_a_run(cards, min_naturals):
    """Tried suit by suit, end by end."""
    jokers = sum(card >= JOKER for card in cards)
    for suit in range(4):
        counts = Counter(card % 13 for card in cards if card // 13 == suit)
        for start in range(11):
            for end in range(start + 3, 14):
                wanted = Counter(place % 13 for place in range(start, end + 1))
                naturals = sum((wanted & counts).values())
                if naturals >= min_naturals and end - start + 1 - naturals <= jokers:
                    return True
    return False


def test_every_slam_splits_and_nothing_else():
    source = random.Random(5)
    for _ in range(50):
        cards = dealt(source, 15, 2, 4)
        found = hand(VALUES, [card if card < 52 else 53 for card in cards])
        assert found["slam"] == (found["split"] is not None) == (found["distance"] == 0)
