"""Situations that the rules decide, laid out by hand."""

import pytest

from tests.dafuweng.table import Laid


def test_a_lone_ace_kills():
    table = Laid("Ah", "5s 6s", "2c 3c", "2d 3d", pile="Kh")
    assert table.act("Ah", 1) == ["0 Ah 0", "1 emptied"]
    assert table.hand(0) == "5s 6s"


def test_a_lone_ace_in_brute_mode_saves_its_player():
    table = Laid("Ah", "5s", "2c 3c", "2d 3d", pile="Kh", brute=True, opener=3)
    assert table.act("Ah", 1) == ["0 Ah 0", "1 emptied"]
    assert table.hand(0) == "5s"


def test_a_lone_ace_kills_nobody_where_only_having_no_play_kills():
    table = Laid("Ah", "5s 6s", "2c 3c", "2d 3d", pile="Kh", death="cannot_play")
    assert table.act("Ah", 1) == ["0 Ah 0", "1 stuck"]
    table = Laid("Ah", "5s 6s", "2c 3c", "2d 3d", pile="Kh", death="cannot_play")
    assert table.act("Ah", 3) == ["0 Ah 0"]
    assert table.turn == 1


def test_the_last_card_in_brute_mode_kills():
    table = Laid("Jh", "5s 6s", "2c 3c", "2d 3d", pile="Kh", brute=True, opener=3)
    assert table.act("Jh") == ["0 Jh 0", "0 brute"]
    table = Laid("Jh", "5s 6s", "2c 3c", "2d 3d", pile="Kh", brute=True, opener=3, death="cannot_play")
    assert table.act("Jh") == ["0 Jh 0"]


def test_a_seven_as_last_card_in_brute_mode_saves_by_what_it_takes():
    table = Laid("7h", "5s", "2c 3c", "2d 3d", pile="Kh", brute=True, opener=3)
    assert table.act("7h", 1) == ["0 7h 0", "1 emptied"]
    assert table.hand(0) == "5s"


def test_two_jokers_as_last_cards_in_brute_mode_are_a_draw_of_two():
    table = Laid("Xb Xs", "5s 6s", pile="Kh", brute=True, opener=1)
    assert table.act("Xb Xs", 1) == ["0 Xb+Xs 0", "1 killed", "0 brute", "draw"]
    assert table.state.first_dead == 1


def test_two_jokers_outside_brute_mode_win_and_still_draw_one_card():
    table = Laid("Xb Xs", "5s 6s", pile="Kh 4d")
    assert table.act("Xb Xs", 1) == ["0 Xb+Xs 0 draws Kh", "1 killed", "team0"]


def test_two_jokers_only_empty_a_living_hand_where_only_having_no_play_kills():
    table = Laid("Xb Xs", "5s 6s", pile="Kh", death="cannot_play")
    assert table.act("Xb Xs", 1) == ["0 Xb+Xs 0 draws Kh", "1 stuck", "team0"]
    table = Laid("Xb Xs 2d", "5s", "2c", "", pile="Kh", awaiting=(3,), death="cannot_play")
    assert table.act("Xb Xs", 3) == ["0 Xb+Xs 0 draws Kh", "3 killed"]


def test_one_card_replaces_two_jokers():
    table = Laid("Xb Xs 2d", "5s 6s", "2c 3c", "2h 3d", pile="Kh 4d")
    assert table.act("Xb Xs", 1)[:2] == ["0 Xb+Xs 0 draws Kh", "1 killed"]
    assert table.hand(0) == "2d Kh"


def test_equal_and_different_jokers_of_two_decks():
    table = Laid("Xb Xb Xs", "5s", "2c", "2h", pile="Kh", decks=2)
    assert table.options() == [(pair, seat) for pair in ("Xb Xb", "Xb Xs") for seat in (1, 2, 3)]
    table = Laid("9h 9h 7d", "5s", "2c", "2h", pile="Kh", decks=2)
    assert table.options() == [("9h", None), ("7d", 1), ("7d", 2), ("7d", 3)]


def test_a_hand_thrown_away_and_the_card_played_are_in_the_pile_made_anew():
    table = Laid("Xb Xs 2d", "5s 6s", "2c 3c", "2h 3d", pile="")
    assert table.act("Xb Xs", 1)[0] == "remake"
    remade = set(table.state.remade[: table.state.remade_n].tolist())
    assert {52, 53, 4, 5} <= remade


def test_pointing_at_one_who_awaits_all_but_ends_him():
    table = Laid("5h 2d", "", "2c 3c", "2h 3d", pile="Kh 9c Tc", awaiting=(1,))
    assert table.act("5h", 1) == ["0 5h 0 draws Kh", "1 flips 9c 9 dies", "1 flip"]
    assert table.turn == 2
    table = Laid("5h 2d", "", "2c 3c", "2h 3d", pile="Kh 7c Tc", awaiting=(1,))
    assert table.act("5h", 1) == ["0 5h 0 draws Kh"]
    lines = table.act("flip", 0)
    assert lines == ["1 flips 7c 0 lives"]
    assert table.turn == 2


def test_play_goes_on_from_the_one_pointed_at_in_the_same_direction():
    table = Laid("5h 2d", "4c", "2c 3c", "2h 3d", pile="Kh 9c Tc 8d")
    table.act("5h", 3)
    assert table.turn == 3
    table.act("2h")
    assert table.turn == 0
    table = Laid("4h 2d", "4c", "2c 3c", "2h 5d", pile="Kh 9c Tc 8d")
    table.act("4h")
    assert table.turn == 3
    table.act("5d", 1)
    table.act("4c")
    assert table.turn == 2


def test_a_five_as_last_card_in_brute_mode_still_points():
    table = Laid("5h", "4c", "2c 3c", "2h 3d", pile="Kh", brute=True, opener=1)
    assert table.act("5h", 3) == ["0 5h 0", "0 brute"]
    assert table.turn == 3


def test_brute_mode_ends_with_the_openers_next_play_which_draws():
    table = Laid("As 2d", "4c 9c", "2c 3c", "2h 3d", pile="Kh 9d Tc 8d")
    assert table.act("As") == ["0 As 0 draws Kh"]
    assert table.act("9c") == ["1 9c 9"]
    assert table.act("2c") == ["2 2c 11"]
    assert table.act("3d") == ["3 3d 14"]
    assert table.act("2d") == ["0 2d 16 draws 9d"]
    assert not table.state.brute
    assert table.act("4c") == ["1 4c 16 draws Tc"]


def test_the_openers_second_ace_of_spades_turns_it_on_anew():
    table = Laid("As 2d", "4c 9c", pile="Kh 9d", decks=2, brute=True, opener=0)
    assert table.act("As") == ["0 As 0 draws Kh"]
    assert (table.state.brute, table.state.opener, table.state.brute_modes) == (1, 0, 1)


def test_anothers_ace_of_spades_ends_it_and_draws():
    table = Laid("As 2d", "4c 9c", "2c 3c", "2h 3d", pile="Kh 9d", brute=True, opener=2)
    assert table.act("As") == ["0 As 0 draws Kh"]
    assert (table.state.brute, table.state.opener) == (0, -1)


@pytest.mark.parametrize(("death", "stays"), [("empty_hand", 1), ("cannot_play", 0)])
def test_brute_mode_without_its_opener(death, stays):
    table = Laid("Kh 2d", "9c", "2c 3c Jc", "2h 3d", pile="9d", brute=True, opener=1, death=death)
    assert table.act("Kh") == ["0 Kh 99", "1 stuck"]
    assert (table.state.brute, table.state.opener) == (stays, -1)
    drew = table.act("Jc")[0].endswith("draws 9d")
    assert drew != bool(stays)


FLIPS = {
    # card: (lives in brute mode or pointed at, lives else); at N = 95 with nobody dead
    "2s": (False, True), "9s": (False, False), "4s": (False, True), "Js": (False, True), "Ks": (False, True),
    "Xb": (False, True), "As": (None, True),
}  # fmt: skip


@pytest.mark.parametrize("card", FLIPS)
@pytest.mark.parametrize("mode", ["usual", "brute", "pointed"])
def test_cards_turned_up_by_themselves(card, mode):
    brute, pointed = mode == "brute", mode == "pointed"
    hand = "5h 3d" if pointed else "Jh 3d"
    table = Laid(hand, "", "Jd Jc", "4d 4c", pile="Kh " + card + " 6h 6d" if not brute else card + " 6h",
                 n=95, awaiting=(1,), brute=brute, opener=3 if brute else None)  # fmt: skip
    lines = table.act(*(("5h", 1) if pointed else ("Jh", None)))
    hard, easy = FLIPS[card]
    lives = easy if mode == "usual" else (brute if hard is None else hard)
    flip = next(line for line in lines if line.startswith("1 flips"))
    assert ("lives" in flip) == lives
    assert ("draws 6h" in flip) == lives
    assert ("1 flip" in lines) == (not lives)
    if card == "9s":
        assert " 95 " in flip


@pytest.mark.parametrize("card", ["Th", "Qh", "5c", "Xs", "Ac", "7c"])
@pytest.mark.parametrize("brute", [False, True])
def test_cards_turned_up_with_a_choice(card, brute):
    table = Laid("Jh 3d", "", "Jd Jc", "4d 4c", "2h", "", pile=("" if brute else "Kh ") + card + " 6h",
                 n=50, awaiting=(1,), dead=(5,), brute=brute, opener=3 if brute else None)  # fmt: skip
    table.act("Jh")
    options = [option for _, option in table.options()]
    assert options == {"T": [None, -1], "Q": [None, -1], "5": [0, 2, 3, 4], "X": [5]}.get(card[0], [0, 2, 3, 4])
    lines = table.act("flip", options[-1])
    gains = card[0] in "A7"
    assert ("lives" in lines[0]) == (gains or not brute)
    assert ("draws 6h" in lines[0]) == (not gains and not brute)
    assert ("4 emptied" in lines) == gains
    if card[0] == "X":
        assert table.state.awaiting == 1 << 5
    if card[0] == "5":
        assert table.turn == 4


def test_cards_gained_at_a_revival_are_kept_or_played_at_once():
    laid = ("Jh 3d", "", "Jd Jc", "4d 4c")
    kept = Laid(*laid, pile="Kh Ac 6h", awaiting=(1,))
    kept.act("Jh")
    assert kept.act("flip", 3)[:1] == ["1 flips Ac 0 lives"]
    assert kept.turn == 2
    played = Laid(*laid, pile="Kh Ac 6h", awaiting=(1,), revive_gain="play")
    played.act("Jh")
    assert played.act("flip", 3) == ["1 flips Ac 0 lives", "3 emptied"]
    assert played.turn == 1
    assert played.act("4d") == ["1 4d 0 draws 6h"]
    assert played.turn == 0


def test_an_extra_turn_of_one_pointed_at_draws_nothing_and_can_kill():
    table = Laid("5h 3d", "", "Jd Jc", "4d 4c", pile="Kh 7c 6h", awaiting=(1,), revive_gain="play")
    table.act("5h", 1)
    assert table.act("flip", 3)[0] == "1 flips 7c 0 lives"
    assert table.turn == 1
    ((card, _),) = table.options()
    assert table.act(card) == [f"1 {card} 0", "1 brute"]


def test_where_only_having_no_play_kills_a_revival_without_gain_lives_on():
    table = Laid("5h 3d", "", "Jd Jc", "4d 4c", pile="Kh Jc 6h".replace("Jc", "Js"), awaiting=(1,), death="cannot_play")
    assert table.act("5h", 1) == ["0 5h 0 draws Kh", "1 flips Js 0 lives"]
    assert table.hand(1) == ""


@pytest.mark.parametrize(
    ("card", "n", "signs"),
    [
        ("Th", 10, [None]), ("Th", 11, [None, -1]), ("Th", 89, [None, -1]), ("Th", 90, [-1]),
        ("Qh", 20, [None]), ("Qh", 21, [None, -1]), ("Qh", 79, [None, -1]), ("Qh", 80, [-1]),
    ],
)  # fmt: skip
def test_signs_of_tens_and_queens(card, n, signs):
    assert [option for _, option in Laid(card, "2d", pile="3d", n=n).options()] == signs


@pytest.mark.parametrize(("n", "signs"), [(21, [None]), (79, [None]), (80, [-1]), (99, [-1])])
def test_queens_as_the_source_prints_them(n, signs):
    assert [option for _, option in Laid("Qh", "2d", pile="3d", n=n, queen_low=80).options()] == signs


def test_three_stuck_in_a_row():
    table = Laid("Kh 4d", "9h 8h", "6h 3h", "2c", "Jc 2d", "3s", pile="5c")
    assert table.act("Kh") == ["0 Kh 99 draws 5c", "1 stuck", "2 stuck", "3 stuck"]
    assert table.turn == 4
    assert table.state.turns == 1
    assert table.state.after_king == 1


def test_the_turns_are_used_up_unless_the_last_decides():
    table = Laid("Kh 4d", "9h 8h", pile="5c", max_turns=1)
    assert table.act("Kh") == ["0 Kh 99 draws 5c", "limit"]
    table = Laid("7h", "9h", pile="5c", max_turns=1)
    assert table.act("7h", 1) == ["0 7h 0", "1 emptied", "team0"]


def test_declining_needs_team_mates_alive_and_only_jokers_to_play():
    given = ("Xb 9h", "Jd Jc", "4d 4c", "")
    assert ("decline", None) in Laid(*given, pile="5c", n=99, dead=(3,), suicide="last_joker").options()
    assert ("decline", None) not in Laid(*given, pile="5c", n=99, dead=(3,)).options()
    assert ("decline", None) not in Laid(*given, pile="5c", n=90, dead=(3,), suicide="last_joker").options()
    given = ("Xb 9h", "Jd Jc", "", "4d 4c", "5h", "5d")
    for gone in ({"dead": (2,)}, {"awaiting": (2,), "dead": (5,)}):
        options = Laid(*given, pile="5c", n=99, suicide="last_joker", **gone).options()
        assert ("Xb", gone["dead"][0]) in options
        assert ("decline", None) not in options
    table = Laid("Xb 9h", "Jd Jc", "4d 4c", "", pile="5c", n=99, dead=(3,), suicide="last_joker")
    assert table.act("decline") == ["0 suicide"]
    assert table.state.turns == 0


def test_a_seven_needs_a_card_to_take_where_empty_hands_live():
    table = Laid("7h 9d", "", "4d", "", pile="5c", death="cannot_play")
    assert table.options() == [("7h", 2), ("9d", None)]


def test_a_lone_joker_with_nobody_dead_is_no_play():
    table = Laid("Kd 5d", "Xb", pile="5c")
    assert table.act("Kd") == ["0 Kd 99 draws 5c", "1 stuck", "team0"]
