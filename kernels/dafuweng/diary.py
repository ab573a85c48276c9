"""What happened since the last decision, kept for transcripts; games that nobody traces keep none."""

import numpy as np

from kernels.compiler.jit import jit_inline
from kernels.dafuweng.options import MAX_DECKS, MAX_PLAYERS
from kernels.notation import FACES

PLAYED, FLIPPED, DIED, REMADE = map(np.int64, range(4))

FIELDS = ("event", "seat", "card", "second", "n", "kind", "option", "took", "drew")
EVENT, SEAT, CARD, SECOND, N, KIND, OPTION, TOOK, DREW = range(len(FIELDS))
"""SECOND: the other joker of a pair, or whether a flip leaves its player alive. KIND: of the card, or why one died."""
LINES = 4 * MAX_PLAYERS
"""A turn with two deaths, then at most a flip and a death or two of each who awaits, and one stock made anew."""

DIARY = [
    ("diary_n", "i8"),
    ("diary", "i1", (LINES, len(FIELDS))),
    ("remade_n", "i8"),
    ("remade", "i1", MAX_DECKS * FACES),  # the stock as it was made anew, top card first
]


@jit_inline
def note(state, event, seat, card, second, kind, option, took, drew):
    """Write a line, if the game is traced (its stocks are settled at once)."""
    if state.eager:
        line = state.diary[state.diary_n]
        line[EVENT] = event
        line[SEAT] = seat
        line[CARD] = card
        line[SECOND] = second
        line[N] = state.n
        line[KIND] = kind
        line[OPTION] = option
        line[TOOK] = took
        line[DREW] = drew
        state.diary_n += 1
