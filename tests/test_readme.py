"""What the README shows must work."""

import re
import shlex
from pathlib import Path

import pytest

from simcli import app
from simcli.config.loading import load

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
CONTINUOUS = (Path(__file__).parent.parent / ".ci" / "run").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    """Every command line of the README's tables and examples, as words."""
    shown = re.findall(r"`(simcli [^`]+)`", README) + re.findall(r"^    \$ (simcli .*)$", README, re.MULTILINE)
    return [shlex.split(text)[1:] for text in shown if "COMMAND" not in text and "GAME" not in text]


def test_the_config_is_one(tmp_path):
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    path = tmp_path / "readme.yaml"
    path.write_text(block)
    scenario = load(str(path))
    assert [policy.name for policy in scenario.policies][:2] == ["expert", "random"]
    assert len(scenario.questions) == 3


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_exists_with_its_options(words, capsys):
    if words[0].startswith("-"):
        return
    options = [word for word in words if word.startswith("--")]
    path = words[:2] if words[0] == "rules" else words[:1]
    assert app.run([*path, "--help"]) == 0
    said = capsys.readouterr().out
    assert all(option in said for option in options)


def test_continuous_integration_runs_the_tests_as_the_readme_says():
    lines = [line for line in README.splitlines() if re.match("    .*pytest", line)]
    assert len(lines) == 1
    assert "README.md" in CONTINUOUS
