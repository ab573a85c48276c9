"""What the rules imply, one position a rule."""

from kernels.erbaiwu.masks import mask_of
from kernels.erbaiwu.transcript import drawing
from kernels.notation import parse_cards
from tests.erbaiwu.position import Position


def held(position, seat):
    return int(position.state.hands[seat])


def cards(text):
    return mask_of(parse_cards(text))


def test_chains_run_down_to_the_ace_and_up_to_the_king():
    everything = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
    table = Position([everything, "2h"], "3d 4d")
    table.play("show7", "7s")
    for card in ["6s", "8s", "5s", "9s", "4s", "Ts", "3s", "Js", "2s", "Qs", "As", "Ks"]:
        assert ("layoff", False, card) in table.of_kind("layoff")
        table.play("layoff", card)
    assert table.of_kind("layoff", "lock") == set()
    assert drawing.table(table.state) == ["      ♠   ♠A ♠2 ♠3 ♠4 ♠5 ♠6 ♠7 ♠8 ♠9 ♠10 ♠J ♠Q ♠K"]
    table.play("settle")
    assert table.score()["round"] == [0, 2]


def test_a_seven_is_no_end_for_a_lock_and_makes_no_string():
    table = Position(["7s 7h 7d 8h 8d", "2h"])
    assert table.kinds() == ["show7", "show7", "show7", "draw"]
    table.play("show7", "7s")
    assert table.of_kind("lock", "string", "lift") == set()


def test_a_lock_closes_its_end_for_good_even_when_lifted():
    table = Position(["7h 8h 6h 8s 8d 9h 5h", "8c 2h"], "3d 4d 5d")
    for kind, card in [("show7", "7h"), ("layoff", "8h"), ("layoff", "6h")]:
        table.play(kind, card)
    table.play("lock", "8s 8d", end="8h")
    assert table.of_kind("layoff") == {("layoff", False, "5h")}
    assert drawing.table(table.state)[1] == "      groups: [♠8 ♦8 on ♥8]"
    table.turn()
    assert table.of_kind("lift") == {("lift", False, "8c")}
    table.play("lift", "8c")
    assert drawing.table(table.state) == ["      ♥   ♥6 ♥7 |"]
    table.turn()
    assert table.of_kind("layoff", "lock") == {("layoff", False, "5h")}


def test_each_pair_may_lock_and_each_end_of_the_rank():
    table = Position(["7h 8h 7s 8s 8d 8c", "2h"])
    for card in ("7h", "7s"):
        table.play("show7", card)
    assert len(table.of_kind("lock")) == 0
    table.play("layoff", "8h")
    assert len(table.of_kind("lock")) == 3
    table.play("layoff", "8s")
    assert table.of_kind("lock") == {("lock", end, frozenset({(False, "8d"), (False, "8c")})) for end in ("8h", "8s")}


def test_ace_and_king_at_the_end_of_a_chain_can_be_locked():
    table = Position(["7s 8s 9s Ts Js Qs Ks Kh Kd", "2h"], "3d 4d")
    for kind, card in [("show7", "7s"), *(("layoff", card) for card in ("8s", "9s", "Ts", "Js", "Qs", "Ks"))]:
        table.play(kind, card)
    table.play("lock", "Kh Kd", end="Ks")
    assert drawing.table(table.state)[0].endswith("♠K |")


def test_a_joker_waits_for_a_seven_and_never_names_one():
    table = Position(["Xb 9s 9h 2c", "7d 2h"])
    assert table.of_kind("string", "layoff") == set()
    table = Position(["Xb 9s 9h 2c 7d", "2h"])
    table.play("show7", "7d")
    assert table.of_kind("layoff") == {("layoff", True, "6d"), ("layoff", True, "8d")}
    assert len(table.of_kind("string")) == 2
    assert all("7" not in name for _, _, laid in table.of_kind("string") for _, name in laid)


def test_a_joker_as_end_card_is_locked_and_lifted():
    table = Position(["7d Xb 8s 8h", "8c 8d 2h"], "3d 4d 5d")
    table.play("show7", "7d")
    table.play("layoff", "Xb", "8d")
    table.play("lock", "8s 8h", end="8d")
    assert drawing.table(table.state) == [
        "      ♦   ♦7 JOKER(♦8) |",
        "      groups: [♠8 ♥8 on ♦8]",
        "      outlaws: ♦8",
    ]
    table.turn()
    assert table.of_kind("lift") == {("lift", False, "8c")}
    table.play("lift", "8c")
    assert "outlaw" in table.kinds()
    assert drawing.table(table.state) == ["      ♦   ♦7 |", "      outlaws: ♦8"]


def test_a_joker_lifts_under_the_fourth_name_and_is_fined_if_that_is_dead():
    table = Position(["7d Xb Qs Qh Qd", "2h 3h"], "3d 4d 5d")
    table.play("show7", "7d")
    table.play("string", "Qs Qh Qd")
    assert ("lift", True, "Qc") in table.of_kind("lift")
    assert table.play("lift", "Xb", "Qc")[1:] == [{"e": "fine", "why": "outlaw", "points": 30}]
    table = Position(["7d Xb Qs Qh Qd", "2h Qc"], "3d 4d 5d")
    table.play("show7", "7d")
    table.play("string", "Qs Qh Qd")
    assert table.play("lift", "Xb", "Qc")[1:] == []
    assert table.state.discards[table.state.discards_n - 1] == 53


def test_two_jokers_in_one_combination_and_two_dead_names():
    table = Position(["7d Xb Xs Qs 2c", "2h 3h"], "3d 4d 5d")
    table.play("show7", "7d")
    pairs = {frozenset(laid) for kind, _, laid in table.of_kind("string") if (False, "Qs") in laid}
    names = [("Qh", "Qd"), ("Qh", "Qc"), ("Qd", "Qc")]
    assert pairs == {frozenset({(False, "Qs"), (True, one), (True, two)}) for one, two in names}
    lines = table.play("string", "Qs Xb Xs", "Qs Qh Qd")
    assert lines[1:] == [{"e": "fine", "why": "outlaw", "points": 30}] * 2
    assert table.state.fines[0] == 60


def test_a_joker_names_no_card_that_the_other_has_named():
    table = Position(["7d Xb Xs Qs Qh 2c", "2h Qd Qc"], "3d 4d 5d")
    table.play("show7", "7d")
    table.play("layoff", "Xb", "8d")
    assert {("layoff", True, "8d")} & table.of_kind("layoff") == set()
    assert ("layoff", True, "9d") in table.of_kind("layoff")
    assert not any((True, "8d") in laid for _, _, laid in table.of_kind("string"))


def test_a_joker_may_name_a_card_that_stays_in_the_hand():
    table = Position(["7d Xb 9s 9h 9d", "2h"], "3d 4d 5d")
    table.play("show7", "7d")
    assert ("string", None, frozenset({(False, "9s"), (False, "9h"), (True, "9d")})) in table.of_kind("string")
    assert table.play("string", "9s 9h Xb", "9s 9h 9d")[1:] == []
    assert table.kinds() == ["outlaw", "draw"]
    lines = table.play("outlaw", "9d")
    assert [line["e"] for line in lines] == ["outlaw", "draw"]
    assert table.state.turn == 1


def test_an_outlaw_that_lies_on_the_table_stays_what_it_is():
    table = Position(["7h 8h 8s 8d 9h", "7d Xs 2h 8c"], "3d 4d 5d 6d")
    table.play("show7", "7h")
    table.play("string", "8h 8s 8d")
    table.play("draw")
    table.play("discard", "9h")
    table.play("show7", "7d")
    assert table.play("layoff", "Xs", "8h")[1:] == [{"e": "fine", "why": "outlaw", "points": 30}]
    assert table.of_kind("lift") == {("lift", False, "8c")}
    table.play("lift", "8c")
    assert drawing.table(table.state)[0] == "      ♥   ♥7 joker(♥8)"


def test_an_outlaw_is_of_no_use_and_counts_thirty():
    table = Position(["7h Xb 4h", "8h 8s 8d 8c 2h"], "3d 4d 5d 6d")
    table.play("show7", "7h")
    table.play("layoff", "Xb", "8h")
    assert table.play("settle")
    assert table.score()["round"] == [4, 30 + 8 + 8 + 8 + 2]
    table = Position(["7h Xb Kh", "8h 8s 8d 8c 2h"], "3d 4d 5d 6d")
    table.play("show7", "7h")
    table.play("layoff", "Xb", "8h")
    table.turn()
    strings = frozenset({(False, "8s"), (False, "8d"), (False, "8c")})
    assert table.of_kind("string") == {("string", None, strings)}
    assert ("outlaw", "8h") in table.of_kind("outlaw")
    table.play("draw")
    assert table.of_kind("discard") == {("discard", card) for card in ("2h", "8s", "8d", "8c", "4d")}


def test_a_hand_of_sevens_jokers_and_outlaws_is_kept():
    table = Position(["7h Xb", "8h 7s Xs"], "7c 7d 3c 4c")
    table.play("show7", "7h")
    table.play("layoff", "Xb", "8h")
    table.turn()
    table.play("draw")
    assert table.kinds() == ["keep"]
    table.play("keep")
    assert table.state.turn == 0


def test_an_outlaw_is_no_discard_after_the_draw_but_the_dealers_first():
    table = Position(["7h Xb 8s 8h 8d", "2h"], "3d 4d", opening=True)
    table.play("show7", "7h")
    table.play("layoff", "Xb", "8h")
    assert table.of_kind("discard") == {("discard", card) for card in ("8s", "8h", "8d")}
    assert "draw" not in table.kinds()
    assert "outlaw" not in table.kinds()
    table.play("discard", "8h")
    assert table.state.turn == 1


def test_the_dealer_with_nothing_to_discard_keeps():
    table = Position(["7h 7s Xb", "2h"], "3d 4d", opening=True)
    assert table.kinds() == ["show7", "show7", "keep"]
    table.play("keep")
    assert table.kinds() == ["draw"]


def test_a_pong_out_of_turn_draws_at_once_and_play_goes_on_from_there():
    table = Position(["9s 2c", "3c", "9h 9d 9c 4c 7s", "5c 8h"], "Tc Jc Qc")
    table.play("draw")
    table.play("discard", "9s")
    assert table.state.ponger == 2
    assert len(table.of_kind("pong")) == 3
    assert table.kinds()[-1] == "nopong"
    lines = table.play("pong", "9h 9c", of="9s")
    assert lines[1:] == [{"e": "draw", "card": "Jc"}]
    assert table.of_kind("discard") == {("discard", card) for card in ("9d", "4c", "Jc")}
    assert "show7" not in table.kinds()
    table.play("discard", "4c")
    assert table.state.turn == 3
    table.turn()
    assert table.state.over


def test_a_declined_pong_leaves_the_turn_as_it_was():
    table = Position(["9s 2c", "3c", "9h 9d 4c"], "Tc Jc Qc")
    table.play("draw")
    table.play("discard", "9s")
    assert table.play("nopong") == [{"e": "nopong"}]
    assert table.state.turn == 1


def test_no_pong_with_jokers_or_outlaws_nor_on_an_outlaw():
    table = Position(["9s 2c 7h", "9h Xb Xs", "3c"], "Tc Jc Qc")
    table.play("show7", "7h")
    table.play("draw")
    table.play("discard", "9s")
    assert table.state.turn == 1
    table = Position(["8h 2c", "7h Xb 3c 4d", "8s 8d 5d"], "Tc Jc Qc Kc 4c", turn=1)
    table.play("show7", "7h")
    table.play("layoff", "Xb", "8h")
    table.turn()
    table.turn()
    assert table.play("outlaw", "8h")[1:] == [{"e": "draw", "card": "Qc"}]
    assert table.state.turn == 1


def test_the_last_discard_ends_the_round_and_is_not_ponged():
    table = Position(["9s 2c", "9h 9d 4c"], "Tc")
    table.play("draw")
    table.play("discard", "9s")
    assert table.state.over
    score = table.score()
    assert score["round"] == score["points"] == [12, 22]
    assert table.state.dealer == 1


def test_an_outlaw_thrown_before_the_last_card_ends_the_round():
    table = Position(["7h Xb 3c", "8h 2c"], "Tc Jc")
    table.play("show7", "7h")
    table.play("layoff", "Xb", "8h")
    table.turn()
    table.play("outlaw", "8h")
    assert table.state.over
    assert table.score()["round"] == [10, 13]


def test_settling_needs_a_seven_on_the_table_and_five_points_at_most():
    assert "settle" not in Position(["2c 3c", "9h 7s"]).kinds()
    table = Position(["7s 2c 3c", "9h"])
    assert "settle" not in table.kinds()
    table.play("show7", "7s")
    assert "settle" in table.kinds()
    table = Position(["7s 2c 4c", "9h"])
    table.play("show7", "7s")
    assert "settle" not in table.kinds()


def test_no_settling_after_the_draw():
    table = Position(["7s 2c 3c", "9h"])
    table.play("show7", "7s")
    table.play("draw")
    assert set(table.kinds()) == {"discard"}


def test_held_sevens_settle_at_nothing():
    table = Position(["7s 7h 7d", "As"], "3d 4d")
    assert "settle" not in table.kinds()
    table.play("show7", "7s")
    table.play("settle")
    score = table.score()
    assert score["round"] == [0, 1]
    assert score["flags"] == ["held_sevens"]
    assert score["points"] == [0, 1]


def test_held_sevens_can_be_ruled_out():
    table = Position(["7s 7h", "As"], "3d 4d", held_sevens=False)
    table.play("show7", "7s")
    assert "settle" not in table.kinds()


def settled(*hands, **rules):
    """The score of a round that seat 0 settles; his hand holds the 7 that he shows."""
    table = Position([f"7s {hands[0]}", *hands[1:]], "Kc Kd", **rules)
    table.play("show7", "7s")
    table.play("settle")
    return table.score()


def test_a_gouge_is_judged_on_equality_too():
    score = settled("3c", "2h As", "9h", "Th")
    assert score["flags"] == ["gouge"]
    assert score["points"] == [3 + 3 + 9 + 10, 0, 0, 0]
    assert settled("3c", "4h", "9h")["flags"] == []
    assert settled("3c", "", "9h")["points"] == [12, 0, 0]


def test_settling_with_nothing_is_never_gouged():
    score = settled("", "", "9h")
    assert score["flags"] == []
    assert score["points"] == [0, 0, 9]


def test_a_whole_five_doubles_the_others():
    score = settled("5c", "3h", "9h")
    assert score["round"] == [5, 3, 9]
    assert score["flags"] == ["whole_five"]
    assert score["points"] == [5, 6, 18]
    assert settled("2c 3c", "3h 3d", "9h")["flags"] == []
    assert settled("5c", "3h", "9h", scoring__whole_five_factor=3)["points"] == [5, 9, 27]


def test_a_whole_five_may_be_gouged_doubled_or_not():
    assert settled("5c", "2h", "9h")["flags"] == ["whole_five", "gouge"]
    assert settled("5c", "2h", "9h")["points"] == [5 + 4 + 18, 0, 0]
    before = settled("5c", "3h", "9h", whole_five_before_gouge=False)
    assert before["flags"] == ["whole_five", "gouge"]
    assert before["points"] == [5 + 3 + 9, 0, 0]
    assert settled("5c", "6h", "9h", whole_five_before_gouge=False)["points"] == [5, 12, 18]


def test_the_dealer_is_fined_when_his_first_discard_is_followed():
    table = Position(["9s 2c", "9h 3c", "9d 4c", "9c 5c"], "Ts Th Td Tc Js", opening=True)
    table.play("discard", "9s")
    for card in ("9h", "9d"):
        table.play("draw")
        assert table.play("discard", card)[1:] == []
    table.play("draw")
    assert table.play("discard", "9c")[1:] == [{"e": "fine", "why": "followed", "points": 30}]
    assert table.lines[1]["p"] == 0
    table = Position(["9s 2c", "9h 3c", "9d 4c", "9c 5c"], "Ts Th Td Tc Js", opening=True)
    table.play("discard", "2c")
    for card in ("9h", "9d", "9c"):
        table.play("draw")
        assert table.play("discard", card)[1:] == []


def test_a_kept_hand_does_not_break_the_row_and_outlaws_count_by_rank():
    table = Position(["9s 7h Xb", "7s", "9d 4c", "9h 5c"], "Xs Td 9c Js Qs Ks", opening=True)
    table.play("show7", "7h")
    table.play("discard", "9s")
    table.play("draw")
    assert table.kinds() == ["keep"]
    table.play("keep")
    table.play("draw")
    table.play("discard", "9d")
    table.play("draw")
    table.play("discard", "9h")
    assert table.state.row_n == 3


def test_totals_at_exactly_250_are_rewarded_by_points_and_by_fines():
    score = settled("", "Kh Qh", "9h", totals=(250 - 0, 225, 242))
    assert score["totals"] == [200, 200, 251]
    assert score["bonus250"] == [0, 1]
    table = Position(["7d Xb 2c", "9h"], "Kc Kd", totals=(218, 0))
    table.play("show7", "7d")
    assert len(table.play("layoff", "Xb", "8d")) == 2
    table.play("settle")
    assert table.score()["totals"][0] == 250 - 50
    assert not table.state.match_outcome


def test_a_total_above_250_ends_the_match_for_one_or_more_losers():
    table = Position(["7s", "Kh", "9h"], "Kc Kd", totals=(100, 240, 242))
    table.play("show7", "7s")
    table.play("settle")
    assert table.score()["totals"] == [100, 253, 251]
    assert table.state.match_outcome == 1


def test_rounds_match_goes_on_above_250():
    table = Position(["7s", "Kh", "9h"], "Kc Kd", totals=(100, 240, 242), match__rounds=3)
    table.play("show7", "7s")
    table.play("settle")
    table.score()
    assert table.state.match_outcome == 0


def test_scoring_options_reach_the_hands():
    score = settled("2c", "Kh Xb 7h", "9h", scoring__K=1, scoring__joker=3, scoring__7=2)
    assert score["round"] == [2, 6, 9]
    score = settled("9c", "Kh", scoring__settle_max=9)
    assert score["round"] == [9, 13]


def test_the_settler_deals_next_else_the_same_dealer():
    table = Position(["7s", "Kh"], "Kc Kd")
    assert table.state.dealer == 1
    table.play("show7", "7s")
    table.play("settle")
    table.score()
    assert table.state.dealer == 0


def test_an_empty_hand_draws_and_discards():
    table = Position(["", "Kh"], "Kc Kd")
    assert table.kinds() == ["draw"]
    table.play("draw")
    assert table.of_kind("discard") == {("discard", "Kc")}


def test_a_string_offers_every_choice_of_three():
    table = Position(["9s 9h 9d 9c", "Kh"], "Kc Kd")
    assert len(table.of_kind("string")) == 4
    table.play("string", "9s 9h 9d")
    table.play("lift", "9c")
    assert held(table, 0) == 0
    assert cards("9s 9h 9d 9c") & ~int(table.state.gone) == 0
