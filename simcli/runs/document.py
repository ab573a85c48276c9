"""`run.json`: what decides the games of a run, and the questions that its config asked when it was begun."""

import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import polars as pl

from kernels.notation import parse_cards
from kernels.registry import GAMES
from simcli.config.scenario import RUN_NAME, Policy, Scenario, Shuffle, identity_of
from simcli.errors import UserError, shorten
from simcli.runs import checksum, partition
from simcli.runs.checksum import Damaged

SCHEMA = 2
"""Version of its layout."""

_WITHOUT_CHECKSUM = 1
"""The layout before, which is read and no longer written: the same without a checksum."""

_MAX_PART_GAMES = 1_000_000
_BEFORE_CHECKSUM = b'\n  "checksum": "'


def describe(scenario: Scenario) -> dict[str, Any]:
    """The document of a new run: what decides the games, and nothing about how they are made."""
    described = scenario.describe()
    return {
        "schema": SCHEMA,
        "name": scenario.name,
        "identity": scenario.identity,
        "part_games": partition.PART_GAMES,
        "versions": {**described.pop("versions"), "simcli": _own_version(), "polars": pl.__version__},
        "config": described,
        "questions": {name: dict(question) for name, question in scenario.questions.items()},
    }


def encode(document: Mapping[str, Any]) -> bytes:
    """The bytes of `run.json`, a checksum over all of them among them."""
    text = json.dumps({"checksum": None} | dict(document) | {"checksum": checksum.BLANK}, indent=2, ensure_ascii=False)
    return checksum.fill_in(f"{text}\n".encode(), _BEFORE_CHECKSUM)


def decode(data: bytes, place: str) -> dict[str, Any]:
    """The document in the bytes of `run.json`, verified. Raises Damaged, and UserError for another layout."""
    document = _parsed(data, place)
    schema = document.get("schema")
    if schema != _WITHOUT_CHECKSUM or "checksum" in document:
        checksum.check(data, _BEFORE_CHECKSUM, place)
    if schema not in (_WITHOUT_CHECKSUM, SCHEMA):
        raise UserError(place, f"written by another version of this program (layout {schema})")
    _check(document, place)
    return document


def scenario_of(document: Mapping[str, Any]) -> Scenario:
    """The scenario that it describes. Raises KeyError, TypeError, ValueError or AttributeError if it describes none."""
    config = document["config"]
    shuffle = config["shuffle"]
    ((kind, passes),) = shuffle.items() if isinstance(shuffle, dict) else ((shuffle, 0),)
    return Scenario(
        name=document["name"],
        game=config["game"],
        rules={key: tuple(value) if isinstance(value, list) else value for key, value in config["rules"].items()},
        policies=tuple(Policy(policy["name"], policy["params"]) for policy in config["policies"]),
        predeal={name: tuple(parse_cards(cards)) for name, cards in config.get("predeal", {}).items()},
        shuffle=Shuffle(kind, passes),
        seed=config["seed"],
        games=0,
        questions={name: dict(question) for name, question in document["questions"].items()},
    )


def described(document: Mapping[str, Any]) -> dict[str, Any]:
    """All that decides the games, as in `Scenario.describe` when the run was begun."""
    versions = document["versions"]
    return {**document["config"], "versions": {"engine": versions["engine"], "game": versions["game"]}}


def _parsed(data: bytes, place: str) -> dict[str, Any]:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Damaged(place, "damaged: it is not JSON") from error
    if not isinstance(document, dict):
        raise Damaged(place, "damaged: it does not describe a run")
    return document


def _check(document: Mapping[str, Any], place: str) -> None:
    try:
        known = document["config"]["game"] in GAMES
        scenario = scenario_of(document)
        sound = type(document["part_games"]) is int and 0 < document["part_games"] <= _MAX_PART_GAMES
        sound = sound and RUN_NAME.fullmatch(document["name"]) is not None
        sound = sound and identity_of(described(document)) == document["identity"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Damaged(place, "damaged: it does not describe a run") from error
    if not sound:
        raise Damaged(place, "damaged: its config does not have the identity it names")
    if not known:
        raise UserError(place, f"this program does not play {shorten(str(scenario.game))}")
    if scenario.describe()["versions"] == described(document)["versions"]:
        _check_config(document, place)


def _check_config(document: Mapping[str, Any], place: str) -> None:
    """Raise UserError for a config that this version does not allow: compiled code takes its numbers on trust."""
    from simcli.config.loading import from_plain

    resolved = from_plain(document["config"], place, document["name"]).describe()
    if resolved != described(document):
        raise Damaged(place, "damaged: its config is not resolved as this program does it")


def _own_version() -> str:
    try:
        return version("simcli")
    except PackageNotFoundError:
        return "unknown"
