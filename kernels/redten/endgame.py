"""The last cards of a hand, played out by looking at everything: alpha-beta search over cards that all are seen.

Source: D. Knuth and R. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6(4), 1975.
"""

from kernels.compiler import scratch
from kernels.compiler.jit import ZERO, jit
from kernels.redten.dealing import NOBODY
from kernels.redten.game import apply, is_over, legal
from kernels.redten.options import PLAYERS
from kernels.redten.scoring import score

FEW_CARDS = 10
"""So many cards in all hands are few enough."""
MAX_DEPTH = 56
MAX_ACTIONS = 40
MAX_NODES = 4_000
"""What is larger is given up: it would take longer than it is worth."""
HIGH = 1 << 30
ALPHA, BETA, BEST, COUNT, NEXT = range(5)
"""Fields of a frame: bounds, the best value so far, how many actions, which one is next."""


@jit
def few_left(state):
    """Whether the hand is near enough its end to be looked at whole."""
    left = 0
    for seat in range(PLAYERS):
        left += int(state.left[seat])
    return left <= FEW_CARDS and state.asking == NOBODY


@jit
def _open(rules, levels, actions, chosen, frames, depth, alpha, beta, is_own):
    """Begin to look at a node: its actions and bounds. False if it has too many."""
    count = legal(rules, levels[depth], actions, ZERO)
    if count > MAX_ACTIONS or depth == MAX_DEPTH - 1:
        return False
    for i in range(count):
        chosen[depth, i] = actions[i]
    frames[depth, ALPHA] = alpha
    frames[depth, BETA] = beta
    frames[depth, BEST] = -HIGH if is_own else HIGH
    frames[depth, COUNT] = count
    frames[depth, NEXT] = 0
    return True


@jit
def _book(frames, depth, value, is_own):
    """A child of this node has this value."""
    if is_own:
        frames[depth, BEST] = max(frames[depth, BEST], value)
        frames[depth, ALPHA] = max(frames[depth, ALPHA], value)
    else:
        frames[depth, BEST] = min(frames[depth, BEST], value)
        frames[depth, BETA] = min(frames[depth, BETA], value)
    if frames[depth, ALPHA] >= frames[depth, BETA]:
        frames[depth, NEXT] = frames[depth, COUNT]


@jit
def solve(rules, state, streams, actions, levels, seat):
    """Points of the seat if everybody plays as well as can be, all cards seen, in `state.points`; whether it was found.

    levels: room for states.
    """
    if not few_left(state):
        return False
    chosen = scratch.integers(MAX_DEPTH, MAX_ACTIONS)
    frames = scratch.integers(MAX_DEPTH, 5)
    side = int(state.side[seat])
    levels[0] = state
    depth = 0
    if not _open(rules, levels, actions, chosen, frames, 0, -HIGH, HIGH, state.side[state.turn] == side):
        return False
    for _ in range(MAX_NODES):
        while frames[depth, NEXT] == frames[depth, COUNT]:
            if depth == 0:
                state.points[seat] = frames[0, BEST]
                return True
            value = frames[depth, BEST]
            depth -= 1
            _book(frames, depth, value, levels[depth].side[levels[depth].turn] == side)
        number = frames[depth, NEXT]
        frames[depth, NEXT] = number + 1
        child = levels[depth + 1]
        levels[depth + 1] = levels[depth]
        apply(rules, child, streams, chosen[depth, number])
        if is_over(rules, child):
            score(rules, child)
            _book(frames, depth, int(child.points[seat]), levels[depth].side[levels[depth].turn] == side)
            continue
        is_own = child.side[child.turn] == side
        alpha, beta = frames[depth, ALPHA], frames[depth, BETA]
        depth += 1
        if not _open(rules, levels, actions, chosen, frames, depth, alpha, beta, is_own):
            return False
    return False
