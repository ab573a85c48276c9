"""Packs and shuffles: lazy equals eager, uniform orders, the riffle and overhand models."""

from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import chisquare

from kernels import cards, notation, rng
from kernels.options import SHUFFLES

ERROR_RATE = 1e-4
LARGEST = 250
"""Larger than the pack of any game: numba takes a record that begins like another one for its subtype, and warns."""
PACK = np.dtype(cards.stock_fields(LARGEST), align=True)


class Rules(NamedTuple):
    shuffle: int
    passes: int


def new_state(names):
    state = np.zeros(1, PACK).view(np.recarray)[0]
    for place, name in enumerate(names):
        state.stock[place] = name
    state.stock_n = len(names)
    return state


def top_first(state):
    return [int(card) for card in state.stock[: state.stock_n]][::-1]


def shuffle(state, streams, kind="uniform", passes=0):
    rules = Rules(SHUFFLES.index(kind), passes)
    cards.shuffle_pack(rules, state, streams)


def streams_of(seed, game=0):
    streams = rng.new_streams(seed)
    rng.start_round(streams, game, 1)
    return streams


@pytest.mark.parametrize(("decks", "jokers"), [(1, 0), (1, 2), (2, 2), (3, 1), (4, 4)])
def test_a_new_pack_is_sorted_and_complete(decks, jokers):
    state = new_state([])
    cards.new_pack(state, decks, jokers)
    pack = list(state.stock[: state.stock_n])
    assert pack[:52] == list(range(52))
    assert len(pack) == decks * (52 + jokers)
    assert pack.count(notation.BIG_JOKER) == decks * ((jokers + 1) // 2)
    assert pack.count(notation.SMALL_JOKER) == decks * (jokers // 2)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 60])
def test_lazy_and_settled_stocks_give_the_same_cards(count):
    for game in range(50):
        orders = []
        for settled in (False, True):
            state, streams = new_state(range(61)), streams_of(5, game)
            shuffle(state, streams)
            cards.draw_many(state, streams, count)
            order = [int(card) for card in state.drawn[:count]]
            if settled:
                cards.settle(state, streams)
            while state.stock_n:
                order.append(cards.draw(state, streams))
            orders.append(order)
        assert orders[0] == orders[1]
        assert sorted(orders[0]) == list(range(61))


@pytest.mark.parametrize("rejected", [(1,), (31,), (4, 5, 20), tuple(range(32))])
def test_rejected_words_are_passed_over(rejected):
    """A word of 0 is biased for pairs below 61 and 60; draws take the next word, as one pair at a time would."""
    alone, streams, state = streams_of(5), streams_of(5), new_state(range(61))
    shuffle(state, streams)
    for made in (alone, streams):
        rng.word(made, rng.DEAL)
        made.words[rng.DEAL, list(rejected)] = 0
    expected, left = [], list(range(61))
    while len(expected) < 50:
        for place in rng.below_two(alone, rng.DEAL, len(left), len(left) - 1):
            expected.append(left[place])
            left[place] = left[-1]
            left.pop()
    cards.draw_many(state, streams, 50)
    assert [int(card) for card in state.drawn[:50]] == expected
    assert streams.used[rng.DEAL] == alone.used[rng.DEAL] >= 26 + len([word for word in rejected if word < 26])


def test_every_order_is_equally_likely():
    numbers = {order: i for i, order in enumerate(permutations(range(5)))}
    counts = np.zeros(len(numbers), int)
    for game in range(12000):
        state, streams = new_state(range(5)), streams_of(23, game)
        shuffle(state, streams)
        cards.draw_many(state, streams, 3)
        order = [int(card) for card in state.drawn[:3]]
        order += [cards.draw(state, streams), cards.draw(state, streams)]
        counts[numbers[tuple(order)]] += 1
    assert chisquare(counts).pvalue > ERROR_RATE


def riffle_chances(n):
    """Gilbert-Shannon-Reeds: an order has chance (1 + places, if one rising sequence is cut in two) / 2**n."""
    chances = {}
    for order in permutations(range(n)):
        place = {card: i for i, card in enumerate(order)}
        rising = 1 + sum(place[card + 1] < place[card] for card in range(n - 1))
        ways = n + 1 if rising == 1 else (1 if rising == 2 else 0)
        chances[order] = ways / 2**n
    return chances


def test_one_riffle_has_the_chances_of_its_model():
    chances = riffle_chances(4)
    counts = dict.fromkeys(chances, 0)
    draws = 8000
    for game in range(draws):
        state, streams = new_state(range(4)), streams_of(31, game)
        shuffle(state, streams, "riffle", 1)
        counts[tuple(int(card) for card in state.stock[:4])] += 1
    assert all(counts[order] == 0 for order, chance in chances.items() if chance == 0)
    possible = [order for order, chance in chances.items() if chance]
    assert chisquare([counts[o] for o in possible], [draws * chances[o] for o in possible]).pvalue > ERROR_RATE


def test_one_overhand_pass_reverses_packets_and_cuts_at_the_stated_rate():
    cuts = gaps = 0
    for game in range(400):
        state, streams = new_state(range(54)), streams_of(37, game)
        shuffle(state, streams, "overhand", 1)
        order = [int(card) for card in state.stock[:54]]
        starts = [i for i in range(1, 54) if order[i] != order[i - 1] + 1]
        packets = [order[a:b] for a, b in zip([0, *starts], [*starts, 54], strict=True)]
        assert [card for packet in reversed(packets) for card in packet] == list(range(54))
        cuts += len(starts)
        gaps += 53
    rate = 1 / 2**cards.OVERHAND_CUT_BITS
    assert abs(cuts - gaps * rate) < 4 * (gaps * rate * (1 - rate)) ** 0.5


@pytest.mark.parametrize(("kind", "passes"), [("riffle", 14), ("overhand", 2000)])
def test_many_passes_come_close_to_uniform(kind, passes):
    counts = np.zeros((6, 6), int)
    for game in range(1500):
        state, streams = new_state(range(6)), streams_of(41, game)
        shuffle(state, streams, kind, passes)
        for place, card in enumerate(top_first(state)):
            counts[card, place] += 1
    assert all(chisquare(row).pvalue > ERROR_RATE / 6 for row in counts)


def test_restock_uses_a_stream_of_its_own():
    orders = []
    for draws in (3, 40):
        state, streams = new_state(range(54)), streams_of(43)
        state.eager = 1
        shuffle(state, streams)
        cards.draw_many(state, streams, draws)
        for place in range(20):
            state.stock[place] = place
        state.stock_n = 20
        cards.restock(Rules(cards.UNIFORM, 0), state, streams)
        orders.append(top_first(state))
    assert orders[0] == orders[1]
    assert sorted(orders[0]) == list(range(20))


@pytest.mark.parametrize("card", range(notation.FACES))
def test_text_goes_both_ways(card):
    text = notation.card_text(card)
    assert notation.parse_card(text) == card
    if card < notation.SMALL_JOKER:
        symbol = notation.card_symbol(card)
        assert notation.parse_card(symbol) == card
        assert notation.parse_card(symbol[1:] + symbol[0]) == card
        assert notation.parse_card(text[::-1].lower()) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("S10", "Ts"), ("10s", "Ts"), ("♠A", "As"), ("A♠", "As"), ("♥10", "Th"), ("♡️10", "Th"),
        ("Ｓ１０", "Ts"), ("ａｓ", "As"), ("♠Ａ", "As"),
        ("黑桃A", "As"), ("红心10", "Th"), ("方块Q", "Qd"), ("梅花３", "3c"),
        ("大王", "Xb"), ("大鬼", "Xb"), ("小王", "Xs"), ("小鬼", "Xs"),
        ("鬼", "Xs"), ("王", "Xs"), ("Joker", "Xs"), ("joker", "Xs"), ("x", "Xs"), ("JOKER", "Xb"),
    ],
)  # fmt: skip
def test_forgiving_input(text, card):
    assert notation.card_text(notation.parse_card(text)) == card
    assert list(map(notation.card_text, notation.parse_cards(text))) == [card]


@pytest.mark.parametrize("card", [notation.SMALL_JOKER, notation.BIG_JOKER])
def test_jokers_are_read_as_they_are_shown(card):
    assert notation.parse_card(notation.card_symbol(card)) == card


@pytest.mark.parametrize(
    ("text", "jokers", "cards"),
    [
        ("鬼 鬼", "Xs Xb", "Xs Xb"),
        ("鬼 小鬼", "Xs Xb", "Xb Xs"),
        ("joker As 大王 joker Joker", "Xs Xs Xb Xb", "Xs As Xb Xs Xb"),
        ("鬼", "Xb", "Xb"),
        ("鬼 鬼", "Xb", "Xb Xs"),  # one more than there are: whoever asked is told of it
        ("鬼，鬼、♠A　10h", None, "Xs Xb As Th"),
    ],
)
def test_jokers_without_a_size_are_those_that_are_not_named(text, jokers, cards):
    pack = () if jokers is None else (notation.parse_cards(jokers),)
    assert " ".join(map(notation.card_text, notation.parse_cards(text, *pack))) == cards


@pytest.mark.parametrize("text", ["", "1s", "11h", "Zs", "A", "Ass", "S-J", "♠", "XX", "中王", "鬼鬼", "黑桃", "红A"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(ValueError, match="is no card"):
        notation.parse_card(text)
