"""Games of Er Bai Wu as transcript lines, for tests."""

import json

from kernels import engine
from kernels.registry import Game
from simcli.play.simulate import Table

GAME = Game("erbaiwu")


def events_of(table, game):
    """Pairs of the state before and the line, through one game."""
    transcript = GAME.transcript
    states, moves = table.trace(game)
    for i, move in enumerate(moves):
        if move.action == engine.DEALT:
            yield states[i], transcript.deal_event(table.rules, states[i])
        elif move.action == engine.SCORED:
            for event in transcript.end_events(table.rules, states[i - 1], states[i]):
                yield states[i - 1], event
        else:
            for event in transcript.events(table.rules, states[i - 1], move, states[i]):
                yield states[i - 1], event


def lines_of(chosen, games):
    """The transcript of some games as lines, as a program would read them."""
    table = Table(chosen)
    return [json.loads(json.dumps(event)) for game in games for _, event in events_of(table, game)]


def judge(chosen, lines, partial=False):
    """Every violation as (number of the line, text)."""
    judge_ = GAME.transcript.Referee(GAME, Table(chosen).rules, partial)
    found = [(number, text) for number, line in enumerate(lines) for text in judge_.read(line)]
    return found + [(len(lines), text) for text in judge_.finish()]
