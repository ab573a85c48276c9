"""Random streams: published vectors, the slow twin, unbiased draws."""

import random
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from kernels import rng
from tests.naive import philox

ERROR_RATE = 1e-4
"""Chance that a test of a distribution fails though all is right, had the seed not been fixed."""

# Known-answer vectors published with Random123 (kat_vectors, philox4x32, 10 rounds).
PUBLISHED = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), PUBLISHED)
def test_published_vectors(counter, key, expected):
    assert rng.philox(*counter, *key) == expected
    assert philox.block(counter, key) == expected


def test_blocks_equal_the_slow_twin():
    source = random.Random(11)
    for _ in range(2000):
        counter = tuple(source.randrange(2**32) for _ in range(4))
        key = (source.randrange(2**32), source.randrange(2**32))
        assert rng.philox(*counter, *key) == philox.block(counter, key)


@pytest.mark.parametrize("seed", [0, 7, 2**32 + 5, 2**63 + 12345, 2**64 - 1])
@pytest.mark.parametrize("game", [0, 1, 2**32 - 1, 2**32, 2**62])
def test_streams_follow_the_documented_layout(seed, game):
    streams = rng.new_streams(seed)
    for round_number in (1, 200):
        rng.start_round(streams, game, round_number)
        for purpose in (rng.DEAL, rng.CHANCE, rng.SEAT + 3):
            expected = philox.words(seed, game, round_number, purpose, 41)
            assert [rng.word(streams, purpose) for _ in range(41)] == expected


def test_purposes_do_not_disturb_each_other():
    alone, mixed = rng.new_streams(3), rng.new_streams(3)
    for streams in (alone, mixed):
        rng.start_round(streams, 9, 1)
    expected = [rng.word(alone, rng.DEAL) for _ in range(30)]
    found = []
    for i in range(30):
        for _ in range(i % 5):
            rng.word(mixed, rng.SEAT + i % rng.MAX_SEATS)
        found.append(rng.word(mixed, rng.DEAL))
    assert found == expected


@pytest.mark.parametrize("bits", [4, 6, 8])
def test_rejection_leaves_every_number_equally_often(bits):
    """On a small word every word can be tried: after rejection each number must have the same number of words."""
    some_rejected = 0
    for bound in range(1, 2**bits + 1):
        counts = np.zeros(bound, int)
        for word in range(2**bits):
            value, fraction = rng.split_word(word, bound, bits)
            if rng.is_biased(fraction, bound, bits):
                some_rejected += 1
            else:
                counts[value] += 1
        assert set(counts) == {2**bits // bound}
    assert some_rejected > 0


@pytest.mark.parametrize("bits", [8, 10])
def test_two_numbers_from_one_word_are_uniform_pairs(bits):
    for first_bound, second_bound in product((1, 2, 3, 5, 7), (1, 3, 4, 6, 9)):
        counts = np.zeros((first_bound, second_bound), int)
        for word in range(2**bits):
            first, fraction = rng.split_word(word, first_bound, bits)
            second, fraction = rng.split_word(fraction, second_bound, bits)
            if not rng.is_biased(fraction, first_bound * second_bound, bits):
                counts[first, second] += 1
        assert set(counts.ravel()) == {2**bits // (first_bound * second_bound)}


def test_draws_are_uniform():
    streams = rng.new_streams(17)
    rng.start_round(streams, 0, 1)
    for bound in (2, 7, 54, 108):
        counts = np.bincount([rng.below(streams, rng.CHANCE, bound) for _ in range(200 * bound)], minlength=bound)
        assert chisquare(counts).pvalue > ERROR_RATE
    pairs = [rng.below_two(streams, rng.CHANCE, 6, 5) for _ in range(6000)]
    counts = np.bincount([5 * a + b for a, b in pairs], minlength=30)
    assert chisquare(counts).pvalue > ERROR_RATE


def test_a_bound_of_one_draws_nothing():
    streams = rng.new_streams(1)
    rng.start_round(streams, 0, 1)
    assert rng.below(streams, rng.DEAL, 1) == 0
    assert rng.word(streams, rng.DEAL) == philox.words(1, 0, 1, rng.DEAL, 1)[0]
