"""The page: sections in the order in which a reader asks, in one file that links to nowhere else."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from kernels.registry import Game
from simcli.asking import reproduce
from simcli.asking.answers import Answer
from simcli.asking.questions import MEAN, PROPORTION
from simcli.cli.answers import players_in_words
from simcli.cli.printing import text_of
from simcli.config import predeal
from simcli.pictures.charts import ROWS, Chart, Mark, Series
from simcli.pictures.sources import Source
from simcli.play.simulate import Table
from simcli.play.threads import prepare
from simcli.progress import Progress
from simcli.report import gathering
from simcli.report.drawing import COLORS, draw, ends, exactly, legend, limits, number, rows, ticks, tornado, track
from simcli.report.gathering import Asked, Material
from simcli.report.markup import Markup, escaped, table, tag, with_suits
from simcli.report.sentences import counted, meaning, odds
from simcli.transcript.write import steps

_SCALES = (0.001, 0.01, 0.1, 1.0)
"""Ends of the scale on which a share is shown; the least that holds its interval."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PICTURES = (
    (gathering.ENDS, "How rounds end", ""),
    (gathering.LENGTH, "How long they last", ""),
    (gathering.SEATS, "Who is ahead", ""),
    (
        gathering.DEAL,
        "What the deal decides",
        "To be dealt something, or to begin, is luck; this is what it is worth.",
    ),
    (gathering.OWN, "Of this game alone", ""),
)


def page(material: Material) -> str:
    """The whole page as HTML."""
    sections = [(name, title, body) for name, title, body in _sections(material) if body]
    title = _title(material.sources[0])
    names = [(name, heading) for name, heading, _ in sections]
    parts = [
        _header(material, title),
        tag("nav", tag("ul", [tag("li", tag("a", heading, href=f"#{name}")) for name, heading in names]),
            aria_label="Contents"),
        tag("main", [tag("section", tag("h2", heading), body, id=name) for name, heading, body in sections]),
        tag("footer", "Simulated by simcli. Intervals are at the level given with them; the game is the unit."),
    ]  # fmt: skip
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", f"{title}: a report"),
        tag("style", Markup((Path(__file__).parent / "style.css").read_text(encoding="utf-8"))),
    )
    return f'<!doctype html>\n<html lang="en">{head}{tag("body", tag("div", parts, class_="page"))}</html>\n'


def _title(source: Source) -> str:
    """The game's name, from the first line of its rules."""
    first = Game(source.scenario.game).rules_text.splitlines()[0]
    return first.removeprefix("# ").partition(":")[0]


def _header(material: Material, title: str) -> Markup:
    if len(material.sources) == 1:
        source = material.sources[0]
        deck = f"What {source.games:,} games {_between(source)} come to."
        below = None
    else:
        deck = f"Two settings side by side: {_difference(material.sources)}."
        below = tag("ul", [
            tag("li", tag("span", class_=f"key {color}"),
                f"{source.label}: {source.games:,} games {_between(source)}, from {source.target}")
            for source, color in zip(material.sources, COLORS, strict=False)
        ], class_="legend")  # fmt: skip
    return tag("header", tag("p", "A report on simulated games", class_="kicker"), tag("h1", title),
               tag("p", deck, class_="deck"), below)  # fmt: skip


def _difference(sources: Sequence[Source]) -> str:
    """In what two settings differ."""
    one, other = (source.scenario for source in sources)
    found = [
        f"{key} is {text_of(value)} or {text_of(other.rules[key])}"
        for key, value in one.rules.items()
        if other.rules[key] != value
    ]
    if one.policies != other.policies:
        found.append(f"players are {players_in_words(one)} or {players_in_words(other)}")
    if one.seed != other.seed:
        found.append(f"seeds are {one.seed} or {other.seed}, so that deals differ")
    return ", ".join(found) or "they are the same games"


def _between(source: Source) -> str:
    """Who plays, as a reader would say it."""
    names = [policy.name for policy in source.scenario.policies]
    if len(set(names)) > 1:
        return f"of {', '.join(names)}"
    return f"between {_NUMBERS[len(names)]} {names[0]} players"


def _sections(material: Material) -> Iterator[tuple[str, str, Markup | None]]:
    yield "questions", "The questions", _questions(material)
    for name, heading, lead in _PICTURES:
        charts = material.charts.get(name, [])
        lead = _wanted(material) if name == gathering.SEATS else lead
        yield name, heading, _charts(charts, lead) if charts else None
    yield "rules", "What each rule moves", _rules(material)
    yield "players", "How it depends on the players", _players(material)
    yield "game", "A game to look at", _game(material)
    yield "settings", "All settings", _settings(material)


def _wanted(material: Material) -> str:
    high = Game(material.sources[0].scenario.game).columns.HIGHER_WINS
    return f"Points of each seat, of which {'many' if high else 'few'} are wanted."


def _charts(charts: Sequence[Chart], lead: str) -> Markup:
    drawn = tag("div", [draw(chart) for chart in charts], class_="charts" if len(charts) > 1 else "charts single")
    return Markup((tag("p", lead) if lead else "") + drawn)


# Questions


def _questions(material: Material) -> Markup | None:
    if not material.questions:
        return None
    names = [source.label for source in material.sources]
    articles = [_answered(asked, names) for asked in material.questions]
    return tag("div", articles, class_="answers")


def _answered(asked: Asked, names: Sequence[str]) -> Markup:
    answer = asked.answers[0]
    said = meaning(answer) if asked.difference is None else _apart(asked, names)
    parts = [tag("h3", asked.title), *_numbers(asked, names), tag("p", said, class_="means")]
    return tag("article", parts, _asked(answer), *_groups(asked, names), class_="answer")


def _asked(answer: Answer) -> Markup:
    what = "share of" if answer.question.kind == PROPORTION else f"{answer.question.kind} over"
    return tag("p", f"{what} {counted(answer)}: ", tag("code", answer.question.text), class_="asked",
               title=answer.reproduce)  # fmt: skip


def _numbers(asked: Asked, names: Sequence[str]) -> Iterator[Markup]:
    """The estimates, large, and their intervals as lines on a scale."""
    if asked.answers[0].question.kind not in (PROPORTION, MEAN):
        return
    share = asked.answers[0].question.kind == PROPORTION
    marks = [_mark(answer) for answer in asked.answers]
    several = len(marks) > 1
    said = [_number(mark, share, place if several else None) for place, mark in enumerate(marks)]
    yield tag("p", said, class_="big two-settings" if several else "big")
    marked = _scale(marks, share)
    drawn = [track(mark, marked, color, as_bar=False) for mark, color in zip(marks, COLORS, strict=False)]
    words = [
        tag("span", number(at, share), style=f"left:{place}%", class_=end)
        for at, place, end in ((marked[0], 0, "first"), (marked[-1], 100, "last"))
    ]
    yield tag("div", drawn, tag("div", words, class_="scale", aria_hidden="true"), class_="strip")


def _number(mark: Mark, share: bool, place: int | None) -> Markup:
    """An estimate, large, and its interval; `place` is that of its setting where there are several."""
    key = None if place is None else tag("span", class_=f"key {COLORS[place]}")
    rare = f"{odds(mark.value)} · " if share and odds(mark.value) else None
    said = tag("small", rare, ends(mark, share))
    return tag("span", key, exactly(mark.value, share), said, title=mark.reproduce)


def _mark(answer: Answer) -> Mark:
    low, high = answer.describe()["interval"]
    return Mark(answer.question.text, answer.total.estimate, low, high, answer.reproduce)


def _scale(marks: Sequence[Mark], share: bool) -> list[float]:
    numbers = [n for mark in marks for n in (mark.value, mark.low, mark.high) if n is not None]
    if not share:
        return ticks(min([0.0, *numbers]), max([0.0, *numbers]))
    end = next((end for end in _SCALES if max(numbers, default=0.0) <= end), 1.0)
    return [end * part / 4 for part in range(5)]


def _apart(asked: Asked, names: Sequence[str]) -> str:
    found = asked.difference
    assert found is not None
    if found.value is None:
        return "The two cannot be compared: one of them has nothing that is counted."
    share = asked.answers[0].question.kind == PROPORTION
    low, high = (number(limit, share, True) for limit in found.interval[:2])
    same = "" if found.interval.low <= 0 <= found.interval.high else "; chance alone does not explain it"
    return f"{names[1]} less {names[0]}: {number(found.value, share, True)} ({low} to {high}){same}."


def _groups(asked: Asked, names: Sequence[str]) -> Iterator[Markup]:
    """The groups of an answer, and its quantiles, as rows."""
    first = asked.answers[0]
    if first.rows:
        labels = list(dict.fromkeys(_label(answer, row.key) for answer in asked.answers for row in answer.rows))
        series = [_grouped(name, answer, labels) for name, answer in zip(names, asked.answers, strict=True)]
    elif first.quantiles:
        series = [_of_quantiles(name, answer) for name, answer in zip(names, asked.answers, strict=True)]
    else:
        return
    chart = Chart(ROWS, "", "", "", tuple(series), first.question.kind not in (MEAN, "quantiles"))
    yield tag("figure", legend(chart), rows(chart), class_="inner")


def _grouped(name: str, answer: Answer, labels: Sequence[str]) -> Series:
    found = {_label(answer, row.key): row for row in answer.rows}
    marks = []
    for label in labels:
        row = found.get(label)
        low, high = (None, None) if row is None else row.describe()["interval"]
        marks.append(Mark(label, None if row is None else row.estimate, low, high, answer.reproduce))
    return Series(name, tuple(marks))


def _label(answer: Answer, key: tuple[object, ...]) -> str:
    return ", ".join(f"{name} {text_of(value)}" for name, value in zip(answer.question.by, key, strict=True))


def _of_quantiles(name: str, answer: Answer) -> Series:
    marks = []
    for found in answer.describe()["quantiles"]:
        low, high = found["interval"]
        marks.append(Mark(f"{100 * found['p']:g}% are at most", found["value"], low, high, answer.reproduce))
    return Series(name, tuple(marks))


# What needs more play


def _rules(material: Material) -> Markup | None:
    varied = material.varied
    if varied is None or not varied.changes:
        return None
    answer = varied.asked[0]
    share = answer.question.kind == PROPORTION
    lead = (
        f"How far each known alternative of a rule moves “{_heading(material, answer)}” from its "
        f"{number(answer.total.estimate, share)}, all else being equal. Each has played the same {varied.games:,} "
        f"deals, {len(varied.changes) + 1} times {varied.games:,} games in all; a grey bar may be chance."
    )
    known = [(change.marks[0], change.meaning) for change in varied.changes if change.marks[0].value is not None]
    chart = tag("figure", tornado(known, share), class_="chart")
    return Markup(escaped([tag("p", lead), chart, _all_changes(material), _command(varied.again)]))


def _heading(material: Material, answer: Answer) -> str:
    return next(asked.title for asked in material.questions if asked.name == answer.question.written)


def _all_changes(material: Material) -> Markup:
    """What every alternative does to every question; bold where chance alone does not explain it."""
    assert material.varied is not None
    answers = material.varied.asked
    shares = [answer.question.kind == PROPORTION for answer in answers]
    head = ["rule", *(_heading(material, answer) for answer in answers)]
    rows = [[tag("code", change.label), *map(_change, change.marks, shares)] for change in material.varied.changes]
    return tag("details", tag("summary", "Every rule and every question"), table(rows, head, "changes"), open="")


def _change(mark: Mark, share: bool) -> Markup:
    decided = mark.low is not None and mark.high is not None and not mark.low <= 0 <= mark.high
    return tag("span", exactly(mark.value, share, True), class_="changed" if decided else "chance",
               title=f"{limits(mark, share, True)}")  # fmt: skip


def _players(material: Material) -> Markup | None:
    if not material.players:
        return None
    games = gathering.player_games(material.sources[0])
    lead = f"All seats played by each player in turn, {games:,} games each, on the same deals."
    return _charts(material.players, lead)


def _game(material: Material) -> Markup | None:
    """The example move by move."""
    if material.example is None:
        return None
    source, (number_, title) = material.sources[0], material.example
    room = Game(source.scenario.game)
    table_ = Table(source.scenario, prepare(source.scenario, Progress(None, quiet=True)))
    lines = []
    for step in steps(room, table_, number_):
        first, *others = room.transcript.describe(table_.rules, step.before, step.event).splitlines() or [""]
        kind = "deal" if step.event["e"] == "deal" else None
        lines += [tag("p", with_suits(first), class_=kind)] if first else []
        lines += [tag("p", with_suits(line)) for line in others]
    why = f", one with “{title}”" if title else ""
    lead = tag("p", f"Game {number_}{why}, move by move.")
    return Markup(lead + tag("div", lines, class_="game", tabindex="0", role="region", aria_label="The game"))


# Settings


def _settings(material: Material) -> Markup:
    several = len(material.sources) > 1
    parts = [
        [tag("h3", source.label) if several else None, _facts(source), _players_table(source), _options(source)]
        for source in material.sources
    ]
    return Markup(escaped([parts, tag("p", "This page again:"), _command(_again(material))]))


def _facts(source: Source) -> Markup:
    about = source.scenario.describe()
    facts = [
        ("games", f"{source.games:,}"), ("seed", about["seed"]), ("rules, as a hash", source.scenario.rules_hash),
        ("identity", source.scenario.identity), ("shuffle", text_of(about["shuffle"])),
        *([("predealt", predeal.for_people(source.scenario))] if source.scenario.predeal else []),
        ("versions", text_of(about["versions"])),
    ]  # fmt: skip
    return tag("div", table(facts), class_="facts")


def _players_table(source: Source) -> Markup:
    rows = [
        (f"seat {seat}", policy.name, text_of(dict(policy.params)) if policy.params else "")
        for seat, policy in enumerate(source.scenario.policies)
    ]
    return tag("details", tag("summary", "Players and their parameters"), table(rows, ("seat", "player", "parameters")))


def _options(source: Source) -> Markup:
    rows = []
    for option in Game(source.scenario.game).options.OPTIONS:
        value = source.scenario.rules[option.key]
        shown = text_of(value)
        changed = tag("span", shown, class_="changed") if value != option.default else shown
        default = "" if value == option.default else f"by default {text_of(option.default)}"
        rows.append((tag("code", option.key), changed, default, option.doc))
    return tag("details", tag("summary", "Rules"), table(rows, ("rule", "value", "", "meaning")))


def _command(text: str) -> Markup:
    return tag("p", tag("code", text), class_="command") if text else Markup()


def _again(material: Material) -> str:
    source = material.sources[0]
    other = [("--compare", material.sources[1].target)] if len(material.sources) > 1 else []
    games = [] if source.folder else [("-n", source.games)]
    seed = None if source.folder else source.scenario.seed
    return reproduce.command("report", [source.target], [*other, *reproduce.common({}, source.sets, games, seed)])
