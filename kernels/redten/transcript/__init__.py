"""Jiaxing Red Ten as transcript lines, and transcript lines checked."""

from kernels.redten.transcript.describe import describe
from kernels.redten.transcript.parse import KINDS, is_silent
from kernels.redten.transcript.referee import Referee
from kernels.redten.transcript.write import deal_event, end_events, events

__all__ = ["KINDS", "Referee", "deal_event", "describe", "end_events", "events", "is_silent"]
