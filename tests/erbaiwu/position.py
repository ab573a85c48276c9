"""Positions of Er Bai Wu set up card by card, for tests of single rules."""

from kernels import engine, protocol
from kernels.erbaiwu import actions as act
from kernels.erbaiwu import game, transcript
from kernels.erbaiwu.masks import BIT_OF, cards_in, mask_of
from kernels.erbaiwu.transcript.parse import NAMES
from kernels.notation import FACES, card_text, parse_cards
from tests.games import scenario
from tests.naive import erbaiwu as naive
from tests.walk import Walk


def texts(mask):
    return [card_text(card) for card in cards_in(mask)]


def line_of(state, action):
    """A line for an action not yet carried out; any joker will do."""
    name = NAMES[act.kind_of(action)]
    names = texts(act.named_by(action))
    jokers = set(texts(act.jokers_of(action)))
    faces = ["Xb" if text in jokers else text for text in names]
    if name in ("layoff", "lift"):
        return {"e": name, "card": faces[0], "as": names[0]}
    if name in ("show7", "outlaw", "discard"):
        return {"e": name, "card": names[0]}
    end = texts(act.end_of(action))
    return {"e": name, "cards": faces, "as": names} | ({"end": end[0]} if end else {})


def seat_lines(lines):
    """Decisions without who takes them and how many there were."""
    return [{name: value for name, value in line.items() if name not in ("p", "legal")} for line in lines]


class Position(Walk):
    """A round in the middle: hands and stock (top first) as texts, all other cards in the discard pile."""

    def __init__(self, hands, stock="Kc Kd Ks Kh", turn=0, opening=False, totals=(), **rules):
        super().__init__(scenario("erbaiwu", players=len(hands), **rules))
        state = self.state
        protocol.new_match(self.rules, state)
        state.round_no = 1
        state.dealer = turn if opening else (turn + 1) % len(hands)
        game.open_round(state)
        drawn = parse_cards(stock)
        held = [parse_cards(hand) for hand in hands]
        for seat, hand in enumerate(held):
            state.hands[seat] = mask_of(hand)
        for place, card in enumerate(reversed(drawn)):
            state.stock[place] = card
        state.stock_n = len(drawn)
        state.stock_mixed = 1
        for card in sorted(set(range(FACES)) - set(drawn) - {card for hand in held for card in hand}):
            state.discards[state.discards_n] = BIT_OF[card]
            state.discards_n += 1
            state.gone |= mask_of([card])
        for seat, total in enumerate(totals):
            state.totals[seat] = total
        if not opening:
            game.begin_turn(state, turn)
        self.lines = []

    def legal(self):
        """The legal actions as lines."""
        return [line_of(self.state, action) for action in self.actions()]

    def kinds(self):
        return [line["e"] for line in self.legal()]

    def of_kind(self, *kinds):
        """The keys of the legal actions of some kinds."""
        return {naive.key(line) for line in self.legal() if line["e"] in kinds}

    def play(self, kind, cards="", names="", **more):
        """Take the legal action of this kind on these cards; returns the lines it brings."""
        line = {"e": kind, **more}
        if kind in ("lock", "string"):
            line |= {"cards": cards.split(), "as": (names or cards).split()}
        elif kind == "pong":
            line |= {"cards": cards.split()}
        elif cards:
            line |= {"card": cards, "as": names or cards}
        actions = {naive.key(line_of(self.state, action)): action for action in self.actions()}
        action = actions[naive.key(line)]
        before = self.state.copy()
        seat = self.step(engine.TO_ACT)
        self.step(engine.APPLY, action)
        move = type("Move", (), {"seat": seat, "action": action, "legal": len(actions)})
        self.lines = transcript.events(self.rules, before, move, self.state)
        assert self.count_cards() == [1] * FACES
        return seat_lines(self.lines)

    def turn(self, draws=True):
        """Draw and discard or keep, whatever comes first."""
        seat = self.step(engine.TO_ACT)
        if draws:
            self.play("draw")
        line = self.legal()[0]
        self.play(line["e"], line.get("card", ""))
        return seat

    def score(self):
        """Score the round; returns its line."""
        assert self.step(engine.IS_OVER)
        before = self.state.copy()
        self.step(engine.SCORE)
        return transcript.end_events(self.rules, before, self.state)[0]
