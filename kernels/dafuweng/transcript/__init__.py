"""Da Fu Weng as transcript lines, and transcript lines checked."""

from kernels.dafuweng.transcript.describe import describe
from kernels.dafuweng.transcript.parse import KINDS
from kernels.dafuweng.transcript.referee import Referee
from kernels.dafuweng.transcript.write import deal_event, end_events, events

__all__ = ["KINDS", "Referee", "deal_event", "describe", "end_events", "events"]
