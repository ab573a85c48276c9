"""Transcript lines of Er Bai Wu checked and, where they break the rules, carried out as far as they can be."""

from collections import deque

from kernels import engine
from kernels.erbaiwu import actions as act
from kernels.erbaiwu import choices, game
from kernels.erbaiwu.masks import cards_in, mask_of
from kernels.erbaiwu.transcript.parse import KIND_OF, action_of, cards_of, joker_laid, parse_all
from kernels.erbaiwu.transcript.write import end_events
from kernels.notation import FACES, card_text
from kernels.referee import base
from kernels.referee.lines import Event, Illegal, duplicates_in


class Referee(base.Referee):
    """Checks a transcript of Er Bai Wu line by line."""

    UNORDERED = frozenset({"hands", "cards", "as", "flags", "losers", "bonus250"})
    ACCUMULATED = frozenset({"totals", "bonus250"})
    PER_SEAT = frozenset({"hands", "round", "points", "totals"})
    DECISIONS = frozenset(KIND_OF)
    ENDS = frozenset({"score", "end"})

    # The deal

    def start(self, event: Event) -> list[str]:
        """Set up the hands and the stock."""
        hands, stock = self._cards_dealt(event)
        problems = self._check_cards(event, hands, stock)
        state = self.state
        state.dealer = event["dealer"]
        game.open_round(state)
        for seat, cards in enumerate(hands):
            state.hands[seat] = mask_of(cards)
        state.stock[: len(stock)] = stock[::-1]
        state.stock_n = len(stock)
        state.stock_mixed = 1
        return problems

    def check_succession(self, event: Event) -> list[str]:
        """Who settled deals, or the last dealer again."""
        due = int(self.state.dealer)
        return [] if event["dealer"] == due else [f"dealer is {event['dealer']}, the rules give {due}"]

    def _cards_dealt(self, event: Event) -> tuple[list[list[int]], list[int]]:
        players = self.rules.players
        if len(event["hands"]) != players or not 0 <= event["dealer"] < players:
            raise Illegal(f"{len(event['hands'])} hands and dealer {event['dealer']}, but {players} play")
        hands = [parse_all(hand) for hand in event["hands"]]
        stock = parse_all(event["stock"])
        if self.partial and not stock:
            held = {card for hand in hands for card in hand}
            stock = [card for card in range(FACES) if card not in held]
        return hands, stock

    def _check_cards(self, event: Event, hands: list[list[int]], stock: list[int]) -> list[str]:
        problems = []
        for seat, hand in enumerate(hands):
            due = game.HAND + (seat == event["dealer"])
            if len(hand) != due:
                problems.append(f"seat {seat} is dealt {len(hand)} cards, the rules give {due}")
        every = [*stock, *(card for hand in hands for card in hand)]
        twice = duplicates_in(every, dict.fromkeys(range(FACES), 1))
        missing = sorted(set(range(FACES)) - set(every))
        if twice:
            problems.append(f"more than once in the pack: {' '.join(map(card_text, twice))}")
        if missing:
            problems.append(f"not in the pack: {' '.join(map(card_text, missing))}")
        if len(every) > FACES or not stock:
            raise Illegal("; ".join(problems))
        return problems

    # Decisions

    def action_of(self, event: Event) -> int:
        """Raises Illegal if it is another seat's turn, too."""
        seat = self.step(engine.TO_ACT)
        if event["p"] != seat:
            raise Illegal(f"seat {event['p']} acts, but it is seat {seat} who decides")
        return action_of(self.state, event)

    def unwritten(self, event: Event) -> int | None:
        """A pong declined."""
        asked = self.state.phase == choices.PONG and event["e"] not in ("pong", "nopong")
        return act.PASS if asked and event["e"] in self.DECISIONS else None

    def prepare(self, event: Event, reshuffle: Event | None) -> list[str]:
        """Which joker is laid, if the hand has both."""
        self.state.joker_next = joker_laid(event)
        return []

    def drawn(self, event: Event) -> int | None:
        """The card of a draw."""
        try:
            return cards_of(event)[0] if event["e"] == "draw" else None
        except (Illegal, IndexError):
            return None

    def learn(self, event: Event) -> None:
        """A forced draw from a stock of unknown order was of the card recorded."""
        due = next((due for due in self._due if due["e"] == "draw"), None)
        card = self.drawn(event)
        if due is None or card is None or event.get("p") != due["p"] or event["card"] == due["card"]:
            return
        if self.order_known:
            self.order_known = False
            self.unsure.add(due["p"])
            return
        state, (drawn,) = self.state, cards_of(due)
        stock = state.stock[: int(state.stock_n)].tolist()
        if card in stock and not self.over:
            state.stock[stock.index(card)] = drawn
            state.hands[due["p"]] = int(state.hands[due["p"]]) & ~mask_of([drawn]) | mask_of([card])
            due["card"] = card_text(card)

    # Carried out all the same

    def make_way(self, event: Event) -> None:
        """The turn of the seat, and for a discard the draw before it. Lines that show no card, where the seat to act
        could do the same, are that seat's."""
        state, seat = self.state, self.check_seat(event)
        if not state.stock_n or event["e"] in ("pong", "nopong"):
            raise Illegal("there is nothing to pong, or to draw")
        if event["e"] in ("draw", "settle") and state.phase == choices.REDUCE:
            raise Illegal(f"seat {int(state.turn)} has not drawn")
        if seat != self.step(engine.TO_ACT):
            game.begin_turn(state, seat)
        if event["e"] in ("discard", "keep") and state.phase == choices.REDUCE and not state.opening:
            self.step(engine.APPLY, act.DRAW)

    def hand_over(self, event: Event) -> None:
        """Cards of the seat change places with those recorded."""
        seat, played = event["p"], mask_of(cards_of(event))
        hand = int(self.state.hands[seat])
        spare = cards_in(hand & ~played)
        for card in cards_in(played & ~hand):
            if not spare:
                raise Illegal(f"seat {seat} holds {hand.bit_count()} cards")
            given = spare.pop(0)
            self.exchange(card, given)
            hand = hand & ~mask_of([given]) | mask_of([card])
        self.state.hands[seat] = hand

    def exchange(self, wanted: int, given: int) -> None:
        """Put a card where another one is: in the stock or in a hand. Raises Illegal if it is in neither."""
        state = self.state
        stock = state.stock[: int(state.stock_n)].tolist()
        if wanted in stock:
            state.stock[stock.index(wanted)] = given
            return
        for seat in range(self.rules.players):
            if int(state.hands[seat]) & mask_of([wanted]):
                state.hands[seat] = int(state.hands[seat]) & ~mask_of([wanted]) | mask_of([given])
                return
        raise Illegal(f"{card_text(wanted)} has been played")

    # The end

    def take_totals(self, event: Event) -> None:
        """Who gets the bonus, and whether the match is over, follow from the totals."""
        super().take_totals(event)
        state, seats = self.state, range(self.rules.players)
        state.bonus = sum(1 << seat for seat in seats if seat in event.get("bonus250", []))
        state.match_outcome = game.how_match_ends(self.rules, state)
        self._due = deque(end_events(self.rules, state, state)[1:])
