"""Numbers as people write them: what is rounded to nothing has no sign."""

import pytest

from pokerlab.views.texts import gap_text, number_text, signed_text


@pytest.mark.parametrize("noise", [0.0, -0.0, -1e-16, -2.78e-14, -9e-10])
def test_rounding_below_zero_is_zero(noise):
    assert (gap_text(noise), number_text(noise), signed_text(noise, 6)) == ("0", "0", "+0.000000")


def test_what_is_really_below_zero_is_shown():
    assert (gap_text(-0.01), number_text(-0.01), signed_text(-0.01, 2)) == (
        "-0.01",
        "-0.010",
        "-0.01",
    )
