"""Transcript lines of Da Fu Weng checked and, where they break the rules, followed as far as they make sense."""

import copy
from collections import Counter, deque
from types import SimpleNamespace
from typing import Any

from kernels import engine
from kernels.dafuweng import game, hands
from kernels.dafuweng.transcript.following import make_way, restore
from kernels.notation import FACES, card_text, parse_card
from kernels.referee.base import Event, Illegal
from kernels.referee.guessing import Guessing, put_right

_SLIPS = 2
"""A line that breaks the rules is followed as the legal one from which it differs in so many fields at most."""


def parse_one(text: Any) -> int:
    """A card of a transcript. Raises Illegal with the reason."""
    if not isinstance(text, str):
        raise Illegal(f"{str(text)[:20]!r} is no card")
    try:
        return parse_card(text)
    except ValueError as reason:
        raise Illegal(str(reason)) from None


def parse_all(texts: Any) -> list[int]:
    """Cards of a list in a transcript. Raises Illegal with the reason."""
    if not isinstance(texts, list):
        raise Illegal(f"{str(texts)[:60]} is no list of cards")
    return [parse_one(text) for text in texts]


def _texts(cards: Counter[int]) -> str:
    return " ".join(card_text(card) for card in sorted(cards.elements()))


class Referee(Guessing):
    """Follows one transcript; what chance brings is taken from its lines, everything else from the rules."""

    UNORDERED = frozenset(("cards",))
    PRELUDES = frozenset(("remake",))
    DECISIONS = frozenset(("play", "flip", "die"))
    FIRST = "first"
    KEPT = (
        *Guessing.KEPT,
        *("_round", "_before", "_action", "_told", "_pile", "_took", "_given", "_done", "_order_lost", "_unsure"),
    )

    def __init__(self, chosen: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(chosen, rules, partial)
        self._round = 0
        self._before: Any = None
        self._action = 0
        self._told: list[int] = []
        self._pile: list[int] = []
        self._took: list[int] = []
        self._given: list[Event] = []
        self._done = 0
        self._order_lost = False
        self._unsure = False

    # The deal

    def start(self, event: Event) -> list[str]:
        """Set up the table of a `deal` line. Raises Illegal if it cannot be played from."""
        players = self.rules.players
        self._order_lost = self._unsure = False
        if len(event["hands"]) != players:
            raise Illegal(f"{len(event['hands'])} hands for {players} players")
        if not 0 <= event["first"] < players:
            raise Illegal(f"first is {event['first']}, the seats are 0 to {players - 1}")
        dealt = [parse_all(hand) for hand in event["hands"]]
        for seat, hand in enumerate(dealt):
            if not 1 <= len(hand) <= game.HAND:
                raise Illegal(f"seat {seat} is dealt {len(hand)} cards, not {game.HAND}")
        pile = parse_all(event["pile"])
        problems = self._check_order(event) + [
            f"seat {seat} is dealt {len(hand)} cards, not {game.HAND}"
            for seat, hand in enumerate(dealt)
            if len(hand) != game.HAND
        ]
        problems += self._check_pack(dealt, pile)
        self._set_table(event, dealt, pile)
        return problems

    def _check_order(self, event: Event) -> list[str]:
        """Number of the game in its match, and who begins it."""
        number, before = event["round"], self._round
        self._round = number
        problems = []
        if event["game"] != "dafuweng":
            problems.append(f"the game is {event['game']}")
        if (number not in (1, before + 1) and not self.midway) or number > self.rules.rounds:
            problems.append(f"round is {number}, after round {before} of a match of {self.rules.rounds}")
        last_dead = int(self.state.first_dead)
        if number == before + 1 and number > 1 and last_dead != game.NONE and event["first"] != last_dead:
            problems.append(f"first is {event['first']}, the first to die in the last game was {last_dead}")
        return problems

    def _check_pack(self, dealt: list[list[int]], pile: list[int]) -> list[str]:
        """Cards missing or too many; a pile that is not known is filled up with what is missing."""
        seen = Counter(pile)
        for hand in dealt:
            seen.update(hand)
        pack = Counter({card: self.rules.decks for card in range(FACES)})
        problems = []
        if seen - pack:
            self._unsure = True
            problems.append(f"more than the pack has: {_texts(seen - pack)}")
        if pack - seen and self.partial:
            pile.extend((pack - seen).elements())
        elif pack - seen:
            problems.append(f"missing from the pack: {_texts(pack - seen)}")
        del pile[game.MAX_CARDS :]
        return problems

    def _set_table(self, event: Event, dealt: list[list[int]], pile: list[int]) -> None:
        state = self.state
        state.round_no = event["round"]
        state.stock_n = len(pile)
        state.stock_mixed = 1
        for place, card in enumerate(reversed(pile)):
            state.stock[place] = card
        game.lay_out(self.rules, state, event["first"])
        for seat, hand in enumerate(dealt):
            state.hand[seat] = sum((card + 1) << (hands.SLOT_BITS * slot) for slot, card in enumerate(hand))
        game.open_game(self.rules, state)

    # Decisions

    def action_of(self, event: Event) -> int:
        """The action of a line. Raises Illegal if it can be none."""
        self._action = self._action_of(event)
        return self._action

    def _action_of(self, event: Event) -> int:
        state = self.state
        seat = int(state.turn)
        if event["e"] == "die" and event["why"] != "suicide":
            raise Illegal(f"seat {event['p']} does not die here")
        if event["p"] != seat:
            raise Illegal(f"it is the turn of seat {seat}, not of seat {event['p']}")
        if event["e"] == "die":
            return _action(game.DECLINE, hands.PLAIN)
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
        return _action(game.FLIP, _option(card, event))

    def _card_action(self, card: int, event: Event) -> int:
        hand = int(self.state.hand[self.state.turn])
        for slot in range(hands.size(hand)):
            if hands.card_in(hand, slot) == card:
                return _action(slot, _option(card, event))
        raise Illegal(f"seat {event['p']} does not hold {card_text(card)}")

    def _pair_action(self, cards: list[int], event: Event) -> int:
        hand = int(self.state.hand[self.state.turn])
        if any(hands.KIND[card + 1] != hands.JOKER for card in cards):
            raise Illegal("only two jokers are played together")
        for place, slots in enumerate(game.PAIRS, game.FIRST_PAIR):
            held = [hands.card_in(hand, slot) for slot in slots if slot < hands.size(hand)]
            if sorted(held) == sorted(cards) and self.state.options[place]:
                return _action(place, _target(event))
        raise Illegal(f"seat {event['p']} does not hold {' '.join(map(card_text, cards))}")

    # What chance brought

    def drawn(self, event: Event) -> str | None:
        """The card that fills the hand."""
        if self.partial or self._order_lost or self._unsure or not _known_cards([event.get("drew")]):
            return None
        return str(event["drew"])

    def prime(self, preludes: list[Event], event: Event) -> None:
        """Keep the state for a second look, and tell it what the lines know."""
        self._before = copy.deepcopy(self.state)
        self._done = 0
        self._pile = _known_cards(preludes[-1]["pile"]) if preludes else []
        self._took = _known_cards([event.get("took")]) if self._kind_of_action() == hands.SEVEN else []
        self._told = _known_cards([event.get("drew")])
        self._tell()

    def _tell(self) -> None:
        state = self.state
        state.told_took = self._took[0] + 1 if self._took else 0
        pile = self._pile_made_anew()
        state.told_pile_n = len(pile)
        state.told_pile[: len(pile)] = pile
        if self.partial or self._order_lost:
            self._arrange()

    def _pile_made_anew(self) -> list[int]:
        """The pile that the action makes anew: as told, or if it cannot be that, with what is drawn next on top."""
        state = self.state
        left = int(state.stock_n)
        if left >= game.HAND:
            return []
        kept = copy.deepcopy(state)
        state.remade_n = state.told_pile_n = 0
        self.step(engine.APPLY, self._action)
        due = Counter(state.remade[: int(state.remade_n)].tolist())
        restore(state, kept)
        if due == Counter(self._pile):
            return self._pile
        order = []
        for card in [*self._told[left:], *self._pile, *sorted(due)]:
            if due[card]:
                order.append(card)
                due[card] -= 1
        return order + list(due.elements())

    def _kind_of_action(self) -> int:
        state = self.state
        place = self._action & game.PLACE_MASK
        if place < game.HAND:
            return int(hands.KIND[(int(state.hand[state.turn]) >> hands.SLOT_BITS * place) & hands.CARD_MASK])
        return int(hands.KIND[state.flipped + 1]) if place == game.FLIP else hands.JOKER

    def _arrange(self) -> None:
        """Bring the cards told to the top of a pile whose order is not known."""
        state = self.state
        top = int(state.stock_n) - 1
        for card in self._told[: top + 1]:
            for place in range(top, -1, -1):
                if state.stock[place] == card:
                    state.stock[place] = state.stock[top]
                    state.stock[top] = card
                    break
            top -= 1

    def _look_again(self) -> None:
        """Carry out the last decision once more, now that a line has told what chance brought after it."""
        restore(self.state, self._before)
        self._tell()
        lines = self._apply(self._action)
        self._expected = deque(lines[self._done :])
        self._close_if_over(self.state)

    def _apply(self, action: int) -> list[Event]:
        """Carry out an action; returns the lines of the decision."""
        count = self.step(engine.COUNT)
        before = copy.deepcopy(self.state)
        move = SimpleNamespace(seat=int(before.turn), action=action, legal=count)
        self.step(engine.APPLY, action)
        return list(self.game.transcript.events(self.rules, before, move, self.state))

    # Lines

    def judge(self, event: Event) -> list[str]:
        """As for every game; with an unknown pile, a card turned up is news about what came before."""
        if (self.partial or self._order_lost) and self._is_news(event):
            self._told += _known_cards([event.get("card"), event.get("drew")])
            self._look_again()
        problems = super().judge(event)
        if any(problem.startswith("missing before this line: remake") for problem in problems):
            self._order_lost = True
        return problems

    def doubts(self, prelude: Event) -> list[str]:
        """What is wrong with a pile made anew, as far as that shows before the play that needed it."""
        state = self.state
        pile = Counter(_known_cards(prelude["pile"]))
        played = Counter(state.played[: int(state.played_n)].tolist())
        held = Counter([int(state.flipped)] if state.flipped != game.NONE else [])
        for seat in range(self.rules.players):
            hand = int(state.hand[seat])
            held.update(hands.card_in(hand, slot) for slot in range(hands.size(hand)))
        problems = []
        if pile.total() != len(prelude["pile"]):
            problems.append("the pile has what is no card")
        if state.stock_n:
            problems.append(f"the pile still has {int(state.stock_n)} cards")
        if played - pile:
            problems.append(f"played, but not in the pile: {_texts(played - pile)}")
        if pile - played - held:
            problems.append(f"in the pile, but not played: {_texts(pile - played - held)}")
        return problems

    def _is_news(self, event: Event) -> bool:
        if not isinstance(event, dict) or event.get("e") != "flip" or self._before is None or not self.dealt:
            return False
        if self._expected:
            return self._expected[0]["e"] == "flip"
        return bool(self.state.flipped != game.NONE)

    def _read_consequence(self, event: Event) -> list[str]:
        due = next((line for line in self._expected if line["e"] == event["e"]), None)
        if event["e"] == "remake" and due is not None and due["pile"] != event["pile"]:
            pile = _known_cards(event["pile"])
            if Counter(pile) == Counter(_known_cards(due["pile"])):
                self._pile = pile
                self._look_again()
        waiting = len(self._expected)
        problems = super()._read_consequence(event)
        self._done += waiting - len(self._expected)
        return problems

    def _read_decision(self, event: Event) -> list[str]:
        self._given = list(self._preludes)
        self._order_lost |= self._doubted
        return super()._read_decision(event)

    def chances(self, action: int, event: Event) -> list[Event]:
        """A 7 may have taken any card of its target's hand."""
        self._action = action
        target = action >> game.PLACE_BITS
        if self._kind_of_action() != hands.SEVEN or not 0 <= target < self.rules.players:
            return [{} if self._check_shape(event) else event]
        hand = int(self.state.hand[target])
        cards = {hands.card_in(hand, slot) for slot in range(hands.size(hand))}
        return [{"drew": None, "took": card_text(card)} for card in sorted(cards)]

    def _decide(self, action: int, hint: Event) -> Event:
        """As for every game; and what chance brought is told."""
        self._action = action
        self.prime(self._preludes, hint)
        return super()._decide(action, hint)

    def repaired(self, event: Event) -> list[Event]:
        """Number and first player as the rules give them, or one card put right."""
        going_on = self.rounds and self._round < self.rules.rounds
        due = event | {"round": self._round + 1 if going_on else 1}
        last_dead = int(self.state.first_dead)
        return [due, due | {"first": last_dead}, *([] if self.partial else self._with_card_put_right(event))]

    def _with_card_put_right(self, event: Event) -> list[Event]:
        try:
            places = [parse_all(place) for place in (*event["hands"], event["pile"])]
        except Illegal:
            return []
        pack = Counter({card: self.rules.decks for card in range(FACES)})
        sizes = [game.HAND] * len(event["hands"])
        return [
            event | {"hands": cards[:-1], "pile": cards[-1]}
            for cards in put_right(places, [*sizes, pack.total() - sum(sizes)], pack)
        ]

    # Lines that break the rules

    def force(self, event: Event) -> list[Event]:
        """Follow the legal action whose line is all but the one told, or that was left out before it; if there is
        none, leave the line alone. Returns what is due after it."""
        if event["e"] == "die":
            return []
        start = copy.deepcopy(self.state)
        actions = self._legal_actions()
        scores = [_differences(_own_line(self._try(start, action, event)), event) for action in actions]
        if min(scores) <= _SLIPS:
            lines = self._try(start, actions[scores.index(min(scores))], event)
            self._done = lines.index(_own_line(lines)) + 1
            return lines[self._done :]
        return self._force_after_gap(start, actions, event)

    def knows_choices(self) -> bool:
        """Whether all hands are known: no line was missing or beyond repair in this game."""
        return not self._unsure

    def _force_after_gap(self, start: Any, actions: list[int], event: Event) -> list[Event]:
        """Suppose that one decision is missing, if the line fits exactly after one."""
        self._unsure = True
        for missing in actions:
            self._try(start, missing, {})
            if self.step(engine.IS_OVER) or self.state.turn != event["p"]:
                continue
            between = copy.deepcopy(self.state)
            for action in self._legal_actions():
                lines = self._try(between, action, event)
                if _differences(_own_line(lines), event) == 0:
                    self._done = lines.index(_own_line(lines)) + 1
                    return lines[self._done :]
        restore(self.state, start)
        if not make_way(self, event):
            return []
        lines = self._try(copy.deepcopy(self.state), self.action_of(event), event)
        self._done = lines.index(_own_line(lines)) + 1
        return lines[self._done :]

    def _legal_actions(self) -> list[int]:
        count = self.step(engine.COUNT)
        return [int(action) for action in self._work.actions[:count]]

    def _try(self, start: Any, action: int, event: Event) -> list[Event]:
        restore(self.state, start)
        self._action = action
        self.prime(self._given, event)
        return self._apply(action)


def _own_line(lines: list[Event]) -> Event:
    """The line of the decision itself."""
    return next(line for line in lines if line["e"] != "remake")


def _differences(line: Event, event: Event) -> int:
    """Number of fields in which a line differs from the one told."""
    return sum(event.get(name) != value for name, value in line.items() if name != "legal")


def _known_cards(texts: Any) -> list[int]:
    """The cards among these texts; whatever is none is left out, for the comparison with the rules to find."""
    found = []
    for text in texts:
        try:
            found.append(parse_one(text))
        except Illegal:
            continue
    return found


def _action(place: int, option: int) -> int:
    return place | option << game.PLACE_BITS


def _target(event: Event) -> int:
    target = event["target"]
    if target is None or not 0 <= target < hands.PLAIN:
        raise Illegal(f"target is {target}, a seat is needed")
    return int(target)


def _option(card: int, event: Event) -> int:
    """What a line says about sign or target. Raises Illegal if the card needs what is not told."""
    kind = int(hands.KIND[card + 1])
    if hands.AIMED[kind]:
        return _target(event)
    if kind in (hands.TEN, hands.QUEEN):
        if event["sign"] not in (1, -1):
            raise Illegal(f"sign is {event['sign']}, {card_text(card)} needs 1 or -1")
        return hands.PLAIN if event["sign"] > 0 else hands.TAKE
    return hands.PLAIN
