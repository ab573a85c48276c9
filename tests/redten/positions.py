"""Hands laid out by hand, to see what the rules make of them."""

from kernels import engine, protocol
from kernels.notation import card_text, parse_cards
from kernels.redten import dealing, plays
from kernels.redten.packed import RED_TENS, pack
from kernels.redten.transcript.combinations import combination
from tests.games import scenario
from tests.naive import redten as naive
from tests.walk import Walk


def key_of(action):
    """A play of the kernels as the twin names it: kind and ranks, a red ten being R."""
    kind = plays.KINDS[plays.kind_of(action)]
    if kind in ("pass", "show", "decline"):
        return naive.PASS if kind == "pass" else kind
    rank, size = plays.rank_of(action), plays.size_of(action)
    if kind == "straight":
        names = naive.SEQUENCE[rank : rank + size]
        return kind, tuple("R" if name == "T" and action & plays.RED_STRAIGHT else name for name in names)
    names = ("Xs", "Xb") if kind == "joker_bomb" else (naive.SINGLES[rank],) * size
    return kind, names


class Position(Walk):
    """Four hands in the middle of play; the deal and the showing are over. Sides are by the red tens held, or given."""

    def __init__(self, *hands, leader=0, sides=None, policy="expert", **rules):
        super().__init__(scenario("redten", policy, **rules))
        state = self.state
        protocol.new_match(self.rules, state)
        state.round_no = 1
        dealing.clear_table(state)
        for seat, text in enumerate(hands):
            held = sum(1 << card for card in parse_cards(text))
            state.held[seat] = held
            state.hand[seat] = pack(held)
            state.left[seat] = held.bit_count()
            state.side[seat] = int(held & RED_TENS != 0) if sides is None else sides[seat]
        state.going = sum(1 << seat for seat in range(4) if state.left[seat])
        state.unplayed = pack(sum(int(held) for held in state.held))
        state.solo = int(sum(state.side) == 1)
        state.first_drawer = 0
        state.leader = state.turn = leader
        state.asking = dealing.NOBODY

    def ask(self):
        """Go back to the showing."""
        self.state.asking = dealing.next_holder(self.state, 0)
        self.state.turn = self.state.asking
        return self

    def moves(self):
        """Legal actions as the twin names them."""
        return {key_of(action) for action in self.actions()}

    def act(self, action):
        assert action in self.actions()
        self.step(engine.APPLY, action)
        return self

    def play(self, *texts):
        """Each text is the next seat's play; an empty one is a pass."""
        for text in texts:
            self.act(combination(parse_cards(text)) if text else plays.PASS)
        return self

    @property
    def turn(self):
        return int(self.state.turn)

    @property
    def over(self):
        return bool(self.state.over)

    def held(self, seat):
        return {card_text(card) for card in range(54) if int(self.state.held[seat]) >> card & 1}
