from pokerlab.holdem.charts import DEPTHS
from pokerlab.holdem.preflop import FlopBets, PreflopRules, usual_menus
from pokerlab.studies.charts.making import chart_menus


def test_menus_are_those_from_which_the_charts_were_made():
    for depth in DEPTHS:
        assert usual_menus(depth) == chart_menus(depth)


def test_other_depths_take_the_nearest_chart():
    for stack, depth in ((24, 20), (25, 30), (140, 100), (150, 200), (1000, 200)):
        (rules, bets), (nearest, expected) = usual_menus(stack), chart_menus(depth)
        assert rules.stack == stack
        assert (rules.raises, rules.limp_raises) == (nearest.raises, nearest.limp_raises)
        assert bets == expected
    assert usual_menus(19.99) == (PreflopRules(19.99), FlopBets())
