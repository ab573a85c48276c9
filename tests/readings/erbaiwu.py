"""Er Bai Wu: the records of a match, read off its transcript."""

from typing import Any

from tests.readings import Line, Row, by_seat, deals, rank

Rules = dict[str, Any]
FOLLOWERS = 3
LAID = {"show7": "card", "layoff": "card", "lift": "card", "lock": "cards", "string": "cards", "pong": "cards"}
"""Lines that lay cards on the table, and where they name them."""


def rounds(lines: list[Line], rules: Rules) -> list[Row]:
    """One row a round."""
    rows = []
    totals = [0] * rules["players"]
    for played in deals(lines):
        result = Round(played[0], rules)
        for line in played[1:]:
            result.read(line)
        rows.append(result.row(totals))
        totals = [rows[-1][f"total_{seat}"] for seat in range(rules["players"])]
    return rows


class Round:
    """Hands, stock and turns, carried on line by line."""

    def __init__(self, deal: Line, rules: Rules) -> None:
        self.rules = rules
        self.number, self.dealer = deal["round"], deal["dealer"]
        self.hands = [set(hand) for hand in deal["hands"]]
        self.stock = list(deal["stock"])
        self.outlaws: set[str] = set()
        self.discards: list[tuple[int, str]] = []
        self.turns_of = [0] * len(self.hands)
        self.between_turns = True
        self.outlaw_gone = False
        self.settler = -1
        self.fined: list[int] = []
        self.pongs = self.first_seven_turn = 0

    def read(self, line: Line) -> None:
        """Carry out one line."""
        kind = line["e"]
        if kind in ("nopong", "fine", "score", "end"):
            return
        seat = line["p"]
        if self.between_turns:
            self.turns_of[seat] += 1
            self.between_turns = False
        if kind in LAID:
            self.lay(seat, line)
        elif kind == "draw":
            self.hands[seat].add(self.stock.pop(0))
            self.between_turns = self.outlaw_gone
            self.outlaw_gone = False
        elif kind in ("discard", "outlaw"):
            self.hands[seat].remove(line["card"])
            self.discards.append((seat, line["card"]))
            self.between_turns = kind == "discard"
            self.outlaw_gone = kind == "outlaw"
        elif kind == "keep":
            self.between_turns = True
        elif kind == "settle":
            self.settler = seat

    def lay(self, seat: int, line: Line) -> None:
        """Cards go to the table; a joker outlaws the card that it names, for a fine if nobody can hold it any more."""
        field = LAID[line["e"]]
        cards, names = line[field], line.get("as", line[field])
        if field == "card":
            cards, names = [cards], [names]
        self.hands[seat] -= set(cards)
        self.pongs += line["e"] == "pong"
        if line["e"] == "show7" and not self.first_seven_turn:
            self.first_seven_turn = sum(self.turns_of)
        for card, name in zip(cards, names, strict=True):
            if rank(card) == "X":
                self.outlaws.add(name)
                if not any(name in place for place in (*self.hands, self.stock)):
                    self.fined.append(seat)

    # The score

    def row(self, totals: list[int]) -> Row:
        """The round's record, given the totals before it."""
        seats = range(len(self.hands))
        counted = [self.counted(seat) for seat in seats]
        points, gouged = self.scores(counted)
        fined = [self.fines(seat) for seat in seats]
        reached = [total + gain + fine for total, gain, fine in zip(totals, points, fined, strict=True)]
        bonus = [total == self.rules["scoring.bonus_at"] for total in reached]
        ended = [total + self.rules["scoring.bonus"] * has for total, has in zip(reached, bonus, strict=True)]
        match_outcome = self.match_outcome(ended)
        lost = [bool(match_outcome) and total > self.rules["match.until"] for total in ended]
        return {
            "round": self.number,
            "outcome": "exhausted" if self.settler < 0 else "settled",
            "winner": self.settler,
            "leader": self.dealer,
            "turns": sum(self.turns_of),
            "orbit": 0 if self.settler < 0 else self.turns_of[self.settler],
            "settler": self.settler,
            "gouged": gouged,
            "whole_five": self.is_whole_five(),
            "held_sevens": self.settler >= 0 and self.are_held_sevens(self.settler),
            "followed": self.is_followed(),
            "outlaw_fines": len(self.fined),
            "pongs": self.pongs,
            "first_seven_turn": self.first_seven_turn,
            "match_over": bool(match_outcome),
            "match_outcome": match_outcome,
            "losers": sum(lost),
            **by_seat("points", [after - before for after, before in zip(ended, totals, strict=True)]),
            **by_seat("hand", counted),
            **by_seat("total", ended),
            **by_seat("bonus", bonus),
            **by_seat("lost", lost),
        }

    def counted(self, seat: int) -> int:
        """Step 1: points of the hand, less the reward for held sevens."""
        points = sum(self.value(card) for card in self.hands[seat])
        if seat == self.settler and self.are_held_sevens(seat):
            points += self.rules["scoring.held_seven"] * len(self.hands[seat])
        return points

    def value(self, card: str) -> int:
        if card in self.outlaws:
            return int(self.rules["scoring.outlaw"])
        return int(self.rules["scoring.joker" if rank(card) == "X" else f"scoring.{rank(card)}"])

    def are_held_sevens(self, seat: int) -> bool:
        return self.rules["held_sevens"] and {rank(card) for card in self.hands[seat]} == {"7"}

    def is_whole_five(self) -> bool:
        return self.settler >= 0 and [rank(card) for card in self.hands[self.settler]] == ["5"]

    def is_followed(self) -> bool:
        """The dealer's first discard, and the next three after it, of one rank."""
        start = next((at for at, (seat, _) in enumerate(self.discards) if seat == self.dealer), 0)
        row = self.discards[start : start + FOLLOWERS + 1]
        return len(row) == FOLLOWERS + 1 and len({rank(card) for _, card in row}) == 1

    def scores(self, counted: list[int]) -> tuple[list[int], bool]:
        """Steps 2 and 3, in the order that the rules give: a whole five, and a gouge."""
        if self.settler < 0:
            return counted, False
        factor = self.rules["scoring.whole_five_factor"] if self.is_whole_five() else 1
        early = factor if self.rules["whole_five_before_gouge"] else 1
        points = [n if seat == self.settler else early * n for seat, n in enumerate(counted)]
        own = points[self.settler]
        others = [n for seat, n in enumerate(points) if seat != self.settler]
        gouged = own > 0 and min(others) <= own
        if gouged:
            points = [own + sum(others) if seat == self.settler else 0 for seat in range(len(points))]
        late = factor // early
        return [n if seat == self.settler else late * n for seat, n in enumerate(points)], gouged

    def fines(self, seat: int) -> int:
        """What the seat is fined beside its score."""
        followed = self.rules["scoring.fine_followed"] if seat == self.dealer and self.is_followed() else 0
        return int(followed + self.rules["scoring.fine_outlaw"] * self.fined.count(seat))

    def match_outcome(self, totals: list[int]) -> str:
        """How the match ended with this round, if it did."""
        wanted = self.rules["match.rounds"]
        if wanted is None and max(totals) > self.rules["match.until"]:
            return "over"
        if self.number == wanted:
            return "rounds"
        return "limit" if self.number == self.rules["max_rounds"] else ""
