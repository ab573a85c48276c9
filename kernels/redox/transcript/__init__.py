"""REDOX as transcript lines, and transcript lines checked."""

from kernels.redox.transcript.describe import describe
from kernels.redox.transcript.parse import KINDS
from kernels.redox.transcript.referee import Referee
from kernels.redox.transcript.write import deal_event, end_events, events

__all__ = ["KINDS", "Referee", "deal_event", "describe", "end_events", "events"]
