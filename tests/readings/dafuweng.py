"""Da Fu Weng: the records of a match, read off its transcript."""

from typing import Any

from tests.readings import Line, Row, by_seat, deals, rank

Rules = dict[str, Any]
TURNS = ("play", "flip")
FULL = 99


def rounds(lines: list[Line], rules: Rules) -> list[Row]:
    """One row a round."""
    return [_row(played, rules) for played in deals(lines)]


def _row(lines: list[Line], rules: Rules) -> Row:
    deal = lines[0]
    turns = [line for line in lines if line["e"] in TURNS]
    flips = [line for line in turns if line["e"] == "flip"]
    deaths = [line for line in lines if line["e"] == "die"]
    outcome = _outcome(lines, rules)
    first = lines.index(deaths[0]) if deaths else 0
    before = [line for line in lines[:first] if line["e"] in TURNS]
    seats = [turn["p"] for turn in turns]
    return {
        "round": deal["round"],
        "outcome": outcome,
        "winner": -1,
        "leader": deal["first"],
        "turns": len(turns),
        "orbit": 0 if outcome == "limit" else seats.count(seats[-1]),
        "first_dead": deaths[0]["p"] if deaths else -1,
        "first_dead_turn": len(before),
        "after_king": bool(before) and _is_anothers_king(before[-1], deaths[0]["p"]),
        "deaths": len(deaths),
        "revivals": sum(flip["alive"] for flip in flips),
        "failed_revivals": sum(not flip["alive"] for flip in flips),
        "kills": sum(line["why"] == "killed" for line in deaths),
        "brute_modes": _brute_modes(lines, rules),
        "exchanges": sum(_is_exchange(turn) for turn in turns),
        "n_99": any(turn["n"] == FULL for turn in turns),
        "match_outcome": "rounds" if deal["round"] == rules["rounds"] else "",
        **by_seat("points", _points(outcome, rules["players"])),
    }


def _cards(turn: Line) -> list[str]:
    return [turn["card"]] if turn["e"] == "flip" else turn["cards"]


def _is_anothers_king(turn: Line, dead: int) -> bool:
    return turn["p"] != dead and rank(_cards(turn)[0]) == "K"


def _is_exchange(turn: Line) -> bool:
    """An ace but that of spades, with somebody to exchange with."""
    card = _cards(turn)[0]
    return rank(card) == "A" and card != "As" and turn["target"] is not None


def _brute_modes(lines: list[Line], rules: Rules) -> int:
    """How often an ace of spades turned brute mode on: it turns it off if it is on and the opener is another."""
    brute, opener, count = False, None, 0
    for line in lines:
        if line["e"] == "die" and line["p"] == opener:
            opener = None
            brute = brute and rules["death"] == "empty_hand"
        if line["e"] not in TURNS:
            continue
        if brute and line["p"] == opener:
            brute, opener = False, None
        if _cards(line)[0] == "As":
            brute = not brute
            opener = line["p"] if brute else None
            count += brute
    return count


def _outcome(lines: list[Line], rules: Rules) -> str:
    """Who has nobody alive at the end; those who await count as dead."""
    alive = set(range(rules["players"]))
    for line in lines:
        if line["e"] == "die":
            alive.discard(line["p"])
        elif line["e"] == "flip" and line["alive"]:
            alive.add(line["p"])
    living = {seat % 2 for seat in alive}
    if living == {0, 1}:
        assert sum(line["e"] in TURNS for line in lines) == rules["max_turns"]
        return "limit"
    return f"team{living.pop()}" if living else "draw"


def _points(outcome: str, players: int) -> list[int]:
    if not outcome.startswith("team"):
        return [0] * players
    return [1 if outcome == f"team{seat % 2}" else -1 for seat in range(players)]
