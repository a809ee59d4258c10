"""Deals on the flops of a list."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pokerlab.arena.flop_deals import deal_on_flops
from pokerlab.cards.flops import canonical_flop
from pokerlab.games import load_game
from pokerlab.games.deal import check_deal


def test_flops_come_by_their_weights_in_all_suits() -> None:
    game, rng = load_game("holdem.nolimit.2p"), np.random.default_rng(1)
    deals = [deal_on_flops(game, "AsKs7h:3, 2s2h2d:1", rng) for _ in range(2000)]
    for deal in deals:
        check_deal(game, deal)
    flops = Counter(canonical_flop(deal.board[:3]) for deal in deals)
    assert len(flops) == 2
    assert max(flops.values()) / 2000 == pytest.approx(0.75, abs=0.04)
    assert len({deal.board[:3] for deal in deals}) == 12 + 24
    assert len({deal.holes[0] for deal in deals}) > 900


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="leduc is not hold'em"):
        deal_on_flops(load_game("leduc"), "25", np.random.default_rng(1))
