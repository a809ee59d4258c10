import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.solvers import Point, Progress
from pokerlab.solvers.pace import iterations_to, seconds_left


def history(*exploitabilities):
    """Measurements after 1, 2, 4, … iterations, each of which takes a tenth of a second."""
    return tuple(
        Point(2**step, 0.1 * 2**step, value) for step, value in enumerate(exploitabilities)
    )


def progress(points=(), *, iterations=None, target=None, limit=None):
    iteration, seconds, *_ = points[-1] if points else Point(0, 0.0, 1.0)
    return Progress(iteration, seconds, tuple(points), iterations, target, limit)


def test_time_left_by_iterations():
    # 4 iterations took 0.4 s, so 36 more take 3.6 s.
    assert seconds_left(progress(history(1, 1, 1), iterations=40)) == pytest.approx(3.6)


def test_iterations_before_the_first_measurement_say_nothing_about_the_pace():
    # A solve that goes on from 1,000 iterations, which took none of its own seconds.
    points = [Point(1000 + n, 0.1 * n, 1.0) for n in (10, 20)]
    assert seconds_left(progress(points, iterations=1050)) == pytest.approx(3.0)
    assert seconds_left(progress(points[:1], iterations=1050)) is None
    assert seconds_left(progress(iterations=50)) is None


def test_time_left_by_the_clock():
    points = history(1, 1, 1)
    assert seconds_left(progress(points, limit=60)) == pytest.approx(59.6)
    assert seconds_left(progress(limit=60)) == 60
    # A resumed solve has iterated for longer than this call of the loop has run.
    assert seconds_left(progress(points, limit=60), elapsed=0.1) == pytest.approx(59.9)
    assert seconds_left(progress(points, limit=60), elapsed=70) == 0


@pytest.mark.parametrize("power", [0.5, 1.0, 1.5, 2.0])
def test_time_left_to_a_target_on_a_straight_line(power):
    points = [Point(n, 0.1 * n, n**-power) for n in (1, 2, 4, 8, 16, 24, 32)]
    assert seconds_left(progress(points, target=96**-power)) == pytest.approx(6.4)


def test_one_measurement_that_lies_far_off_changes_little():
    points = [Point(n, 0.1 * n, 1 / n) for n in (8, 16, 24, 32, 40, 48, 57)]
    bent = [*points[:-1], points[-1]._replace(exploitability=0.04)]
    straight = seconds_left(progress(points, target=0.001))
    assert seconds_left(progress(bent, target=0.001)) == pytest.approx(straight, rel=0.3)


def test_the_first_limit_counts():
    falling = [Point(n, 0.1 * n, 1 / n) for n in (1, 2, 4, 8, 16, 24, 32)]
    assert seconds_left(progress(falling, iterations=33, target=1 / 160, limit=100)) == (
        pytest.approx(0.1)
    )
    assert seconds_left(progress(falling, iterations=10**6, target=1 / 160, limit=1e6)) == (
        pytest.approx(12.8)
    )


@pytest.mark.parametrize(
    "points",
    [
        history(),
        history(1),
        history(1, 0.5, 0.25),  # too early to see how it falls
        history(1, 1, 1, 1, 1, 1),
        history(0.1, 0.2, 0.4, 0.8, 1.6, 3.2),
        history(*[1e9] * 20, 1e9 - 1),  # falls by so little that it would take for ever
    ],
)
def test_no_guess_where_the_target_is_out_of_sight(points):
    assert seconds_left(progress(points, target=1e-3)) is None


def test_nothing_is_left_at_the_target():
    assert seconds_left(progress(history(1, 0.5, 0.25), target=0.3)) == 0
    assert seconds_left(progress(history(1, 0.5, 0.0), target=0.3)) == 0


def test_no_guess_without_a_limit():
    points = history(*(0.5**step for step in range(8)))
    assert seconds_left(progress(points)) is None
    assert seconds_left(progress(points, target=0)) is None


@given(
    st.lists(st.floats(0, 1e6), max_size=30),
    st.floats(0, 1e3),
    st.none() | st.integers(0, 10**9),
    st.none() | st.floats(0, 1e9),
)
def test_any_history_has_a_guess_or_none(values, target, iterations, limit):
    points = history(*values)
    left = seconds_left(progress(points, target=target, iterations=iterations, limit=limit))
    assert left is None or 0 <= left < float("inf")


# Iterations, and exploitability in percent of the pot, of solves of the example spots.
RECORDED = {
    "s3-river": [
        (1, 110.8),
        (2, 62.23),
        (4, 15.19),
        (8, 6.018),
        (16, 3.931),
        (24, 1.756),
        (32, 0.885),
        (40, 0.5753),
        (48, 0.4459),
        (57, 0.3067),
        (68, 0.2217),
        (81, 0.1641),
        (97, 0.1335),
        (116, 0.1071),
        (139, 0.07792),
        (166, 0.05957),
        (187, 0.05182),
        (193, 0.04968),
    ],
    "river-bluff-catch": [
        (1, 10.71),
        (2, 30.56),
        (4, 10.52),
        (8, 6.754),
        (16, 2.848),
        (24, 1.882),
        (32, 1.392),
        (40, 0.7748),
        (48, 0.661),
        (57, 0.7296),
        (68, 0.6003),
        (81, 0.3454),
        (97, 0.3971),
        (116, 0.296),
        (139, 0.195),
        (166, 0.1559),
        (199, 0.1466),
        (238, 0.1181),
        (285, 0.1004),
        (342, 0.09587),
        (410, 0.07136),
        (492, 0.06883),
        (590, 0.05062),
        (595, 0.06444),
        (708, 0.04679),
    ],
    "s2-turn": [
        (1, 105.5),
        (2, 107.1),
        (4, 64.32),
        (8, 20.91),
        (16, 9.773),
        (24, 4.791),
        (32, 2.703),
        (40, 1.738),
        (48, 1.196),
        (57, 0.862),
        (68, 0.6169),
        (81, 0.4354),
        (97, 0.3018),
        (116, 0.2227),
        (139, 0.1664),
        (166, 0.1215),
        (199, 0.08743),
        (238, 0.0696),
        (285, 0.05024),
        (286, 0.05014),
        (288, 0.0496),
    ],
    "single-raised-turn": [
        (1, 195.4),
        (2, 278.9),
        (4, 113.9),
        (8, 73.71),
        (16, 27.23),
        (24, 18.68),
        (32, 11.38),
        (40, 7.655),
        (48, 5.222),
        (57, 3.726),
        (68, 2.68),
        (81, 1.93),
        (97, 1.35),
        (116, 0.9328),
        (139, 0.6291),
        (166, 0.4438),
        (199, 0.3433),
        (238, 0.2835),
        (285, 0.2126),
        (342, 0.1522),
        (410, 0.1072),
        (425, 0.1006),
        (427, 0.09955),
    ],
    "s1-flop": [
        (1, 88.56),
        (2, 89.21),
        (4, 61.57),
        (8, 33.16),
        (16, 13.31),
        (24, 6.874),
        (32, 3.724),
        (40, 2.185),
        (48, 1.433),
        (57, 0.9953),
        (68, 0.7055),
        (81, 0.5151),
        (97, 0.3741),
        (110, 0.2974),
    ],
    "three-bet-pot": [
        (1, 105.2),
        (2, 113.8),
        (4, 83.9),
        (8, 32.75),
        (16, 17.12),
        (24, 9.289),
        (32, 5.369),
        (40, 3.399),
        (48, 2.389),
        (57, 1.632),
        (68, 1.14),
        (73, 1.031),
        (75, 0.9546),
    ],
}


def reached(points, target):
    """The iteration at which a recorded solve came to a target, between two measurements."""
    for before, after in pairwise(points):
        if before.exploitability > target >= after.exploitability:
            way = math.log(before.exploitability / target) / math.log(
                before.exploitability / after.exploitability
            )
            return before.iteration * (after.iteration / before.iteration) ** way
    raise AssertionError(f"{target} was not reached")


CASES = [
    (name, target)
    for name, points in RECORDED.items()
    for target in (1.0, 0.5, 0.3, 0.1)
    if points[-1][1] <= target
]


@pytest.mark.parametrize(("name", "target"), CASES)
def test_recorded_solves_were_foreseen_from_a_third_of_the_way_on(name, target):
    points = [Point(n, 0.1 * n, value) for n, value in RECORDED[name]]
    end = reached(points, target)
    guesses = 0
    for count in range(1, len(points)):
        here = points[count - 1]
        if not end / 3 <= here.iteration < end:
            continue
        left = seconds_left(progress(points[:count], target=target))
        if left is None:
            # Only where the solve is over before there is anything to go by.
            assert here.iteration < 32
            continue
        guesses += 1
        assert left <= 2.0 * 0.1 * (end - here.iteration) + 0.1 * 0.1 * end
        assert left >= 0.5 * 0.1 * (end - here.iteration) - 0.1 * 0.1 * end
    assert guesses or end < 48


def test_the_guess_is_never_behind_the_solve():
    points = [Point(n, 0.1 * n, value) for n, value in RECORDED["s1-flop"]]
    for count in range(1, len(points)):
        needed = iterations_to(points[:count], 0.297)
        assert needed is None or needed > points[count - 1].iteration


def test_a_solve_in_groups_ends_when_its_target_is_met_inside_them() -> None:
    """The real exploitability stays where it is; the one inside the groups falls."""
    history = tuple(Point(n, n / 10, 0.5, 8 / n) for n in range(8, 65, 8))
    left = seconds_left(Progress(64, 6.4, history, None, 0.4, None))
    # 8 / n is 0.4 / 8 at 160.
    assert left == pytest.approx(9.6, rel=0.1)
