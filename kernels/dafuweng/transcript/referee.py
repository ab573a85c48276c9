"""Transcript lines of Da Fu Weng checked and, where they break the rules, carried out as far as they can be."""

from collections import Counter, deque
from typing import Any

from kernels.dafuweng import game, hands
from kernels.dafuweng.choices import survey_flip, survey_hand
from kernels.dafuweng.transcript.parse import (
    action,
    cards_among,
    cards_in,
    hand_of,
    option_of,
    parse_all,
    parse_one,
    target_of,
)
from kernels.notation import FACES, card_text
from kernels.referee import base
from kernels.referee.lines import Event, Illegal


def _texts(cards: Counter[int]) -> str:
    return " ".join(card_text(card) for card in sorted(cards.elements()))


class Referee(base.Referee):
    """Follows one match; what chance brings is taken from its lines, everything else from the rules.

    A decision may draw several cards: its own, and those turned up by players who await their turn. The lines show
    them one by one, and each time the decision is carried out once more with what is known by then.
    """

    UNORDERED = frozenset({"cards"})
    RESHUFFLES = frozenset({"remake"})
    DECISIONS = frozenset({"play", "flip", "die"})
    STOCK = "pile"

    def __init__(self, chosen: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(chosen, rules, partial)
        self._before = self._states.copy()
        """The state before the last decision."""
        self._decision: tuple[Any, ...] = ()
        """The last decision as it was carried out."""
        self._draws: list[int] = []
        """The cards that lines have shown drawn since then, in order."""
        self._open = False
        """Whether the order in which they lay was unknown before."""
        self._pile: list[int] = []
        """The pile made anew since then, as a line shows it, top card first."""
        self._read = 0
        """How many of the lines that follow from the decision have been read."""

    # The deal

    def start(self, event: Event) -> list[str]:
        """Set up the table of a `deal` line. Raises Illegal if it cannot be played from."""
        players = self.rules.players
        if len(event["hands"]) != players:
            raise Illegal(f"{len(event['hands'])} hands for {players} players")
        if not 0 <= event["first"] < players:
            raise Illegal(f"first is {event['first']}, the seats are 0 to {players - 1}")
        dealt = [parse_all(hand) for hand in event["hands"]]
        pile = parse_all(event["pile"])
        problems = [
            f"seat {seat} is dealt {len(hand)} cards, not {game.HAND}"
            for seat, hand in enumerate(dealt)
            if len(hand) != game.HAND
        ]
        if any(not 1 <= len(hand) <= game.HAND for hand in dealt):
            raise Illegal("; ".join(problems))
        problems += self._check_pack(dealt, pile)
        self._set_table(event, dealt, pile)
        return problems

    def check_succession(self, event: Event) -> list[str]:
        """The first to die begins the next game."""
        due = int(self.state.first_dead)
        if due in (game.NONE, event["first"]):
            return []
        return [f"first is {event['first']}, the first to die in the last game was {due}"]

    def _check_pack(self, dealt: list[list[int]], pile: list[int]) -> list[str]:
        """Cards missing or too many; a pile that is not known is filled up with what is missing."""
        seen = Counter(pile)
        for hand in dealt:
            seen.update(hand)
        pack = Counter({card: self.rules.decks for card in range(FACES)})
        problems = []
        if seen - pack:
            self.unsure = set(range(self.rules.players))
            problems.append(f"more than the pack has: {_texts(seen - pack)}")
        if seen.total() > pack.total():
            raise Illegal("; ".join(problems))
        if pack - seen and self.partial:
            pile.extend((pack - seen).elements())
        elif pack - seen:
            problems.append(f"missing from the pack: {_texts(pack - seen)}")
        return problems

    def _set_table(self, event: Event, dealt: list[list[int]], pile: list[int]) -> None:
        state = self.state
        state.stock_n = len(pile)
        state.stock_mixed = 1
        state.stock[: len(pile)] = pile[::-1]
        game.lay_out(self.rules, state, event["first"])
        for seat, hand in enumerate(dealt):
            state.hand[seat] = hand_of(hand)
        game.open_game(self.rules, state)
        self._decision = ()

    # Decisions

    def action_of(self, event: Event) -> int:
        """The action of a line. Raises Illegal if it can be none."""
        state, seat = self.state, int(self.state.turn)
        if event["e"] == "die" and event["why"] != "suicide":
            raise Illegal(f"seat {event['p']} does not die here")
        if event["p"] != seat:
            raise Illegal(f"it is the turn of seat {seat}, not of seat {event['p']}")
        if event["e"] == "die":
            return action(game.DECLINE, int(hands.PLAIN))
        flips = state.flipped != game.NONE
        if (event["e"] == "flip") != flips:
            raise Illegal(f"seat {seat} {'turns up a card' if flips else 'plays from the hand'} now")
        if flips:
            return self._flip_action(event)
        cards = parse_all(event["cards"])
        if len(cards) not in (1, 2):
            raise Illegal(f"{len(cards)} cards are no play")
        return self._pair_action(cards, event) if len(cards) == 2 else self._card_action(cards[0], event)

    def _flip_action(self, event: Event) -> int:
        card = int(self.state.flipped)
        if parse_one(event["card"]) != card:
            raise Illegal(f"card is {event['card']}, the pile gives {card_text(card)}")
        return action(game.FLIP, option_of(card, event))

    def _card_action(self, card: int, event: Event) -> int:
        held = cards_in(int(self.state.hand[self.state.turn]))
        if card not in held:
            raise Illegal(f"seat {event['p']} does not hold {card_text(card)}")
        return action(held.index(card), option_of(card, event))

    def _pair_action(self, cards: list[int], event: Event) -> int:
        held = cards_in(int(self.state.hand[self.state.turn]))
        if any(hands.KIND[card + 1] != hands.JOKER for card in cards):
            raise Illegal("only two jokers are played together")
        for place, slots in enumerate(game.PAIRS, game.FIRST_PAIR):
            if sorted(held[slot] for slot in slots if slot < len(held)) == sorted(cards) and self.state.options[place]:
                return action(place, target_of(event))
        raise Illegal(f"seat {event['p']} does not hold {' '.join(map(card_text, cards))}")

    # Carried out all the same

    def make_way(self, event: Event) -> None:
        """The turn of the seat, if it is not dead, at a count from which the card leads to the one recorded."""
        state, seat = self.state, self.check_seat(event)
        awaits = int(state.awaiting) >> seat & 1
        if not awaits and not int(state.living) >> seat & 1:
            raise Illegal(f"seat {seat} is dead")
        if seat != state.turn:
            self._give_turn(seat)
        card = parse_one(event["card"]) if event["e"] == "flip" else (parse_all(event.get("cards")) or [0])[0]
        value = int(hands.VALUE[hands.KIND[card + 1]]) * (-1 if event["sign"] == -1 else 1)
        if 0 <= event["n"] - value <= hands.TOP and hands.KIND[card + 1] != hands.KING:
            state.n = event["n"] - value
        if not awaits:
            survey_hand(self.rules, state)
            return
        self._turn_up(card)
        survey_flip(self.rules, state)

    def _give_turn(self, seat: int) -> None:
        state = self.state
        state.turn = seat
        state.pointed = state.extra = 0
        state.chosen = game.NONE

    def _turn_up(self, card: int) -> None:
        """Let this card of the pile be the one turned up."""
        state = self.state
        if state.flipped == game.NONE:
            if not state.stock_n:
                raise Illegal("the pile is empty")
            state.stock_n -= 1
            state.flipped = state.stock[state.stock_n]
        if state.flipped != card:
            self.exchange(card, int(state.flipped))
            state.flipped = card

    def hand_over(self, event: Event) -> None:
        """Cards of the seat change places with those recorded."""
        state, seat = self.state, event["p"]
        if event["e"] != "play":
            raise Illegal("no card is played")
        cards = parse_all(event["cards"])
        held = cards_in(int(state.hand[seat]))
        spare = list((Counter(held) - Counter(cards)).elements())
        for card in (Counter(cards) - Counter(held)).elements():
            if not spare:
                raise Illegal(f"seat {seat} holds {len(held)} cards")
            given = spare.pop()
            self.exchange(card, given)
            held[held.index(given)] = card
            state.hand[seat] = hand_of(held)
        survey_hand(self.rules, state)

    def exchange(self, wanted: int, given: int) -> None:
        """Put a card where another one is: in the pile, among the cards played, or in a hand. Raises Illegal if it is
        nowhere."""
        state = self.state
        for place in (state.stock[: int(state.stock_n)], state.discards[: int(state.discards_n)]):
            if wanted in place:
                place[place.tolist().index(wanted)] = given
                return
        for seat in range(self.rules.players):
            held = cards_in(int(state.hand[seat]))
            if wanted in held and seat != state.turn:
                held[held.index(wanted)] = given
                state.hand[seat] = hand_of(held)
                return
        raise Illegal("there is no such card")

    # What chance brought

    def drawn(self, event: Event) -> int | None:
        """The card that fills the hand."""
        return next(iter(cards_among([event.get("drew")])), None)

    def prepare(self, event: Event, reshuffle: Event | None) -> list[str]:
        """The card that a 7 takes; and if the order of the pile is not known, the cards drawn on top of it."""
        self.state.recorded_took = next((card + 1 for card in cards_among([event.get("took")])), 0)
        if self._open:
            self._arrange()
        return []

    def _arrange(self) -> None:
        """Bring the cards shown as drawn to the top of the pile, as far as they are in it."""
        stock, top = self.state.stock, int(self.state.stock_n) - 1
        for card in self._draws[: top + 1]:
            place = next((place for place in range(top, -1, -1) if stock[place] == card), top)
            stock[place], stock[top] = int(stock[top]), int(stock[place])
            top -= 1

    def _apply(
        self, action: int, count: int, event: Event | None = None, reshuffle: Event | None = None
    ) -> tuple[deque[Event], list[str]]:
        """Keep the state, to carry the decision out once more when more is known."""
        self._before[:] = self._states
        self._decision = (action, count, event, reshuffle)
        self._open = not self.order_known
        self._draws = cards_among([(event or {}).get("drew")])
        self._pile = cards_among((reshuffle or {}).get("pile", []))
        self._read = 0
        return self._play()

    def _play(self) -> tuple[deque[Event], list[str]]:
        """Carry out the last decision; twice if a pile was made anew in it, whose order is not that of a shuffle."""
        left = int(self.state.stock_n)
        lines, problems = super()._apply(*self._decision)
        remade = next((line for line in lines if line["e"] == "remake"), None)
        if remade is None:
            return lines, problems
        if remade is lines[0] and not self._decision[-1]:
            self.order_known = False
        order = self._order_of(Counter(parse_all(remade["pile"])), self._draws[left:])
        self._states[:] = self._before
        self.state.recorded_stock_n = len(order)
        self.state.recorded_stock[: len(order)] = order
        return super()._apply(*self._decision)

    def _order_of(self, cards: Counter[int], draws: list[int]) -> list[int]:
        """The pile made of these cards: as recorded, or if it cannot be that, with what is drawn next on top."""
        if cards == Counter(self._pile):
            return self._pile
        order = []
        for card in [*draws, *self._pile, *sorted(cards)]:
            if cards[card]:
                order.append(card)
                cards[card] -= 1
        return order + list(cards.elements())

    def learn(self, event: Event) -> None:
        """A new pile, or a card turned up from a pile of unknown order, is news about the last decision."""
        if not self._decision:
            return
        due = next((line["e"] for line in self._due), "flip" if self.state.flipped != game.NONE else "")
        if event["e"] == "remake" and any(line["e"] == "remake" for line in self._due):
            self._pile = cards_among(event.get("pile", []))
        elif event["e"] == "flip" and due in ("flip", "remake"):
            self.order_known &= due == "flip"
            if self.order_known:
                return
            self._open = True
            self._draws += cards_among([event.get("card"), event.get("drew")])
        else:
            return
        self._states[:] = self._before
        lines, _ = self._play()
        own = int(lines[0]["e"] == "remake")
        self._due = deque(list(lines)[own + 1 + self._read :])
        self._close_if_over()

    def _read_due(self, event: Event) -> list[str]:
        waiting = len(self._due)
        problems = super()._read_due(event)
        self._read += waiting - len(self._due)
        return problems

    def check_reshuffle(self, event: Event) -> list[str]:
        """A pile made anew has every card played; the play that needs it, and a hand thrown by it, come on top."""
        state = self.state
        pile = Counter(parse_all(event["pile"]))
        played = Counter(state.discards[: int(state.discards_n)].tolist())
        held = Counter(card for hand in state.hand[: self.rules.players] for card in cards_in(int(hand)))
        if state.flipped != game.NONE:
            held[int(state.flipped)] += 1
        problems = []
        if self.partial and not pile:
            return []
        if state.stock_n:
            problems.append(f"the pile still has {int(state.stock_n)} cards")
        if played - pile:
            problems.append(f"played, but not in the pile: {_texts(played - pile)}")
        if pile - played - held:
            problems.append(f"in the pile, but not played: {_texts(pile - played - held)}")
        return problems
