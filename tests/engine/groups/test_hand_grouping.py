import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.groups.hand_grouping import IDENTITIES, MEASURES, NUMBERED

TEXTS = st.one_of(
    st.builds("{}/{}".format, st.sampled_from(MEASURES), st.sampled_from(IDENTITIES)),
    st.builds(
        lambda kind, counts: f"{kind}:{','.join(map(str, counts))}",
        st.sampled_from(NUMBERED),
        st.lists(st.integers(1, 1326), min_size=1, max_size=3),
    ),
)


@given(TEXTS)
def test_text_is_read_back(text):
    grouping = HandGrouping.parse(text)
    assert grouping.text == str(grouping) == text
    assert HandGrouping.parse(grouping.text) == grouping


def test_short_and_untidy_texts():
    assert HandGrouping.parse("view").text == "view/river"
    assert HandGrouping.parse(" Strength / GLOBAL ").text == "strength/global"
    assert HandGrouping.parse("kmeans: 400, 4000,20").text == "kmeans:400,1326,20"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no measure ''"),
        ("colour", "no measure 'colour'; write a measure (rank, strength, strength-range, view)"),
        ("view/", "no identity ''; there are river, hierarchical, global"),
        ("view/turn", "no identity 'turn'"),
        ("kmeans", "say how many groups for each street, as kmeans:50,50,50"),
        ("kmeans:", "'' is not a number of groups"),
        ("kmeans:10,0,10", "'0' is not a number of groups (1 or more)"),
        ("kmeans:-5", "'-5' is not a number of groups"),
        ("percentile:1,2,3,4", "at most three"),
        ("percentile:٣", "is not a number of groups"),
        ("kmeans:" + "9" * 5000, "is not a number of groups"),
    ],
)
def test_bad_texts(text, said):
    with pytest.raises(ValueError, match=r"groups '|no identity") as caught:
        HandGrouping.parse(text)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.text(alphabet="viewrankm:/,0123 percntl", max_size=30))
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        grouping = HandGrouping.parse(text)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert HandGrouping.parse(grouping.text) == grouping


def test_the_last_numbers_are_for_the_last_streets():
    grouping = HandGrouping.parse("kmeans:400,300,200")
    assert [grouping.count_for(cards) for cards in (3, 4, 5)] == [400, 300, 200]
    assert HandGrouping.parse("kmeans:7").count_for(5) == 7
    with pytest.raises(ValueError, match="3 streets are left to play, so it needs 3 numbers"):
        HandGrouping.parse("kmeans:300,200").count_for(3)
