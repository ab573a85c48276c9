"""`players`: who can play, what their parameters are, and who is stronger; and styles in answers."""

import json

import pytest

from kernels.options import POLICIES
from kernels.registry import GAMES, Game
from simcli.config.loading import from_plain
from tests.games import scenario
from tests.simcli.toyruns import call

games = pytest.mark.parametrize("name", GAMES)


def answer(*words: object) -> str:
    code, out, err = call([str(word) for word in words])
    assert code == 0, err
    return out


@games
def test_every_player_style_and_parameter_is_listed(name):
    found = json.loads(answer("players", "list", name, "-o", "json"))
    options = Game(name).options
    assert [row["player"] for row in found["players"]] == list(POLICIES)
    assert [row["style"] for row in found["styles"]] == list(options.STYLES)
    listed = {(row["player"], row["parameter"]) for row in found["parameters"]}
    assert {("expert", one.name) for one in options.PARAMETERS["expert"]} <= listed
    assert {("search", "worlds"), ("search", "by")} <= listed
    assert "Parameters" in answer("players", "list", name)


@games
def test_a_style_is_the_expert_with_other_parameters(name):
    options = Game(name).options
    usual = scenario(name, "expert").policies[0]
    allowed = {one.name: one for one in options.PARAMETERS["expert"]}
    assert len(options.STYLES) >= 2
    for style, what in options.STYLES.items():
        played = from_plain({"game": name, "policies": style, "seed": 1}, "x", "x")
        written = {"name": "expert", "params": dict(what.params)}
        assert played.identity == from_plain({"game": name, "policies": written, "seed": 1}, "x", "x").identity
        assert str(played.policies[0]) == style
        assert {key: played.policies[0].params[key] for key in what.params} == dict(what.params)
        assert all(allowed[key].low <= value <= allowed[key].high for key, value in what.params.items())
        assert played.policies[0].params != usual.params


def test_an_answer_says_how_far_it_depends_on_the_players():
    words = ["redten", "shown", "-n", 2000, "--seed", 3, "-q", "-o", "json"]
    found = json.loads(answer("ask", *words))["answers"][0]
    assert [row["name"] for row in found["styles"]] == ["bold", "shy"]
    for row in found["styles"]:
        sets = ["-s", f"policies={row['name']}", "-n", 200, "--seed", 3, "-q", "-o", "json"]
        alone = json.loads(answer("ask", "redten", "shown", *sets))["answers"][0]
        assert (row["estimate"], row["interval"], row["games"]) == (alone["estimate"], alone["interval"], 200)
        assert alone["policies"] == [row["name"]] * 4
        assert "styles" not in alone
    assert found["styles"][1]["hits"] == 0
    without = json.loads(answer("ask", *words, "--no-styles"))["answers"][0]
    assert "styles" not in without
    assert {key: value for key, value in found.items() if key != "styles"} == without
    assert "depends on the players: as bold" in answer("ask", *words[:-2])


def test_few_games_and_other_players_have_no_styles():
    for words in (["-n", 500], ["-n", 2000, "-s", "policies.0=greedy"]):
        found = json.loads(answer("ask", "redten", "solo", *words, "--seed", 3, "-q", "-o", "json"))["answers"][0]
        assert "styles" not in found


def test_a_ladder_has_every_pair_and_can_be_climbed_again():
    words = ["players", "ladder", "redten", "-n", 150, "--search-games", 6, "-q"]
    found = json.loads(answer(*words, "-o", "json"))
    assert len(found["rows"]) == 6
    rows = {(row["a"], row["b"]): row for row in found["rows"]}
    assert rows["expert", "random"]["low"] > 0
    assert rows["search", "random"]["games"] == 6
    assert rows["greedy", "random"]["a_is"] == "better"
    table = answer(*words)
    assert found["reproduce"] in table
    compared = json.loads(answer("compare", "redten", "expert", "greedy", "-n", 150, "--seed", 7, "-q", "-o", "json"))
    assert compared["rows"][0]["difference"] == rows["expert", "greedy"]["gain"]


def test_an_unknown_style_is_named_with_those_there_are():
    code, out, err = call(["ask", "redox", "slam", "-s", "policies=huntr", "-n", "10"])
    assert (code, out) == (2, "")
    assert "one of random, greedy, expert, search, hunter, opener; did you mean hunter" in err


def test_all_policies_include_search_with_games_that_fit_a_time():
    out = answer("ask", "redten", "solo", "--policies", "all", "-n", 60, "--seed", 3, "-o", "json", "-q")
    rows = {row["variant"]: row for row in json.loads(out)["rows"]}
    assert list(rows) == list(POLICIES)
    assert all(row["games"] == 60 for name, row in rows.items() if name != "search")
    assert 10 <= rows["search"]["games"] <= 60
