"""Exact probabilities of questions that the deal alone decides."""

from dataclasses import dataclass
from typing import Any

from simcli.questions import Question
from simcli.scenario import Scenario


@dataclass(frozen=True)
class Exact:
    """A probability that can be counted: favourable of total equally likely deals."""

    favourable: int
    total: int

    @property
    def p(self) -> float:
        """As a decimal."""
        return self.favourable / self.total

    def describe(self) -> dict[str, Any]:
        """For JSON; integers as text."""
        return {"favourable": str(self.favourable), "total": str(self.total), "p": self.p}


def known(scenario: Scenario, question: Question) -> Exact | None:
    """The exact probability of a question's event, where it can be counted."""
    return None
