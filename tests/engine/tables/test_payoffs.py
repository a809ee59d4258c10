"""What ends are worth to walkers, from three numbers a player."""

from __future__ import annotations

import pytest

from pokerlab.engine.tables.payoffs import Payoffs, Worth, raked_worths


@pytest.mark.parametrize("rake", [0.0, 0.0375])
@pytest.mark.parametrize("matched", [0, 7, 350])
def test_rake_is_paid_from_what_is_taken(rake: float, matched: int) -> None:
    payoffs = Payoffs(raked_worths(61, lambda pot: rake * pot), unit=0.5)
    at_stake, taken = 30.5 + matched, rake * (61 + 2 * matched)
    for player in range(2):
        # To the last bit: stored numbers follow from these.
        assert payoffs.fold(player, matched, wins=True) == 0.5 * (at_stake - taken)
        assert payoffs.fold(player, matched, wins=False) == -0.5 * at_stake
        assert payoffs.showdown(player, matched) == (0.5 * (at_stake - taken / 2), -0.25 * taken)


def test_ties_need_not_lie_midway() -> None:
    payoffs = Payoffs(lambda matched: (Worth(3.0, 1.0, -1.0), Worth(2.0, 1.5, -2.0)))
    assert payoffs.showdown(0, 10) == (2.0, 1.0)
    assert payoffs.showdown(1, 10) == (2.0, 0.0)
    assert [payoffs.fold(player, 10, wins=False) for player in range(2)] == [-1.0, -2.0]
    assert [payoffs.tie(player, 10) for player in range(2)] == [0.0, 1.5]
    assert [payoffs.tie_share(player, 10) for player in range(2)] == [0.0, 0.75]
