"""The toy game as transcript lines, and transcript lines judged."""

from typing import Any

from kernels.notation import card_symbol, card_text, parse_card
from kernels.referee import base
from kernels.referee.lines import Event, Illegal
from tests.toy import game

KINDS = {
    "deal": {"game": str, "round": int, "hands": list, "stock": list},
    "play": {"p": int, "card": str},
    "end": {"winner": int},
}


def deal_event(rules: Any, state: Any) -> Event:
    hands = [[card_text(int(card)) for card in state.hands[seat]] for seat in range(rules.players)]
    stock = [card_text(int(card)) for card in state.stock[: int(state.stock_n)][::-1]]
    return {"e": "deal", "game": "toy", "round": int(state.round_no), "hands": hands, "stock": stock}


def events(rules: Any, before: Any, move: Any, after: Any) -> list[Event]:
    card = card_text(int(before.hands[move.seat, move.action]))
    return [{"e": "play", "p": int(move.seat), "card": card, "legal": int(move.legal)}]


def end_events(rules: Any, before: Any, after: Any) -> list[Event]:
    return [{"e": "end", "winner": int(game.winner(rules, after))}]


def describe(rules: Any, before: Any, event: Event) -> str:
    if event["e"] == "deal":
        return f"Round {event['round']}"
    if event["e"] == "play":
        return f"  {event['p']} plays {card_symbol(parse_card(event['card']))}"
    return f"Seat {event['winner']} wins"


class Referee(base.Referee):
    """Checks the cards played; deals are taken as they come."""

    DECISIONS = frozenset({"play"})

    def start(self, event: Event) -> list[str]:
        try:
            hands = [[parse_card(text) for text in hand] for hand in event["hands"]]
            stock = [parse_card(text) for text in event["stock"]]
        except ValueError as reason:
            raise Illegal(str(reason)) from None
        if len(hands) != self.rules.players or any(len(hand) != game.HAND for hand in hands):
            raise Illegal(f"{self.rules.players} hands of {game.HAND} are dealt")
        self.state.turn = 0
        self.state.hands[: len(hands)] = hands
        self.state.stock[: len(stock)] = stock[::-1]
        self.state.stock_n = len(stock)
        return []

    def action_of(self, event: Event) -> int:
        seat = int(self.state.turn)
        hand = [card_text(int(card)) for card in self.state.hands[seat]]
        if event["p"] != seat or event["card"] not in hand:
            raise Illegal(f"it is seat {seat} who plays, one of {' '.join(hand)}")
        return hand.index(event["card"])
