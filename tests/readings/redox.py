"""REDOX: the records of a match, read off its transcript."""

from collections import Counter
from typing import Any

from tests.naive import redox_slams
from tests.readings import Line, Row, by_seat, deals, rank

RANKS = "A23456789TJQK"
SUITS = "shdc"
Rules = dict[str, Any]


def rounds(lines: list[Line], rules: Rules) -> list[Row]:
    """One row a round, without dealt distances."""
    rows: list[Row] = []
    totals = [0] * rules["players"]
    for played in deals(lines):
        row, points = _row(played, rules)
        totals = [total + gain for total, gain in zip(totals, points, strict=True)]
        rows.append(row | by_seat("points", points) | {"match_outcome": _match_outcome(row["round"], totals, rules)})
    return rows


def distances(lines: list[Line], rules: Rules) -> list[Row]:
    """The column that takes long to read, one row a round."""
    return [
        by_seat("dealt_distance", [_distance(hand, rules["min_naturals"]) for hand in played[0]["hands"]])
        for played in deals(lines)
    ]


def _row(lines: list[Line], rules: Rules) -> tuple[Row, list[int]]:
    deal, turns = lines[0], [line for line in lines if line["e"] == "turn"]
    seats = [turn["p"] for turn in turns]
    hands = _hands_left(deal, turns)
    opened = [_opened_turn(seat, turns) for seat in range(len(hands))]
    plots = [number for number, turn in enumerate(turns, 1) if turn["a"] in ("plot", "slam")]
    slam = bool(turns) and turns[-1]["a"] == "slam"
    winner = next((seat for seat, hand in enumerate(hands) if not hand), -1)
    row = {
        "round": deal["round"],
        "outcome": "void" if winner < 0 else "slam" if slam else "out",
        "winner": winner,
        "leader": deal["leader"],
        "turns": len(turns),
        "orbit": seats.count(winner),
        "slam": slam,
        "dir": 1 if deal["round"] % 2 else -1,
        "first_plot_turn": plots[0] if plots else 0,
        "first_plot_seat": seats[plots[0] - 1] if plots else -1,
        "recycles": sum(line["e"] == "recycle" for line in lines),
        "pile_taken": sum(turn["a"] == "discard" and turn["from"] == "pile" for turn in turns),
        **by_seat("jokers", [sum(rank(card) == "X" for card in hand) for hand in deal["hands"]]),
        **by_seat("opened_turn", opened),
        **by_seat("left", [sum(hand.values()) for hand in hands]),
    }
    return row, _points(hands, winner, slam, rules)


def _hands_left(deal: Line, turns: list[Line]) -> list[Counter[str]]:
    """The hands at the end: each turn takes cards out of one, a discard puts one back."""
    hands = [Counter(hand) for hand in deal["hands"]]
    for turn in turns:
        hand = hands[turn["p"]]
        if turn["a"] == "discard":
            laid = [turn["card"]]
        else:
            laid = turn["cards"] if turn["a"] != "slam" else [card for plot in turn["plots"] for card in plot]
        hand.subtract(laid)
        assert min(hand.values()) >= 0, f"{turn} lays a card that is not held"
        if turn["a"] == "discard":
            hand[turn["got"]] += 1
        hands[turn["p"]] = +hand
    return hands


def _opened_turn(seat: int, turns: list[Line]) -> int:
    """The turn of the round in which a seat laid its first plot, or its slam; 0 if it did not."""
    own = (number for number, turn in enumerate(turns, 1) if turn["p"] == seat and turn["a"] in ("plot", "slam"))
    return next(own, 0)


def _points(hands: list[Counter[str]], winner: int, slam: bool, rules: Rules) -> list[int]:
    if winner < 0:
        return [0] * len(hands)
    worth = [sum(_value(card, rules) * count for card, count in hand.items()) for hand in hands]
    factor = rules["scoring.slam_factor"] if slam else 1
    return [rules["scoring.winner"] if seat == winner else factor * points for seat, points in enumerate(worth)]


def _value(card: str, rules: Rules) -> int:
    named = {"X": "joker", "A": "ace", "J": "face", "Q": "face", "K": "face"}.get(rank(card))
    return rules[f"scoring.{named}"] if named else RANKS.index(rank(card)) + 1


def _match_outcome(number: int, totals: list[int], rules: Rules) -> str:
    if rules["target"] is not None and max(totals) >= rules["target"]:
        return "target"
    if number == rules["rounds"]:
        return "rounds"
    return "limit" if rules["target"] is not None and number == rules["max_rounds"] else ""


def _distance(hand: list[str], min_naturals: int) -> int:
    """Least number of cards to exchange for the hand to be a slam, found by trying out every split."""
    codes = [
        redox_slams.JOKER if rank(card) == "X" else SUITS.index(card[1]) * len(RANKS) + RANKS.index(card[0])
        for card in hand
    ]
    return redox_slams.slam_distance(codes, min_naturals)
