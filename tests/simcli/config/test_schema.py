"""The JSON Schema of configs takes what the program takes, and refuses what it can see to be wrong."""

import json

import jsonschema
import pytest
from ruamel.yaml import YAML

from kernels.registry import GAMES
from simcli.config.draft import draft
from simcli.config.loading import from_plain, shipped
from simcli.config.schema import schema
from simcli.errors import UserError


def plain(text):
    """YAML as editors read it: `1_000` is text."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(text), default=str))


def is_valid(config, game=None):
    return jsonschema.Draft7Validator(schema(game)).is_valid(config)


@pytest.mark.parametrize("game", [None, *GAMES])
def test_it_is_a_schema(game):
    jsonschema.Draft7Validator.check_schema(schema(game))


def test_configs_that_come_along_and_drafts_are_valid():
    for path in shipped().values():
        config = plain(path.read_text())
        assert is_valid(config)
        assert [game for game in GAMES if is_valid(config, game)] == [config["game"]]
    for game in GAMES:
        assert is_valid(plain(draft(game)), game)


GOOD = [
    "game: 嘉兴红十",
    "game: redox\nrules: {scoring: {joker: 10}}",
    "game: redox\nrules: {scoring.joker: 10, target: null, max_rounds: 1_000}",
    "game: redten\nrules: {scoring.lone_first: [12, -4]}",
    "game: redox\nrules:",
    "game: redox\npolicies: [random, {name: expert, params: {in_run: 3}}, greedy, search]",
    "game: redox\npolicies: {name: expert, 1: random}",
    "game: redox\nshuffle: {riffle: 7}",
    "game: redox\ngames: 10k\nseed: 18446744073709551615",
    "game: redox\npredeal: {0: As 2s, face: Kd}",
    "game: redox\nquestions: {a: {table: [outcome, winner]}, b: {event: slam, by: winner, expect: {p: exact}}}",
]
BAD = [
    "rules: {}",
    "game: bridge",
    "game: redox\nruls: {}",
    "game: redox\nrules: {player: 3}",
    "game: redox\nrules: {players: 9}",
    "game: redox\nrules: {players: many}",
    "game: redox\nrules: {scoring: {jokers: 1}}",
    "game: redox\nrules: {stock_exhausted: recycled}",
    "game: erbaiwu\nrules: {held_sevens: maybe}",
    "game: redten\nrules: {scoring.lone_first: [12]}",
    "game: redox\npolicies: expret",
    "game: redox\npolicies: {name: expert, params: {in_rum: 3}}",
    "game: redox\npolicies: {name: expert, params: {in_run: 3000}}",
    "game: redox\nshuffle: {riffle: 0}",
    "game: redox\nshuffle: {riffle: 1, overhand: 1}",
    "game: redox\ngames: 0",
    "game: redox\nseed: -1",
    "game: redox\nquestions: {a: {given: slam}}",
    "game: redox\nquestions: {a: {event: slam, per: game}}",
    "game: redox\nquestions: {1a: {event: slam}}",
    "game: redox\nname: -x",
    "game: redox\npredeal: {fase: Kd}",
    "game: erbaiwu\npredeal: {face: Kd}",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_the_program_takes_it_takes(text):
    config = plain(text)
    assert is_valid(config)
    assert is_valid(config, {"嘉兴红十": "redten"}.get(config["game"], config["game"]))


@pytest.mark.parametrize("text", BAD)
def test_what_it_refuses_the_program_refuses(text):
    config = plain(text)
    assert not is_valid(config)
    assert not is_valid(config, config.get("game") if config.get("game") in GAMES else "redox")
    with pytest.raises(UserError):
        from_plain(config, "c", "c")
