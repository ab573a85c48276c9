"""A picture from beginning to end: its sources, its questions, its chart."""

from collections.abc import Sequence
from dataclasses import replace

from kernels.pictures import Picture
from simcli.cli.answers import players_in_words
from simcli.config import predeal, settings
from simcli.config.scenario import Scenario
from simcli.errors import UserError
from simcli.pictures.charts import Chart
from simcli.pictures.plans import plan
from simcli.pictures.sources import Source
from simcli.runs.runfolder import RunFolder


def source(
    target: str,
    sets: Sequence[str],
    scenario: Scenario,
    folder: RunFolder | None,
    games: int | None,
    jobs: int,
    quiet: bool,
) -> Source:
    """The games of a config or a run: as many as are asked for, else all that the run has or the config says."""
    wanted = games or (folder.prefix()[-1].end if folder is not None else scenario.games)
    return Source(target, target, tuple(sets), scenario, wanted, jobs, folder, quiet)


def changed(first: Source, other: str) -> Source:
    """Another setting of the same number of games and the same seed: a config, a policy, or KEY=VALUE,...

    Raises UserError.
    """
    if settings.is_config(other, first.scenario):
        found = settings.other_config(other, first.sets, first.scenario)
        return replace(first, label=other, target=other, scenario=found.scenario)
    found = settings.changed(first.target, first.sets, other, first.scenario)
    sets = [f"policies={other}"] if settings.is_policy(other, first.scenario) else settings.split(other)
    return replace(first, label=other, sets=(*first.sets, *sets), scenario=found.scenario)


def chart_of(picture: Picture, sources: Sequence[Source]) -> Chart:
    """The chart of a picture, each source a series. Raises UserError."""
    names = _labels(sources)
    if len({source.scenario.game for source in sources}) > 1:
        raise UserError("--against", "is of another game")
    wanted = plan(picture, sources)
    found = [(name, source.answers(wanted.asked)) for name, source in zip(names, sources, strict=True)]
    chart = wanted.draw(found)
    together = ", which hold together" if chart.together else ""
    level = f"intervals at {100 * found[0][1][0].question.level:.6g}%{together}"
    return replace(chart, foot=f"{foot(sources)}\n{level}")


def _labels(sources: Sequence[Source]) -> list[str]:
    """The names of the sources, each once."""
    found = [source.label for source in sources]
    return found if len(set(found)) == len(found) else [f"{name} ({i + 1})" for i, name in enumerate(found)]


def foot(sources: Sequence[Source]) -> str:
    """What decides the numbers, a line for each source."""
    lines = []
    for source in sources:
        about = source.scenario
        name = f"{source.label}: " if len(sources) > 1 else ""
        dealt = f", predealt {predeal.for_people(about)}" if about.predeal else ""
        lines.append(
            f"{name}{about.game}, rules {about.rules_hash}, players {players_in_words(about)}, "
            f"{source.games:,} games, seed {about.seed}{dealt}"
        )
    return "\n".join(lines)
