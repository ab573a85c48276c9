"""Lines of Da Fu Weng that no slip and no gap explains, followed as told so that those after them make sense again."""

import copy
from typing import TYPE_CHECKING, Any

from kernels.dafuweng import game, hands
from kernels.dafuweng.choices import survey_flip
from kernels.notation import parse_card
from kernels.referee.base import Event, Illegal

if TYPE_CHECKING:
    from kernels.dafuweng.transcript.referee import Referee


def restore(state: Any, kept: Any) -> None:
    """Put a state back as it was."""
    for field in kept.dtype.names:
        state[field] = kept[field]


def make_way(referee: "Referee", event: Event) -> bool:
    """Make the state one in which the line is legal: the player, his card, N and the rest as it tells them.

    Leaves the state alone and returns False if the line makes no sense even so.
    """
    kept = copy.deepcopy(referee.state)
    try:
        _set_scene(referee.rules, referee.state, event)
        if referee.is_legal(referee.action_of(event)):
            return True
    except (Illegal, ValueError):
        pass
    restore(referee.state, kept)
    return False


class _Cards:
    """Where the cards of a state are, as lists that can be changed and written back."""

    def __init__(self, rules: Any, state: Any) -> None:
        self.stock = state.stock[: int(state.stock_n)].tolist()
        self.played = state.played[: int(state.played_n)].tolist()
        if state.flipped != game.NONE:
            self.stock.append(int(state.flipped))
        self.hands = [
            [int(hands.card_in(int(hand), slot)) for slot in range(hands.size(int(hand)))]
            for hand in state.hand[: rules.players]
        ]

    def move(self, card: int, to: list[int]) -> None:
        """Bring a card from wherever it is to the end of a list. Raises Illegal if it is nowhere."""
        for place in (to, self.stock, self.played, *self.hands):
            if card in place:
                place.remove(card)
                to.append(card)
                return
        raise Illegal("there is no such card")

    def hand_over(self, cards: list[int], seat: int) -> None:
        """Let a seat hold these cards; what is too much then goes under the stock."""
        hand = self.hands[seat]
        for card in cards:
            if hand.count(card) < cards.count(card):
                self.move(card, hand)
        while len(hand) > game.HAND:
            spare = next(card for card in hand if card not in cards)
            hand.remove(spare)
            self.stock.insert(0, spare)

    def write(self, state: Any) -> None:
        """Back to the state; nobody waits for a choice any more."""
        state.flipped = game.NONE
        state.stock_n, state.played_n = len(self.stock), len(self.played)
        state.stock[: len(self.stock)] = self.stock
        state.played[: len(self.played)] = self.played
        for seat, hand in enumerate(self.hands):
            state.hand[seat] = sum((card + 1) << (hands.SLOT_BITS * slot) for slot, card in enumerate(hand))


def _set_scene(rules: Any, state: Any, event: Event) -> None:
    seat = event["p"]
    if not 0 <= seat < rules.players:
        raise Illegal("no such seat")
    told = [parse_card(str(text)) for text in ([event["card"]] if event["e"] == "flip" else event["cards"])]
    if not told:
        raise Illegal("no card is played")
    where = _Cards(rules, state)
    drew = [parse_card(event["drew"])] if event["drew"] else []
    for card in drew if where.stock else []:
        where.move(card, where.stock)
    if event["e"] == "flip":
        where.played += where.hands[seat]
        where.hands[seat] = []
        where.move(told[0], where.stock)
    else:
        where.hand_over(told, seat)
    where.write(state)
    state.turn, state.pointed, state.extra, state.chosen = seat, 0, 0, game.NONE
    kind = int(hands.KIND[told[0] + 1])
    _set_lives(rules, state, event, kind, len(told))
    _set_mode(state, event, kind)
    _set_count(state, event, kind)
    game.open_game(rules, state)
    if event["e"] == "flip":
        state.stock_n -= 1
        state.flipped = told[0]
        survey_flip(rules, state)


def _set_lives(rules: Any, state: Any, event: Event, kind: int, cards: int) -> None:
    """Who lives and who awaits, as far as the line shows it."""
    _be(state, event["p"], lives=event["e"] == "play", awaits=event["e"] == "flip")
    target = event["target"]
    if target is None or not 0 <= target < rules.players or target == event["p"]:
        return
    if kind == hands.JOKER and cards == 1:
        _be(state, target, lives=False, awaits=False)
    elif kind in (hands.ACE, hands.SEVEN) or not (state.living | state.awaiting) >> target & 1:
        _be(state, target, lives=True, awaits=False)


def _be(state: Any, seat: int, lives: bool, awaits: bool) -> None:
    bit = 1 << seat
    state.living = int(state.living) & ~bit | bit * lives
    state.awaiting = int(state.awaiting) & ~bit | bit * awaits


def _set_mode(state: Any, event: Event, kind: int) -> None:
    """Brute mode as the draw, or the lack of one, shows it."""
    if event["e"] != "play" or hands.DRAWING[kind] != hands.DRAWS:
        return
    state.brute = int(event["drew"] is None)
    if not state.brute or state.opener == event["p"]:
        state.opener = game.NONE


def _set_count(state: Any, event: Event, kind: int) -> None:
    """N as it must have been."""
    value = int(hands.VALUE[kind]) * (-1 if event["sign"] == -1 else 1)
    before = event["n"] - value
    if kind != hands.KING and 0 <= before <= hands.TOP:
        state.n = before
