"""How numbers and what is made of them are printed."""

import pytest

from simcli.cli.options import Output
from simcli.cli.printing import figure, percent, print_fields, text_of


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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"s": 1, "h": 2.5}, "s 1, h 2.5"),
        ({"runs": [3, 4], "whole": True}, "runs 3, 4 / whole yes"),
        ([{"s": 1, "h": 2}, {"s": 3}], "s 1, h 2 / s 3"),
        ({}, ""),
    ],
)
def test_a_mapping_reads_as_names_with_their_values(value: object, text: str) -> None:
    assert text_of(value) == text


def test_a_mapping_is_one_cell_of_a_csv_file(capsys: pytest.CaptureFixture[str]) -> None:
    print_fields({"points": 7, "suits": {"s": 1, "h": 2}}, Output.csv)
    assert capsys.readouterr().out == 'points,suits\n7,"s 1, h 2"\n'
