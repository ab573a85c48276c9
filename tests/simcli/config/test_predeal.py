"""`predeal:` and `--hand`: what they mean, what they do to an identity, and one line for each that cannot be dealt."""

import pytest

from kernels.registry import GAMES
from simcli.cli.options import changes
from simcli.config import predeal
from simcli.config.loading import from_plain, load
from simcli.errors import UserError
from tests import toy as toy_game


def read(game="redox", sets=(), **hands):
    given = {name.removeprefix("hand_"): text for name, text in hands.items()}
    return from_plain({"game": game, "seed": 7, "predeal": given}, "c.yaml", "c", sets)


def test_cards_are_sorted_and_named_as_in_a_config():
    scenario = read(hand_2="Xb 3♠,２ｓ", hand_0="", face="Kd")
    assert scenario.predealt == {"2": "2s 3s Xb", "face": "Kd"}
    assert scenario.describe()["predeal"] == scenario.predealt


def test_it_is_part_of_the_identity_and_nothing_is_without_it():
    plain = from_plain({"game": "redox", "seed": 7}, "c.yaml", "c")
    assert set(plain.describe()) == {"game", "rules", "policies", "shuffle", "seed", "versions"}
    assert plain.identity == read().identity == read(hand_0="").identity
    assert read(hand_0="As 2s").identity == read(hand_0="2s As").identity
    assert len({plain.identity, read(hand_0="As").identity, read(hand_1="As").identity}) == 3
    assert plain.rules_hash == read(hand_0="As").rules_hash


def test_what_a_scenario_describes_is_read_back():
    scenario = read(hand_0="As Xs", hand_3="7d", face="Xb")
    described = {key: value for key, value in scenario.describe().items() if key != "versions"}
    assert from_plain(described, "c.yaml", "c").predeal == scenario.predeal


@pytest.mark.parametrize(
    ("game", "hands", "dealt"),
    [
        ("redten", {"hand_0": "鬼", "hand_1": "Joker"}, {"0": "Xs", "1": "Xb"}),
        ("redten", {"hand_0": "joker", "hand_1": "Xs"}, {"0": "Xb", "1": "Xs"}),
        ("redox", {"hand_0": "鬼 鬼 鬼 大王"}, {"0": "Xs Xs Xb Xb"}),
    ],
)
def test_a_joker_without_a_size_is_one_that_is_not_named_small_ones_first(game, hands, dealt):
    assert read(game, **hands).predealt == dealt


def test_a_pack_of_big_jokers_only_has_no_small_one():
    assert read(sets=["rules.jokers_per_deck=1"], hand_0="鬼").predealt == {"0": "Xb"}


def test_a_hand_of_the_command_line_takes_the_place_of_the_configs(tmp_path):
    config = tmp_path / "c.yaml"
    config.write_text("game: redox\nseed: 7\npredeal: {0: As, 1: Ah}\n")
    given = changes(["rules.players=3"], ["2s 3s", "2 = Kd", "face=Xb"])
    assert load(str(config), given).predealt == {"0": "2s 3s", "1": "Ah", "2": "Kd", "face": "Xb"}
    assert load(str(config), ["predeal.0=Ks"]).predealt == {"0": "Ks", "1": "Ah"}


REFUSED = {
    "a card too often": ("redox", "{0: As As, 3: As}", "2:", "3: As is given 3 times, the pack has 2; leave it out"),
    "a card the pack lacks": ("toy", "{0: Xb}", "2:", "0: Xb is given once, the pack has none; leave it out"),
    "too many cards": ("dafuweng", "{1: As 2s 3s 4s 5s}", "2:", "1: 5 cards, there is room for 3; leave 2 out"),
    "two face cards": ("redox", "{face: As Ks}", "2:", "face: 2 cards, there is room for 1; leave 1 out"),
    "two dealers": (
        "erbaiwu", "{0: As Ah Ad Ac 2s 2h 2d, 1: 3s 3h 3d 3c 4s 4h 4d}", "2:10 predeal",
        "predeal: hands of 7, 7 cards are never dealt together; give one of them fewer",
    ),
    "unknown seat": ("redten", "{4: As}", "2:11 predeal.4", "4: there is no seat 4; seats are 0 to 3"),
    "no face card": ("erbaiwu", "{face: As}", "2:11 predeal.face", "face: there is no seat face; seats are 0 to 3"),
    "unknown place": ("redox", "{fase: As}", "2:", "fase: there is no place fase; seats are 0 to 3, and face; did you"),
    "unreadable": ("redox", "{0: As Zz}", "2:14 predeal.0", "0: 'Zz' is no card; cards are written like As"),
    "a number": ("redox", "{0: [As]}", "2:", "0: a list is not allowed; cards such as As Td 7c Xb"),
    "nothing": ("redox", "{0: }", "2:", "0: nothing is not allowed; cards such as As Td 7c Xb"),
    "no map": ("redox", "As", "2:10 predeal", "predeal: As is not allowed; a map (key: value)"),
    "riffles": (
        "redox", "{0: As}\nshuffle: {riffle: 7}", "2:10 predeal",
        "predeal: cards are predealt from packs shuffled uniformly, not by riffle; leave either out",
    ),
}  # fmt: skip


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(("game", "text", "place", "message"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_dealt_is_refused_at_its_place(tmp_path, game, text, place, message):
    config = tmp_path / "c.yaml"
    config.write_text(f"game: {game}\npredeal: {text}\n")
    with pytest.raises(UserError) as error:
        load(str(config))
    assert str(error.value).startswith(f"{config}:{place}")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (["As Zz"], "--hand As Zz: 'Zz' is no card"),
        (["9=As"], "--hand 9=As: there is no seat 9"),
        ([""], "--hand : nothing is not allowed"),
        (["As", "0=2s"], "--hand: 0 is given twice; give all its cards at once"),
        (["As As As"], "--hand As As As: As is given 3 times"),
    ],
)
def test_options_are_refused_by_their_names(hands, message):
    with pytest.raises(UserError) as error:
        load("redox", changes([], hands))
    assert str(error.value).startswith(message)


def test_a_shuffle_given_as_an_option_is_refused_too():
    with pytest.raises(UserError, match=r"^--hand As: cards are predealt from packs shuffled uniformly, not by riffle"):
        load("redox", changes(["shuffle={riffle: 7}"], ["As"]))


def test_a_game_that_says_nothing_of_its_deal_takes_no_cards(toy, monkeypatch):
    monkeypatch.setattr(toy_game.options, "deal", lambda values: None)
    from kernels import protocol

    protocol.room.cache_clear()
    with pytest.raises(UserError, match=r"^c.yaml: the cards of toy cannot be predealt; leave predeal out"):
        read("toy", hand_0="As")
    protocol.room.cache_clear()


def test_cards_may_not_fit_other_rules():
    scenario = read(hand_0="As As", face="Kd")
    assert predeal.fits("redox", scenario.rules, scenario.predeal)
    assert not predeal.fits("redox", {**scenario.rules, "decks": 1}, scenario.predeal)
    assert not predeal.fits("redox", {**scenario.rules, "hand_size": 7}, {"0": tuple(range(8))})
    assert not predeal.fits("redox", {**scenario.rules, "players": 2}, {"3": (0,)})
    assert predeal.fits("erbaiwu", {}, {})


def test_every_game_takes_them():
    for game in GAMES:
        assert read(game, hand_0="As").predealt == {"0": "As"}
