"""How often games hold the same numbers, in little memory and without regard to their order."""

import math
from bisect import bisect_left
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Numbers = NDArray[Any]
"""Of int64 or float64."""

MAX_DISTINCT = 65_536
"""Different rows that are kept apart; beyond them, values go to a grid."""
_DENSE = 4
"""Codes are counted in an array where it has at most so many places a row; else rows are sorted."""
_DENSE_FROM = 4_096
_FINEST, _COARSEST = -1020, 70
"""Exponents of the grid's step, less the exponent of the largest value."""


class Frequencies:
    """How often each row of numbers occurs: some `labels`, small whole numbers, then some `values`.

    Beyond MAX_DISTINCT different rows, values are rounded to the middle of their cell in a grid whose step is the
    finest power of two with room for all of them: what is kept depends on which rows came, not on their order.
    """

    def __init__(self, labels: int, values: int) -> None:
        self._labels = np.zeros((0, labels), np.int64)
        self._values: Numbers = np.zeros((0, values), np.int64)
        self._counts = np.zeros(0, np.int64)
        self._step: int | None = None
        self._waiting: list[tuple[Ints, Numbers, Ints]] = []
        self._length = 0

    def add(self, labels: Ints, values: Numbers, counts: Ints | None = None) -> None:
        """Count rows: int64[rows, labels] and Numbers[rows, values], each as often as `counts` says or once."""
        counts = np.ones(len(labels), np.int64) if counts is None else counts
        self._waiting.append((labels, values, counts))
        self._length += len(labels)
        if self._length >= MAX_DISTINCT:
            self._settle()

    def __add__(self, other: "Frequencies") -> "Frequencies":
        """The rows of both."""
        both = Frequencies(self._labels.shape[1], self._values.shape[1])
        parts = self.rows(), other.rows()
        both._step = max((step for step in (self._step, other._step) if step is not None), default=None)
        for part in parts:
            both.add(*part)
        return both

    def rows(self) -> tuple[Ints, Numbers, Ints]:
        """Labels and values of the different rows, in order, and how often each occurs."""
        self._settle()
        return self._labels, self._middles(), self._counts

    def _settle(self) -> None:
        """Merge what is waiting."""
        if not self._waiting:
            return
        labels, values, counts = zip(*self._waiting, strict=True)
        self._waiting, self._length = [], 0
        fresh = np.concatenate(values)
        cells = self._cells(fresh, self._step)
        if not len(self._counts):
            self._values = self._values.astype(cells.dtype)
        self._labels, self._values, self._counts = _merged(
            np.concatenate([self._labels, *labels]),
            np.concatenate([self._values, cells]),
            np.concatenate([self._counts, *counts]),
        )
        if len(self._counts) > MAX_DISTINCT:
            self._coarsen()

    def _coarsen(self) -> None:
        """Go to the finest grid that has room."""
        values = self._middles()
        largest = int(np.frexp(np.abs(values.astype(np.float64)).max())[1])
        first = largest + _FINEST if self._step is None else self._step + 1
        first = max(0, first) if values.dtype == np.int64 else first
        steps = range(first, largest + _COARSEST)
        place = bisect_left(steps, True, key=lambda step: self._at(values, step)[2].size <= MAX_DISTINCT)
        self._step = steps[min(place, len(steps) - 1)]
        self._labels, self._values, self._counts = self._at(values, self._step)

    def _at(self, values: Numbers, step: int) -> tuple[Ints, Numbers, Ints]:
        return _merged(self._labels, self._cells(values, step), self._counts)

    @staticmethod
    def _cells(values: Numbers, step: int | None) -> Numbers:
        """Numbers of the cells that values are in; the values themselves without a grid."""
        if step is None:
            return values
        if values.dtype == np.int64:
            return values >> min(step, 63)
        return np.floor(np.ldexp(values, -step))

    def _middles(self) -> Numbers:
        if self._step is None:
            return self._values
        if self._values.dtype == np.int64:
            return (self._values << self._step) + ((1 << self._step) >> 1)
        return np.ldexp(self._values + 0.5, self._step)


def _merged(labels: Ints, values: Numbers, counts: Ints) -> tuple[Ints, Numbers, Ints]:
    """The different rows in order, and how often each occurs."""
    columns = [*labels.T, *values.T]
    dense = _counted(columns, counts)
    if dense is not None:
        found, counts = dense
        return found[:, : labels.shape[1]], found[:, labels.shape[1] :], counts
    order = np.lexsort(columns)
    new = np.ones(len(order), np.bool_)
    new[1:] = False
    for column in columns:
        new[1:] |= np.diff(column[order]) != 0
    first = np.flatnonzero(new)
    kept = order[first]
    return labels[kept], values[kept], np.add.reduceat(counts[order], first)


def _counted(columns: list[Numbers], counts: Ints) -> tuple[Ints, Ints] | None:
    """The same of whole numbers that lie close together, many times faster; None where they do not."""
    if not len(counts) or any(column.dtype != np.int64 for column in columns):
        return None
    lows = [int(column.min()) for column in columns]
    sizes = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    if math.prod(sizes) > _DENSE * len(counts) + _DENSE_FROM:
        return None
    codes = np.zeros(len(counts), np.int64)
    for column, low, size in reversed(list(zip(columns, lows, sizes, strict=True))):
        codes = codes * size + (column - low)
    times = np.bincount(codes, counts).astype(np.int64)
    rest = np.flatnonzero(times)
    times = times[rest]
    found = []
    for low, size in zip(lows, sizes, strict=True):
        found.append(rest % size + low)
        rest = rest // size
    return np.stack(found, axis=1), times
