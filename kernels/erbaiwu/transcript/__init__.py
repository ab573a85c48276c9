"""Er Bai Wu as transcript lines, and transcript lines checked."""

import copy
from collections import Counter
from typing import Any

from kernels import engine
from kernels.compiler.bits import lowest
from kernels.erbaiwu import actions as act
from kernels.erbaiwu import choices, game
from kernels.erbaiwu.masks import BIT_OF, CARD_OF, NATURALS, cards_in, mask_of
from kernels.erbaiwu.transcript import drawing
from kernels.notation import FACES, SMALL_JOKER, card_text, parse_card
from kernels.referee import base
from kernels.referee.base import Event, Illegal
from kernels.referee.guessing import Guessing, put_right

_SEAT = {"p": int}
_TEXT = {"p": int, "card": str}
_NAMED = {"p": int, "card": str, "as": str}
KINDS: dict[str, dict[str, Any]] = {
    "deal": {"game": str, "round": int, "dealer": int, "hands": list, "stock": list},
    "show7": _TEXT,
    "layoff": _NAMED,
    "lock": {"p": int, "end": str, "cards": list, "as": list},
    "string": {"p": int, "cards": list, "as": list},
    "pong": {"p": int, "cards": list, "of": str},
    "nopong": _SEAT,
    "lift": _NAMED,
    "fine": {"p": int, "why": str, "points": int},
    "outlaw": _TEXT,
    "draw": _TEXT,
    "discard": _TEXT,
    "keep": _SEAT,
    "settle": _SEAT,
    "score": {"hands": list, "round": list, "flags": list, "points": list, "totals": list, "bonus250": list},
    "end": {"outcome": str, "losers": list, "rounds": int},
}


def is_silent(event: Event) -> bool:
    """Whether a line is a pong declined, which is written only with numbers of legal actions."""
    return event["e"] == "nopong"


_NAMES = {
    act.SHOW7: "show7",
    act.LAYOFF: "layoff",
    act.LOCK: "lock",
    act.STRING: "string",
    act.LIFT: "lift",
    act.SETTLE: "settle",
    act.OUTLAW: "outlaw",
    act.DRAW: "draw",
    act.DISCARD: "discard",
    act.KEEP: "keep",
    act.PONG: "pong",
    act.PASS: "nopong",
}
_ONE_CARD = ("show7", "outlaw", "discard")
_ONE_NAMED = ("layoff", "lift")
_BARE = {"settle": act.SETTLE, "draw": act.DRAW, "keep": act.KEEP, "nopong": act.PASS}
_KIND_OF = {name: kind for kind, name in _NAMES.items()}


def _text(bit: int) -> str:
    return card_text(int(CARD_OF[bit]))


def _texts(mask: int) -> list[str]:
    return [card_text(card) for card in cards_in(mask)]


def deal_event(rules: Any, state: Any) -> Event:
    """The `deal` line of a state just dealt, its whole stock settled."""
    return {
        "e": "deal",
        "game": "erbaiwu",
        "round": int(state.round_no),
        "dealer": int(state.dealer),
        "hands": [_texts(int(state.hands[seat])) for seat in range(rules.players)],
        "stock": [card_text(int(card)) for card in state.stock[: int(state.stock_n)][::-1]],
    }


def _played(before: Any, action: int, after: Any) -> tuple[list[str], list[str]]:
    """The cards of a reduction as they left the hand, and what each stands for."""
    stand_ins = act.jokers_of(action)
    faces, names = [], []
    for card in cards_in(act.named_by(action)):
        bit = int(BIT_OF[card])
        face = card
        if stand_ins >> bit & 1:
            face = SMALL_JOKER + [int(named) for named in after.joker_as].index(bit)
        faces.append(card_text(face))
        names.append(card_text(card))
    return faces, names


def _decision(before: Any, seat: int, action: int, after: Any) -> Event:
    kind = act.kind_of(action)
    name = _NAMES[kind]
    event: Event = {"e": name, "p": seat}
    if kind == act.DRAW:
        return event | {"card": _texts(int(after.hands[seat]) & ~int(before.hands[seat]))[0]}
    if name in _ONE_CARD:
        return event | {"card": _text(lowest(act.named_by(action)))}
    if name in ("settle", "keep", "nopong"):
        return event
    faces, names = _played(before, action, after)
    if name in _ONE_NAMED:
        return event | {"card": faces[0], "as": names[0]}
    if kind == act.LOCK:
        return event | {"end": _text(lowest(act.end_of(action))), "cards": faces, "as": names}
    if kind == act.PONG:
        return event | {"cards": faces, "of": _text(int(before.last))}
    return event | {"cards": faces, "as": names}


def _fine(seat: int, why: str, points: int) -> Event:
    return {"e": "fine", "p": seat, "why": why, "points": points}


def _consequences(rules: Any, before: Any, seat: int, action: int, after: Any) -> list[Event]:
    """Fines and the forced draw after an outlaw or a pong."""
    dead = int(after.outlaw_fines) - int(before.outlaw_fines)
    lines = [_fine(seat, "outlaw", rules.scoring_fine_outlaw)] * dead
    if after.followed and not before.followed:
        lines.append(_fine(int(after.leader), "followed", rules.scoring_fine_followed))
    if act.kind_of(action) in (act.OUTLAW, act.PONG):
        drawn = int(after.hands[seat]) & ~int(before.hands[seat])
        lines.append({"e": "draw", "p": seat, "card": _texts(drawn)[0]})
    return lines


def events(rules: Any, before: Any, move: Any, after: Any) -> list[Event]:
    """The lines of one decision, up to the next."""
    seat, action = int(move.seat), int(move.action)
    decision = _decision(before, seat, action, after) | {"legal": int(move.legal)}
    return [decision, *_consequences(rules, before, seat, action, after)]


def end_events(rules: Any, before: Any, after: Any) -> list[Event]:
    """The score of the round, and the end of the match if it is one."""
    seats = range(rules.players)
    flags = {"whole_five": after.whole_five, "gouge": after.gouged, "held_sevens": after.held}
    lines: list[Event] = [
        {
            "e": "score",
            "hands": [_texts(int(after.hands[seat])) for seat in seats],
            "round": [int(after.hand_points[seat]) for seat in seats],
            "flags": [flag for flag, is_set in flags.items() if is_set],
            "points": [int(after.points[seat]) for seat in seats],
            "totals": [int(after.totals[seat]) for seat in seats],
            "bonus250": [seat for seat in seats if int(after.bonus) >> seat & 1],
        }
    ]
    if after.match_outcome != game.GOING_ON:
        losers = [seat for seat in seats if game.has_lost(rules, after, seat)]
        outcome = game.MATCH_OUTCOMES[int(after.match_outcome)]
        lines.append({"e": "end", "outcome": outcome, "losers": losers, "rounds": int(after.round_no)})
    return lines


def describe(rules: Any, before: Any, event: Event) -> str:
    """A line for people; after a turn's reductions the table as well, before what ends them."""
    line = drawing.sentence(event)
    return "\n".join([*drawing.table(before), line]) if _ends_reductions(before, event) else line


def _ends_reductions(before: Any, event: Event) -> bool:
    if before.changed != before.turns or event["e"] not in ("draw", "settle", "discard", "keep"):
        return False
    return before.phase == choices.REDUCE or bool(before.pong_turn)


def _suits(mask: int, rank: int) -> int:
    return mask >> (4 * rank) & 15


def _cards_played(event: Event) -> tuple[int, int, int]:
    """Rank, named suits and jokers' suits of a line with `cards` and `as` (or `card` and `as`)."""
    faces = [parse_card(text) for text in _list(event.get("cards", event.get("card")))]
    names = [parse_card(text) for text in _list(event.get("as", [card_text(face) for face in faces]))]
    if len(faces) != len(names):
        raise Illegal(f"{len(faces)} cards, but {len(names)} names")
    if any(face < SMALL_JOKER and face != name for face, name in zip(faces, names, strict=True)):
        raise Illegal("only a joker stands for another card")
    if len(set(faces)) < len(faces) or len(set(names)) < len(names):
        raise Illegal("the same card twice")
    named, jokers = mask_of(names), mask_of([n for f, n in zip(faces, names, strict=True) if f >= SMALL_JOKER])
    if not names or named & ~NATURALS:
        raise Illegal("a joker stands for no joker")
    rank = lowest(named) >> 2
    if named & ~(15 << (4 * rank)):
        raise Illegal("cards of different ranks")
    return rank, _suits(named, rank), _suits(jokers, rank)


def _list(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


_SIZES = {"string": 3, "lock": 2, "pong": 2}


def action_of(state: Any, event: Event) -> int:
    """The action that a line stands for. Raises Illegal if there is none, or if its texts are no cards."""
    kind = event["e"]
    if kind in _BARE:
        return _BARE[kind]
    try:
        rank, named, jokers = _cards_played(event)
        end = mask_of([parse_card(event["end"])]) if kind == "lock" else 0
        of = int(BIT_OF[parse_card(event["of"])]) if kind == "pong" else None
    except Illegal:
        raise
    except ValueError as reason:
        raise Illegal(str(reason)) from None
    if kind in _SIZES and named.bit_count() != _SIZES[kind]:
        raise Illegal(f"a {kind} is of {_SIZES[kind]} cards")
    if end & ~(15 << (4 * rank)):
        raise Illegal("the lock is of another rank than the end")
    if of is not None and of != state.last:
        raise Illegal(f"the last discard is not {event['of']}")
    return int(act.group(_KIND_OF[kind], rank, named, jokers, _suits(end, rank)))


_LEFT_OUT = ((), (act.PASS,), (act.DRAW,), (act.PASS, act.DRAW))
"""Decisions that may be missing before a line."""


def _restore(state: Any, kept: Any) -> None:
    for field in kept.dtype.names:
        state[field] = kept[field]


def _mask_in(event: Event) -> int:
    """The cards that a line shows leaving the hand, as far as they are cards."""
    found = []
    for text in _list(event.get("cards", event.get("card", []))):
        try:
            found.append(parse_card(text))
        except ValueError:
            continue
    return mask_of(found)


def _joker_laid(event: Event) -> int:
    """0 if the small joker is laid, or stands for the lower card of two; else 1, for the big one."""
    faces, names = _list(event.get("cards", event.get("card", []))), _list(event.get("as", []))
    jokers = [(name, face) for face, name in zip(faces, names, strict=False) if face in ("Xb", "Xs")]
    if not jokers:
        return 1
    lowest_name = min(jokers, key=lambda pair: int(BIT_OF[parse_card(pair[0])]))
    return int(lowest_name[1] != "Xs")


class Referee(Guessing):
    """Checks a transcript of Er Bai Wu line by line."""

    UNORDERED = frozenset({"hands", "cards", "as", "flags", "losers", "bonus250"})
    DECISIONS = frozenset(_KIND_OF)
    KEPT = (*Guessing.KEPT, "_astray")

    def __init__(self, game: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(game, rules, partial)
        self._numbered = False
        """Whether some line carried the number of legal actions: then every decision must."""
        self._astray = False
        """Whether a round could not be followed to its end, so that the totals are not known."""

    def start(self, event: Event) -> list[str]:
        """A new round, in a new match after the end of one."""
        hands, stock = self._cards_dealt(event)
        problems = self._check_cards(event, hands, stock) + self._check_place(event)
        state = self.state
        if event["round"] == 1 or self.rounds == 1:
            engine.new_match(self.rules, state)
        state.round_no = event["round"]
        state.dealer = event["dealer"]
        game.open_round(state)
        for seat, cards in enumerate(hands):
            state.hands[seat] = mask_of(cards)
        for place, card in enumerate(reversed(stock)):
            state.stock[place] = card
        state.stock_n = len(stock)
        state.stock_mixed = 1
        return problems

    def _cards_dealt(self, event: Event) -> tuple[list[list[int]], list[int]]:
        players = self.rules.players
        if len(event["hands"]) != players or not 0 <= event["dealer"] < players:
            raise Illegal(f"{len(event['hands'])} hands and dealer {event['dealer']}, but {players} play")
        try:
            hands = [[parse_card(text) for text in _list(hand)] for hand in event["hands"]]
            stock = [parse_card(text) for text in _list(event["stock"])]
        except ValueError as reason:
            raise Illegal(str(reason)) from None
        if self.partial and not stock:
            held = {card for hand in hands for card in hand}
            stock = [card for card in range(FACES) if card not in held]
        return hands, stock[:FACES]

    def _check_cards(self, event: Event, hands: list[list[int]], stock: list[int]) -> list[str]:
        problems = []
        for seat, hand in enumerate(hands):
            due = game.HAND + (seat == event["dealer"])
            if len(hand) != due:
                problems.append(f"seat {seat} is dealt {len(hand)} cards, the rules give {due}")
        every = [*stock, *(card for hand in hands for card in hand)]
        twice = base.duplicates_in(every, dict.fromkeys(range(FACES), 1))
        missing = sorted(set(range(FACES)) - set(every))
        if twice:
            problems.append(f"more than once in the pack: {' '.join(map(card_text, twice))}")
        if missing:
            problems.append(f"not in the pack: {' '.join(map(card_text, missing))}")
        return problems

    def _check_place(self, event: Event) -> list[str]:
        """Whether the round and its dealer follow from the rounds before."""
        problems = [] if event["game"] == "erbaiwu" else [f"the game is {event['game']!r}, not 'erbaiwu'"]
        going_on = self.rounds > 1 and self.state.match_outcome == game.GOING_ON
        due = int(self.state.round_no) + 1 if going_on else 1
        if self.midway and event["round"] > 1:
            self._astray = True
        elif event["round"] != due:
            problems.append(f"round is {event['round']}, the rules give {due}")
        elif going_on and event["dealer"] != self.state.dealer:
            problems.append(f"dealer is {event['dealer']}, the rules give {int(self.state.dealer)}")
        return problems

    def action_of(self, event: Event) -> int:
        """Raises Illegal if it is another seat's turn, too."""
        seat = self.step(engine.TO_ACT)
        if event["p"] != seat:
            raise Illegal(f"seat {event['p']} acts, but it is seat {seat} who decides")
        return action_of(self.state, event)

    def prime(self, preludes: list[Event], event: Event) -> None:
        """Which joker is laid, if the hand has both; in a partial transcript, what is drawn."""
        self.state.joker_next = _joker_laid(event)
        if self.partial and event["e"] == "draw":
            self._bring_up(event["card"])

    def _bring_up(self, text: str) -> None:
        """Put this card on top of a stock of unknown order, if it is there."""
        state = self.state
        top = int(state.stock_n) - 1
        for place in range(top):
            if card_text(int(state.stock[place])) == text:
                state.stock[place], state.stock[top] = int(state.stock[top]), int(state.stock[place])

    def force(self, event: Event) -> list[Event]:
        """Take the line for the first thing that makes it legal: a pass or a draw left out, another seat's deed; else
        follow it as far as the cards allow."""
        seat = self.step(engine.TO_ACT)
        guesses = [(skipped, event) for skipped in _LEFT_OUT] + [((), event | {"p": seat})]
        for skipped, guess in guesses:
            kept = copy.deepcopy(self.state)
            lines = self._play_all(skipped, guess)
            if lines is not None:
                return lines
            _restore(self.state, kept)
        self._follow(event)
        return []

    def _play_all(self, skipped: tuple[int, ...], event: Event) -> list[Event] | None:
        """The lines due after a decision and what was left out before it; None if that is not legal."""
        for action in skipped:
            if not self.is_legal(action):
                return None
            self.step(engine.APPLY, action)
        if self.step(engine.IS_OVER):
            return None
        try:
            action = self.action_of(event)
        except Illegal:
            return None
        if not self.is_legal(action):
            return None
        before = copy.deepcopy(self.state)
        self.prime([], event)
        self.step(engine.APPLY, action)
        return _consequences(self.rules, before, event["p"], action, self.state)

    def _follow(self, event: Event) -> None:
        """The cards that the line names leave the hand, and the turn ends if the line ends it."""
        seat = self.step(engine.TO_ACT)
        if event["p"] != seat or self.state.phase == choices.PONG:
            return
        held = int(self.state.hands[seat]) & ~_mask_in(event)
        if event["e"] in ("discard", "outlaw", "keep"):
            self.state.hands[seat] = held
            self.step(engine.APPLY, act.KEEP)
        elif event["e"] == "settle":
            self.step(engine.APPLY, act.SETTLE)
        elif event["e"] not in ("draw", "pong"):
            self.state.hands[seat] = held

    def _pass_silently(self, event: Event) -> None:
        """A line without the number of legal actions is from a transcript that leaves declined pongs out."""
        if not self.dealt or self._expected or "legal" in event or self.step(engine.IS_OVER):
            return
        if self.state.phase == choices.PONG and event.get("e") in self.DECISIONS - {"pong", "nopong"}:
            self.step(engine.APPLY, act.PASS)

    def judge(self, event: Event) -> list[str]:
        """As for every game; but a decision where another line is due is taken for what it is."""
        if not isinstance(event, dict) or self._check_shape(event):
            return super().judge(event)
        self._pass_silently(event)
        self._numbered |= "legal" in event
        if event["e"] == "score":
            return self._judge_score(event)
        if not self._expected:
            return super().judge(event)
        due = list(self._expected)
        if self.partial and event["e"] == due[0]["e"] == "draw":
            self._redraw(due[0], event)
        if not self._comes_too_early(due, event):
            return super().judge(event)
        self._expected.clear()
        return [f"missing before this line: {line['e']}" for line in due] + super().judge(event)

    def _read_decision(self, event: Event) -> list[str]:
        """After the end of a round nothing can be followed before the next deal."""
        if self.step(engine.IS_OVER):
            self.dealt = False
            self._astray = True
        problems = super()._read_decision(event)
        if self._numbered and "legal" not in event and not problems:
            problems.append("the number of legal actions is missing")
        return problems

    def _judge_score(self, event: Event) -> list[str]:
        """Totals after a round that could not be followed are taken from the line."""
        if self._astray and self._expected and self._expected[0]["e"] == "score":
            self._take_totals(event)
            self._astray = False
        known = bool(self._expected)
        problems = super().judge(event)
        if known and any(problem.startswith("hands is ") for problem in problems):
            self._take_totals(event)
            self._expected.popleft()
        return problems

    def _take_totals(self, event: Event) -> None:
        totals = event["totals"]
        if len(totals) != self.rules.players or not all(isinstance(total, int) for total in totals):
            return
        for seat, total in enumerate(totals):
            self.state.totals[seat] = total
        self.state.bonus = sum(1 << seat for seat in range(self.rules.players) if seat in event["bonus250"])
        self.state.match_outcome = game.how_match_ends(self.rules, self.state)
        self._expected.clear()
        self._expected.extend(end_events(self.rules, self.state, self.state))

    def repaired(self, event: Event) -> list[Event]:
        """The number of the round or the dealer put right, or one card where it may have been another."""
        going_on = self.rounds and self.state.match_outcome == game.GOING_ON
        due = event | {"round": int(self.state.round_no) + 1 if going_on else 1}
        longest = [seat for seat, hand in enumerate(event["hands"]) if len(hand) > game.HAND]
        return [due, *(due | {"dealer": seat} for seat in longest), *self._with_card_put_right(event)]

    def _with_card_put_right(self, event: Event) -> list[Event]:
        sizes = [game.HAND + (seat == event["dealer"]) for seat in range(len(event["hands"]))]
        try:
            places = [[parse_card(text) for text in _list(place)] for place in (*event["hands"], event["stock"])]
        except ValueError:
            return []
        pack = Counter(range(FACES))
        return [
            event | {"hands": cards[:-1], "stock": cards[-1]}
            for cards in put_right(places, [*sizes, FACES - sum(sizes)], pack)
        ]

    def drawn(self, event: Event) -> str | None:
        """The card of a draw."""
        return str(event["card"]) if event["e"] == "draw" and not self.partial else None

    def _comes_too_early(self, due: list[Event], event: Event) -> bool:
        """Whether a decision follows where other lines were due, the end of the round not among them."""
        kinds = [line["e"] for line in due]
        if event["e"] not in self.DECISIONS or "score" in kinds or "end" in kinds:
            return False
        if event["e"] not in kinds:
            return True
        others_draw = event["p"] != due[-1]["p"] and event["card"] != due[-1]["card"]
        return others_draw and event["p"] == self.step(engine.TO_ACT)

    def _redraw(self, due: Event, event: Event) -> None:
        """A forced draw from a stock of unknown order was of the card that the line shows."""
        state = self.state
        shown = [place for place in range(int(state.stock_n)) if card_text(int(state.stock[place])) == event["card"]]
        if not shown or event["p"] != due["p"]:
            return
        drawn, card = parse_card(due["card"]), int(state.stock[shown[0]])
        state.stock[shown[0]] = drawn
        state.hands[due["p"]] = int(state.hands[due["p"]]) & ~mask_of([drawn]) | mask_of([card])
        due["card"] = event["card"]
