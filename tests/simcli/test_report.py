"""How numbers are printed."""

import pytest

from simcli.cli.printing import share


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0%"), (1, "100%"), (0.5, "50.0%"), (0.000123, "0.0123%"), (2.4e-24, "2.4e-22%")]
)
def test_a_share_has_three_digits_that_count_or_an_exponent(value: float, text: str) -> None:
    assert share(value) == text
