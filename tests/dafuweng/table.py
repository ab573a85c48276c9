"""A table laid out by hand: which cards lie where, who is dead, then moves as transcript lines tell them."""

import copy
import itertools
from types import SimpleNamespace

from kernels import engine
from kernels.dafuweng import game, hands, transcript
from kernels.notation import card_text, parse_cards
from tests.games import scenario
from tests.walk import Walk


class Laid(Walk):
    """Seats' hands and the pile as texts; the rest of the pack lies with the played cards."""

    def __init__(self, *given, pile="", first=0, n=0, dead=(), awaiting=(), brute=False, opener=None, **rules):
        super().__init__(scenario("dafuweng", players=len(given), **rules))
        state = self.state
        state.round_no = 1
        stock = parse_cards(pile)
        state.stock_n = len(stock)
        state.stock_mixed = 1
        state.stock[: len(stock)] = stock[::-1]
        game.lay_out(self.rules, state, first)
        held = [parse_cards(hand) for hand in given]
        for seat, cards in enumerate(held):
            state.hand[seat] = sum((card + 1) << (hands.SLOT_BITS * slot) for slot, card in enumerate(cards))
        rest = [card for card in list(range(54)) * self.rules.decks]
        for card in [*stock, *itertools.chain(*held)]:
            rest.remove(card)
        state.discards[: len(rest)] = rest
        state.discards_n = len(rest)
        state.n = n
        gone = sum(1 << seat for seat in (*dead, *awaiting))
        state.living &= ~gone
        state.awaiting = sum(1 << seat for seat in awaiting)
        state.brute = brute
        state.opener = -1 if opener is None else opener
        game.open_game(self.rules, state)

    def options(self):
        """The legal actions as (cards or `flip`/`decline`, option) in their order."""
        return [self._named(action) for action in self.actions()]

    def _named(self, action):
        place, option = action & game.PLACE_MASK, action >> game.PLACE_BITS
        what = {hands.PLAIN: None, hands.TAKE: -1}.get(option, option)
        if place in (game.FLIP, game.DECLINE):
            return ("flip" if place == game.FLIP else "decline"), what
        hand = int(self.state.hand[self.state.turn])
        slots = (place,) if place < game.HAND else game.PAIRS[place - game.FIRST_PAIR]
        return " ".join(card_text(hands.card_in(hand, slot)) for slot in slots), what

    def act(self, what, option=None):
        """Carry out an option; returns the lines it leads to, without numbers of legal actions, `end` included."""
        named = self.options()
        assert (what, option) in named, f"{(what, option)} is not among {named}"
        action = self.actions()[named.index((what, option))]
        before = copy.deepcopy(self.state)
        self.step(engine.APPLY, action)
        move = SimpleNamespace(seat=int(before.turn), action=action, legal=len(named))
        lines = transcript.events(self.rules, before, move, self.state)
        if self.step(engine.IS_OVER):
            self.step(engine.SCORE)
            lines += transcript.end_events(self.rules, before, self.state)
        return [short(line) for line in lines]

    def hand(self, seat):
        hand = int(self.state.hand[seat])
        return " ".join(card_text(hands.card_in(hand, slot)) for slot in range(hands.size(hand)))

    @property
    def turn(self):
        return int(self.state.turn)


def short(line):
    """A line as a short text, to be read in a test."""
    kind = line["e"]
    if kind == "play":
        return f"{line['p']} {'+'.join(line['cards'])} {line['n']}" + (f" draws {line['drew']}" if line["drew"] else "")
    if kind == "flip":
        life = "lives" if line["alive"] else "dies"
        return f"{line['p']} flips {line['card']} {line['n']} {life}" + (
            f" draws {line['drew']}" if line["drew"] else ""
        )
    if kind == "die":
        return f"{line['p']} {line['why']}"
    return kind if kind == "remake" else line["outcome"]
