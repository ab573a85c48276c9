"""Each game's RULES.md describes every line of its transcripts."""

import json
import re

import pytest

from kernels.registry import GAMES, Game

VARYING = {"redox": {"turn"}}
"""Kinds of which a line has more fields than those that every one has."""


def described(name):
    """The section of the rules about transcripts."""
    return re.search(r"^## Transcript\n(.*?)(?=^## |\Z)", Game(name).rules_text, re.MULTILINE | re.DOTALL)[1]


@pytest.mark.parametrize("name", GAMES)
def test_an_example_of_every_line_with_all_its_fields(name):
    kinds = Game(name).transcript.KINDS
    examples = [json.loads(line) for line in described(name).splitlines() if line.startswith("{")]
    assert {example["e"] for example in examples} == set(kinds)
    for example in examples:
        fields = dict(kinds[example["e"]])
        if example["e"] in VARYING.get(name, ()):
            assert set(fields) < set(example)
        else:
            assert ["e", *fields] == list(example)
        for field, kind in fields.items():
            assert isinstance(example[field], kind)


@pytest.mark.parametrize("name", GAMES)
def test_every_field_is_explained(name):
    text = re.sub(r"```.*?```", "", described(name), flags=re.DOTALL)
    obvious = {"game", "round", "card", "cards", "hands", "turns"}
    fields = {field for kind in Game(name).transcript.KINDS.values() for field in kind}
    assert not {field for field in fields - obvious if f"`{field}`" not in text}
