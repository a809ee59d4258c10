"""`usual_menus`: what may be bet at a depth if nobody says it."""

from __future__ import annotations

from dataclasses import replace

from pokerlab.holdem.charts.shipped import DEPTHS, shipped_chart, shipped_depth
from pokerlab.holdem.preflop.betting import PreflopRules
from pokerlab.holdem.preflop.flop_bets import FlopBets
from pokerlab.holdem.preflop.saved_solution import facts_of, solution_of


def usual_menus(stack: float) -> tuple[PreflopRules, FlopBets]:
    """The menus before and after the flop for a stack in big blinds.

    From 20 big blinds on they are those of the chart of the package whose depth is nearest, by the
    ratio of the stacks. With fewer, all-in is the only raise that is larger than the smallest, and
    the only bet of turns and rivers.

    Examples
    --------
    >>> rules, bets = usual_menus(90)
    >>> rules.stack, rules.raises, rules.limp_raises
    (90, '2.5x, 3.5x; 4x, a; 2.3x, a; a', '3x; 3x; a')
    >>> bets.bet
    'flop: 50%; turn: 75%; river: 100%'
    >>> usual_menus(10)[0].raises
    '2x, a; a'
    """
    if stack < DEPTHS[0]:
        return PreflopRules(stack), FlopBets()
    chart = shipped_chart(shipped_depth(min(stack, DEPTHS[-1])))
    facts = facts_of(chart)
    bets = FlopBets() if facts is None else facts.bets
    return replace(solution_of(chart).rules, stack=stack), bets
