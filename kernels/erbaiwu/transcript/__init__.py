"""Er Bai Wu as transcript lines, and transcript lines checked."""

from kernels.erbaiwu.transcript.describe import describe
from kernels.erbaiwu.transcript.parse import KINDS, is_silent
from kernels.erbaiwu.transcript.referee import Referee
from kernels.erbaiwu.transcript.write import deal_event, end_events, events

__all__ = ["KINDS", "Referee", "deal_event", "describe", "end_events", "events", "is_silent"]
