"""A config to begin with is the game as it is, with every key there is."""

import pytest

from kernels.options import POLICIES, parameters_of
from kernels.registry import GAMES, Game
from simcli.asking.questions import check
from simcli.config.draft import draft
from simcli.config.loading import KEYS, from_plain, load


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("name", [*GAMES, "toy"])
def test_it_means_the_defaults_and_names_every_key(tmp_path, name):
    path = tmp_path / "c.yaml"
    path.write_text(draft(name))
    scenario = load(str(path), seed="7")
    assert scenario.identity == from_plain({"game": name, "seed": 7}, "c", "c").identity
    assert scenario.questions
    check(scenario)
    words = {line.strip("# ").partition(":")[0] for line in draft(name).splitlines()}
    options = Game(name).options
    keys = [key for option in options.OPTIONS for key in option.key.split(".")]
    params = [one.name for policy in POLICIES for one in parameters_of(options.PARAMETERS, policy)]
    assert {*KEYS, *keys, *params} <= words


@pytest.mark.parametrize("name", GAMES)
def test_what_is_commented_out_can_be_used(tmp_path, name):
    """The players written out with all their parameters, and the predealt cards."""
    lines = draft(name).splitlines()
    starts = [number for number, line in enumerate(lines) if line == "# policies:"]
    for start in starts:
        end = start + 1
        while lines[end].startswith("#  "):
            end += 1
        block = [line[2:] for line in lines[start:end]]
        given = [line[2:] for line in lines if line.startswith("# predeal:")]
        path = tmp_path / f"{start}.yaml"
        path.write_text("\n".join([f"game: {name}", "seed: 7", *block, *given]))
        scenario = load(str(path))
        plain = from_plain({"game": name, "policies": scenario.policies[0].name, "seed": 7}, "c", "c")
        assert scenario.policies == plain.policies
        assert scenario.predealt == {"0": "As 2s"}
    assert starts
