"""How numbers are printed."""

import pytest

from simcli.cli.printing import figure, percent


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.5, "50.0%"),
        (0.000123, "0.0123%"),
        (2.4e-24, "2.4e-22%"),
        (19_998 / 20_000, "99.990%"),
        (0.995, "99.50%"),
        (1 - 3e-6, "99.99970%"),
    ],
)
def test_a_proportion_has_three_significant_digits_and_never_looks_certain(value: float, text: str) -> None:
    assert percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1 / 3, "0.333333"), (-12.5, "-12.5"), (100000000.0439, "100000000.04"), (50000.0, "50000"),
     (1.5e100, "1.5e+100"), (2e-7, "2e-07")],
)  # fmt: skip
def test_a_large_number_keeps_two_places(value: float, text: str) -> None:
    assert figure(value) == text
