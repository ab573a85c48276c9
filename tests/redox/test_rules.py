"""Rules of REDOX one by one, on hands made for them."""

from typing import Any

import pytest

from kernels.options import RuleError, defaults
from kernels.redox import options
from simcli.play.simulate import compiled_rules
from tests.games import scenario
from tests.naive import redox as naive
from tests.redox.walks import as_naive, every_action, naive_rules, state_of
from tests.transcripts import findings


def position(hand: str, table: tuple[naive.Plot, ...] = (), opened: bool = False, **rules: Any) -> Any:
    """A position with this hand to move, and its legal turns as the slow twin writes them."""
    setting = scenario("redox", **rules)
    place = naive.Round(naive_rules(setting), [[] for _ in range(setting.players)], [], ["8h"], 0, 1)
    place.hands[0] = hand.split()
    place.table = list(table)
    place.opened = {0} if opened else set()
    compiled = compiled_rules(setting)
    return {as_naive(action, place) for action in every_action(compiled, state_of(place, compiled))}


def run(text: str) -> naive.Plot:
    return naive.plot_of("run", text.split())


def of_kind(turns: set[tuple[Any, ...]], kind: str) -> set[tuple[Any, ...]]:
    return {turn for turn in turns if turn[0] == kind}


def test_discards_are_each_face_by_each_source_and_jokers_are_alike():
    turns = position("2s 2s 4h Xb Xs")
    assert {turn[1:] for turn in of_kind(turns, "discard")} == {
        (face, source) for face in ("2s", "4h", "X") for source in ("stock", "pile")
    }


def test_the_first_plot_is_a_run_of_four_or_more():
    assert of_kind(position("2s 3s 4s 9h 9d 9c"), "run") == set()
    assert of_kind(position("2s 3s 4s 5s 9h 9d 9c"), "set") == set()
    assert len(of_kind(position("2s 3s 4s 5s 6s"), "run")) == 3
    assert len(of_kind(position("2s 3s 4s 9h 9d 9c", opened=True), "set")) == 1


def test_the_ace_stands_at_either_end_and_never_inside():
    assert of_kind(position("As 2s 3s 4s"), "run") == {("run", "s", 1, ("As", "2s", "3s", "4s"))}
    assert of_kind(position("Js Qs Ks As"), "run") == {("run", "s", 11, ("Js", "Qs", "Ks", "As"))}
    assert of_kind(position("Qs Ks As 2s"), "run") == set()


def test_the_longest_run_has_fourteen_cards_and_two_aces():
    all_but_one = "2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
    runs = of_kind(position(f"As As {all_but_one}"), "run")
    assert max(len(turn[3]) for turn in runs) == 14
    runs = of_kind(position(f"As {all_but_one}"), "run")
    assert max(len(turn[3]) for turn in runs) == 13
    runs = of_kind(position(f"As {all_but_one} Xb"), "run")
    assert {turn[3].index("X") for turn in runs if len(turn[3]) == 14} == {0, 13}


def test_jokers_stand_anywhere_but_need_a_place():
    runs = of_kind(position("As Xb Xb Xb"), "run")
    assert runs == {("run", "s", 1, ("As", "X", "X", "X")), ("run", "s", 11, ("X", "X", "X", "As"))}
    runs = of_kind(position("6s 7s Xb Xb", opened=True), "run")
    assert ("run", "s", 4, ("X", "X", "6s")) in runs
    assert ("run", "s", 5, ("X", "6s", "7s", "X")) in runs
    assert ("run", "s", 6, ("6s", "X", "X")) in runs
    assert len(runs) == 11


@pytest.mark.parametrize(("least", "runs", "sets"), [(1, 6, 4), (2, 0, 2), (3, 0, 0)])
def test_a_plot_needs_its_natural_cards(least, runs, sets):
    turns = position("9s 9h Xb Xb", opened=True, min_naturals=least)
    assert len(of_kind(turns, "set")) == sets
    assert len(of_kind(turns, "run")) == runs


def test_the_same_cards_as_run_and_as_set_are_two_actions():
    turns = position("9s Xb Xb", opened=True)
    assert len(of_kind(turns, "run")) == 3
    assert len(of_kind(turns, "set")) == 1


def test_equal_cards_in_sets_count_once():
    turns = position("Js Js Jh Jh", opened=True)
    assert of_kind(turns, "set") == {
        ("set", ("Js", "Js", "Jh")),
        ("set", ("Js", "Jh", "Jh")),
        ("set", ("Js", "Js", "Jh", "Jh")),
    }


def test_connecting_needs_a_plot_of_ones_own():
    assert len(of_kind(position("7c", (run("8c 9c Tc"),), opened=True), "to_run")) == 1
    assert of_kind(position("7c", (run("8c 9c Tc"),)), "to_run") == set()


def test_a_run_is_extended_at_either_end_or_both():
    turns = of_kind(position("6c 7c Jc", (run("8c 9c Tc"),), opened=True), "to_run")
    assert {(turn[2], len(turn[3])) for turn in turns} == {(7, 4), (6, 5), (8, 4), (7, 5), (6, 6)}


def test_one_ace_closes_one_end_of_a_run_only():
    table = (run("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"),)
    one = of_kind(position("Ac", table, opened=True), "to_run")
    two = of_kind(position("Ac Ac", table, opened=True), "to_run")
    assert {(turn[2], len(turn[3])) for turn in one} == {(1, 13), (2, 13)}
    assert {(turn[2], len(turn[3])) for turn in two} == {(1, 13), (2, 13), (1, 14)}


def test_equal_plots_are_told_apart():
    turns = position("7c", (run("8c 9c Tc"), run("8c 9c Tc")), opened=True)
    assert {turn[1] for turn in of_kind(turns, "to_run")} == {0, 1}


SLAM = "2s 3s 4s 5s 6h 7h 8h 4c 5c 6c 7c 8c Js Js Jh"


def test_a_slam_is_one_action_and_only_on_a_bare_table():
    assert ("slam",) in position(SLAM)
    assert ("slam",) not in position(SLAM, (run("8c 9c Tc"),))
    assert ("slam",) not in position("2s 3s 4s 6h 7h 8h 4c 5c 6c 7d 8d 9d Js Js Jh")


# Whole rounds, played out by the referee


def deal(hands: list[str], stock: str, face: str = "8h", leader: int = 0, round_no: int = 1) -> dict[str, Any]:
    way = 1 if round_no % 2 else -1
    return {
        "e": "deal", "game": "redox", "round": round_no, "leader": leader, "dir": way,
        "hands": [hand.split() for hand in hands], "face": face, "stock": stock.split(),
    }  # fmt: skip


def discard(seat: int, card: str, got: str, source: str = "stock") -> dict[str, Any]:
    return {"e": "turn", "p": seat, "a": "discard", "card": card, "from": source, "got": got}


def lay(seat: int, cards: str, kind: str = "run") -> dict[str, Any]:
    return {"e": "turn", "p": seat, "a": "plot", "kind": kind, "cards": cards.split()}


def end(outcome: str, winner: int | None, left: list[str], points: list[int], totals: list[int]) -> dict[str, Any]:
    return {
        "e": "end", "outcome": outcome, "winner": winner, "left": [hand.split() for hand in left],
        "points": points, "totals": totals,
    }  # fmt: skip


TWO = {"players": 2, "decks": 1, "jokers_per_deck": 0, "hand_size": 7}
MINE = "2s 3s 4s 5s 9h 9d 9c"
OTHER = "Ah 3h Jd Qd 5c 7c 8c"


def judge(events: list[dict[str, Any]], **rules: Any) -> list[str]:
    found = findings(scenario("redox", **{**TWO, **rules}), events, partial=True)
    return [text for _, text in found]


def test_going_out_with_a_plot_and_the_call_before():
    events = [
        deal([MINE, OTHER], ""),
        lay(0, "2s 3s 4s 5s"),
        {"e": "last", "p": 0, "n": 3},
        discard(1, "Ah", "8h", "pile"),
        lay(0, "9h 9d 9c", "set"),
        end("out", 0, ["", "3h Jd Qd 5c 7c 8c 8h"], [-10, 3 + 10 + 10 + 5 + 7 + 8 + 8], [-10, 51]),
    ]
    assert judge(events) == []


def test_a_slam_doubles():
    events = [
        deal([MINE, OTHER], ""),
        {"e": "turn", "p": 0, "a": "slam", "plots": [["2s", "3s", "4s", "5s"], ["9h", "9d", "9c"]]},
        end("slam", 0, ["", OTHER], [-10, 2 * 63], [-10, 126]),
    ]
    assert 20 + 3 + 10 + 10 + 5 + 7 + 8 == 63
    assert judge(events) == []


@pytest.mark.parametrize("run_of_four", ["X X 4s X", "4s X X X", "X X X As", "X 4s X 6s"])
def test_the_run_of_four_of_a_slam_may_be_read_as_a_set_too(run_of_four):
    cards = run_of_four.replace("X", "Xb").split()
    events = [
        deal([" ".join([*cards, "9h 9d 9c"]), OTHER], ""),
        {"e": "turn", "p": 0, "a": "slam", "plots": [cards, ["9h", "9d", "9c"]]},
        end("slam", 0, ["", OTHER], [-10, 2 * 63], [-10, 126]),
    ]
    assert judge(events, decks=2, jokers_per_deck=3) == []


def test_a_round_of_max_turns_is_void_unless_that_turn_went_out():
    start = [deal([MINE, OTHER], ""), lay(0, "2s 3s 4s 5s"), {"e": "last", "p": 0, "n": 3}]
    void = end("void", None, ["9h 9d 9c", OTHER], [0, 0], [0, 0])
    assert judge([*start, void], max_turns=1) == []
    taken = discard(1, "Ah", "8h", "pile")
    out = end("out", 0, ["", "3h Jd Qd 5c 7c 8c 8h"], [-10, 51], [-10, 51])
    assert judge([*start, taken, lay(0, "9h 9d 9c", "set"), out], max_turns=3) == []


def test_after_a_void_round_the_same_player_leads_the_other_way():
    void = [discard(1, "Ah", "8h", "pile"), end("void", None, [MINE, "3h Jd Qd 5c 7c 8c 8h"], [0, 0], [0, 0])]
    first = [deal([MINE, OTHER], "", leader=1), *void]
    second = [deal([MINE, OTHER], "", leader=1, round_no=2), *void]
    assert judge(first + second, rounds=2, max_turns=1) == []
    second[0] = deal([MINE, OTHER], "", leader=0, round_no=2)
    assert judge(first + second[:1], rounds=2, max_turns=1)[0] == "leader is 0, the rules give 1"


def full(events: list[dict[str, Any]], rest: list[str], **rules: Any) -> list[str]:
    """Judge a transcript with a whole pack: what is dealt, then `rest` in the stock."""
    setting = scenario("redox", **{**TWO, "players": 2, "hand_size": 20, **rules})
    return [text for _, text in findings(setting, events)]


def whole_pack() -> tuple[list[str], list[str]]:
    """Two hands of twenty without any run of four, and the other twelve cards of a deck."""
    pack = [rank + suit for rank in naive.RANKS for suit in naive.SUITS]
    return [" ".join(pack[0:40:2]), " ".join(pack[1:40:2])], pack[40:]


def test_an_empty_stock_is_made_anew_of_the_pile_as_it_lay():
    hands, rest = whole_pack()
    events = [deal(hands, " ".join(rest[1:]), face=rest[0])]
    held = [hand.split() for hand in hands]
    pile = [rest[0]]
    for turn, got in enumerate(rest[1:]):
        seat = turn % 2
        card = held[seat].pop(0)
        events.append(discard(seat, card, got))
        held[seat].append(got)
        pile.append(card)
    order = pile[::-1]
    seat = len(rest[1:]) % 2
    again = discard(seat, held[seat][0], order[0])
    assert full([*events, {"e": "recycle", "stock": order}, again], rest)[:-1] == []
    wrong = [*events, {"e": "recycle", "stock": [*order, held[seat][0]]}, again]
    assert full(wrong, rest)[0].startswith("the new stock has ")
    assert full([*events, again], rest)[0].startswith("missing before this line: recycle")


def test_void_ends_the_round_when_a_turn_leaves_the_stock_empty():
    hands, rest = whole_pack()
    events = [deal(hands, " ".join(rest[1:]), face=rest[0])]
    held = [hand.split() for hand in hands]
    for turn, got in enumerate(rest[1:]):
        events.append(discard(turn % 2, held[turn % 2].pop(0), got))
        held[turn % 2].append(got)
    events.append(end("void", None, [" ".join(hand) for hand in held], [0, 0], [0, 0]))
    assert full(events, rest, stock_exhausted="void") == []


# Options


@pytest.mark.parametrize("changed", [{"players": 8}, {"decks": 1}, {"hand_size": 20, "decks": 1, "players": 3}])
def test_a_deal_that_the_pack_cannot_serve_is_refused(changed):
    values = defaults(options.OPTIONS) | {"jokers_per_deck": 0} | changed
    with pytest.raises(RuleError) as error:
        options.check(values)
    assert error.value.key in {*changed, "jokers_per_deck"}


def test_the_least_pack_is_dealt():
    values = defaults(options.OPTIONS) | {"players": 2, "decks": 1, "jokers_per_deck": 0, "hand_size": 20}
    assert options.check(values)["rounds"] == 1
    values |= {"players": 5, "hand_size": 10}
    assert options.check(values)["players"] == 5
    with pytest.raises(RuleError):
        options.check(values | {"players": 3, "hand_size": 17})


def test_rounds_default_to_one_without_a_target_only():
    values = defaults(options.OPTIONS)
    assert options.check(values)["rounds"] == 1
    assert options.check(values | {"target": 500})["rounds"] is None
