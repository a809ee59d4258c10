"""Which decisions may become simple if the loss must stay within a bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pokerlab.holdem.spots.simple.decisions import SimpleDecision
from pokerlab.holdem.spots.simple.origins import has_origins, loss_origins
from pokerlab.holdem.spots.simple.pricing import PricedStrategies

MEASURED_ALONE = 120
"""Up to this number of decisions, each is measured alone; of more, an estimate orders them."""

TRIED_SINGLY = 60
"""How many decisions are tried one by one at the end."""


def choose_within(
    priced: PricedStrategies,
    decisions: Sequence[SimpleDecision],
    most: float,
    tell: Callable[[str, int, int], None],
) -> tuple[list[SimpleDecision], dict[SimpleDecision, float]]:
    """Make as many decisions simple as a loss of both players together allows.

    Decisions are taken in the order of what each loses alone, the cheapest first. Of more than
    `MEASURED_ALONE` they are taken in that of what each gives to the opponent's best response when
    all are simple, if a loss has such parts (`has_origins`). The longest beginning of the order
    that keeps within the loss is found by halving, and then the next `TRIED_SINGLY` are tried one
    by one. The loss of every set that is accepted is measured exactly, by best responses to it; the
    loss of a set need not be the sum of its parts.

    Returns
    -------
    The decisions that become simple, and what each loses alone where that was measured.
    """

    def loss(chosen: Sequence[SimpleDecision]) -> float:
        return priced.loss(0, chosen) + priced.loss(1, chosen)

    alone: dict[SimpleDecision, float] = {}
    if len(decisions) <= MEASURED_ALONE or not has_origins(priced.prepared):
        for number, each in enumerate(decisions):
            tell("decisions measured alone", number, len(decisions))
            alone[each] = priced.loss(each.player, [each])
    if loss(decisions) <= most:
        return list(decisions), alone
    price = alone or _estimates(priced, decisions, tell)
    order = sorted(decisions, key=lambda each: price[each])
    good, bad = 0, len(order)  # nothing is simple: no loss
    steps, done = len(order).bit_length() + TRIED_SINGLY, 0
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if loss(order[:middle]) <= most else (good, middle)
        done += 1
        tell("sets of decisions measured", done, steps)
    chosen = order[:good]
    reached = {player: priced.loss(player, chosen) for player in range(2)}
    for each in order[good : good + TRIED_SINGLY]:
        now = priced.loss(each.player, [*chosen, each])
        if now + reached[1 - each.player] <= most:
            chosen.append(each)
            reached[each.player] = now
        done += 1
        tell("sets of decisions measured", min(done, steps), steps)
    return chosen, alone


def _estimates(
    priced: PricedStrategies,
    decisions: Sequence[SimpleDecision],
    tell: Callable[[str, int, int], None],
) -> dict[SimpleDecision, float]:
    """What each decision gives to the best response when all are simple."""
    found: dict[SimpleDecision, float] = {}
    for number, player in enumerate(sorted({each.player for each in decisions})):
        tell("players priced", number, 2)
        after = priced.strategy(player, decisions)
        parts = loss_origins(priced.prepared, player, priced.full[player], after)
        found |= {
            each: float(parts.nodes[each.level][each.node])
            for each in decisions
            if each.player == player
        }
    return found
