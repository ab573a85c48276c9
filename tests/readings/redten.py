"""Jiaxing Red Ten: the records of a match, read off its transcript."""

from collections import Counter
from typing import Any

from tests.readings import Line, Row, by_seat, deals, rank

Rules = dict[str, Any]
SEATS = range(4)
RED_TENS = {"Th", "Td"}
JOKERS = {"Xb", "Xs"}


def rounds(lines: list[Line], rules: Rules) -> list[Row]:
    """One row a round."""
    return [_row(played, rules) for played in deals(lines)]


def _row(lines: list[Line], rules: Rules) -> Row:
    deal = lines[0]
    hands = [set(hand) for hand in deal["hands"]]
    sides = [int(bool(hand & RED_TENS)) for hand in hands]
    turns = [line for line in lines if line["e"] in ("play", "pass")]
    plays = [set(turn["cards"]) for turn in turns if turn["e"] == "play"]
    places = _places(lines)
    outcome, points = _result(places, sides, rules)
    shown = {card for line in lines if line["e"] == "show" for card in line["cards"]} == RED_TENS
    multiplier = _multiplier(outcome, shown, rules)
    last = next(turn["p"] for turn in reversed(turns) if turn["e"] == "play")
    return {
        "round": deal["round"],
        "outcome": outcome,
        "winner": places[0],
        "leader": next(seat for seat in SEATS if "3h" in hands[seat]),
        "turns": len(turns),
        "orbit": sum(turn["p"] == last for turn in turns),
        "solo": sum(sides) == 1,
        "shown": shown,
        "multiplier": multiplier,
        "bombs": sum(len(cards) > 2 and len({_rank(card) for card in cards}) == 1 for cards in plays),
        "joker_bombs": plays.count(JOKERS),
        "red_ten_bombs": plays.count(RED_TENS),
        "match_outcome": "rounds" if deal["round"] == rules["rounds"] else "",
        **by_seat("points", [multiplier * gain for gain in points]),
        **by_seat("side", sides),
        **by_seat("place", [places.index(seat) + 1 for seat in SEATS]),
        **by_seat("dealt_bombs", [_bombs(hand) for hand in hands]),
    }


def _rank(card: str) -> str:
    """Red tens and black ones are two ranks."""
    return "R" if card in RED_TENS else rank(card)


def _bombs(hand: set[str]) -> int:
    return sum(count >= 3 for count in Counter(map(_rank, hand)).values())


def _places(lines: list[Line]) -> list[int]:
    """Seats in the order in which they ran out of cards, then those still holding some, on from the last one out."""
    left = [len(hand) for hand in lines[0]["hands"]]
    out = []
    for line in lines:
        if line["e"] == "play":
            left[line["p"]] -= len(line["cards"])
            if left[line["p"]] == 0:
                out.append(line["p"])
    return out + [(out[-1] + step) % 4 for step in SEATS if left[(out[-1] + step) % 4]]


def _result(places: list[int], sides: list[int], rules: Rules) -> tuple[str, list[int]]:
    """The outcome and what each seat gets, before the multiplier."""
    if sum(sides) == 1:
        lone = places.index(sides.index(1))
        key = ("first", "middle", "middle", "last")[lone]
        own, others = rules[f"scoring.lone_{key}"]
        outcome = {"first": "solo_win", "middle": "solo_drawn", "last": "solo_loss"}[key]
        return outcome, [own if side else others for side in sides]
    winners = sides[places[0]]
    partner = next(place for place in (1, 2, 3) if sides[places[place]] == winners)
    gain = rules["scoring." + ("first_second", "first_third", "first_fourth")[partner - 1]]
    colour = "red" if winners else "black"
    outcome = (f"{colour}_big", f"{colour}_small", "drawn")[partner - 1]
    return outcome, [gain if side == winners else -gain for side in sides]


def _multiplier(outcome: str, shown: bool, rules: Rules) -> int:
    if not shown or outcome in ("drawn", "solo_drawn"):
        return 1
    red_won = outcome.startswith("red") or outcome == "solo_win"
    return rules["scoring.shown_won" if red_won else "scoring.shown_lost"]
