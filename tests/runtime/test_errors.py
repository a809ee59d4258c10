from hypothesis import given
from hypothesis import strategies as st

from pokerlab.runtime.errors import shorten


@given(st.text(), st.integers(4, 80))
def test_what_is_quoted_is_one_short_line(text, length):
    shown = shorten(text, length)
    assert len(shown) <= length
    assert "\n" not in shown
    assert shown == " ".join(text.split()) or shown.endswith("...")
