"""A played hand as a spot to solve: board, pot and stacks."""

from __future__ import annotations

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.replay import steps
from pokerlab.cards.codes import format_cards
from pokerlab.postflop import Spot


def spot_of_hand(hand: PlayedHand) -> Spot:
    """The spot that a hand of hold'em came to on the flop; both ranges are any two cards.

    `ValueError` where no two players saw a flop with chips behind.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> deal = game.make_deal(["AsAd", "KsKd"], "QhJh2c4d7h")
    >>> hand = PlayedHand(game, 0, deal, ("ann", "bob"), "r300c/cc/cc/cc", (-300.0, 300.0))
    >>> spot = spot_of_hand(hand)
    >>> format_cards(spot.board), spot.pot, spot.effective_stack, spot.big_blind, spot.aggressor
    ('QhJh2c', 600, 19700, 100, 'ip')
    """
    if [street.hole for street in hand.game.streets] != [2, 0, 0, 0]:
        raise ValueError(f"{hand.game.name} is not hold'em")
    raiser: int | None = None
    for step in steps(hand):
        if step.before.street == 0 and step.action.startswith("r"):
            raiser = step.position
        state = step.after
        if step.before.street > 0 or state.street == 0:
            continue
        live = [seat for seat, folded in enumerate(state.folded) if not folded]
        behind = [float(state.stacks[seat]) for seat in live]
        if len(live) != 2 or not all(behind) or len(state.board) != 3:
            break
        first = state.player
        other = live[1] if live[0] == first else live[0]
        stacks = dict(zip(live, behind, strict=True))
        aggressor = {first: "oop", other: "ip"}.get(-1 if raiser is None else raiser)
        return Spot(
            format_cards(state.board),
            "any",
            "any",
            pot=state.pot,
            stack=(stacks[first], stacks[other]),
            big_blind=max(hand.game.blinds),
            aggressor=aggressor,
        )
    raise ValueError("no two players saw a flop with chips behind")
