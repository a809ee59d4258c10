"""Whole hands against `nolimit`, judged by what it played by: the chart, and the solves.

A decision loses the difference between its EV and the best one's, as in every drill. Where the EV
of what was done is not known, or rough, or only a lower bound, the decision does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pokerlab.arena.person_words import street_base
from pokerlab.cards.codes import combo_index, format_cards
from pokerlab.drills.judging import Judgement, grade_of
from pokerlab.games import Betting
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.players.bots.nolimit.street import FLOOR
from pokerlab.players.bots.nolimit.why import ExplainedDecision


def judge_hand(decisions: Iterable[ExplainedDecision]) -> list[Judgement]:
    """Judge the person's decisions of an explained hand, as far as their EVs are known.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.games import load_game
    >>> from pokerlab.players.bots import NolimitBot
    >>> from pokerlab.players.bots.nolimit.why import explain
    >>> game = load_game("holdem.nolimit.2p")
    >>> bot = NolimitBot(iterations=10)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> final = game.replay("r250f", game.make_deal(["AhAc", "KsKd"]))
    >>> (judged,) = judge_hand(explain(bot, final, seat=1))
    >>> judged.action, judged.best[0], judged.grade
    ('f', 'r', 'blunder')
    """
    return [judged for _, judged in judge_decisions(decisions)]


def judge_decisions(
    decisions: Iterable[ExplainedDecision],
) -> list[tuple[ExplainedDecision, Judgement]]:
    """The same, each with the decision that was judged."""
    return [
        (each, judged)
        for each in decisions
        if not each.own and (judged := _judge(each)) is not None
    ]


def _judge(told: ExplainedDecision) -> Judgement | None:
    taken, loss = told.taken, told.loss
    known = [each for each in told.options if each.ev is not None]
    if taken is None or loss is None or len(known) < 2 or told.rough:
        return None
    if not taken.firm and loss > 0.0:
        return None
    node, game = told.node, told.node.game
    place = 0 if told.seat == game.streets[1].first else 1
    percent = 0.0 if told.solve is None else told.solve.solution.exploitability.percent
    assert told.ranges is not None
    return Judgement(
        board=format_cards(told.board[:3]),
        line="/".join(_tokens(node, told.board)),
        seat=PLAYERS[place],
        hand=format_cards(told.hole),
        pot=float(node.pot),
        big_blind=float(game.big_blind),
        actions=tuple(_label(node, each.action) for each in known),
        strategy=tuple(each.of_hand for each in known),
        ev=tuple(each.ev or 0.0 for each in known),
        action=_label(node, taken.action),
        loss=loss,
        grade=grade_of(100 * loss / node.pot, taken.of_hand, percent),
        arrives=bool(told.ranges[told.seat][combo_index(*told.hole)] > 2 * FLOOR),
    )


def _tokens(node: Betting, board: tuple[int, ...]) -> Iterator[str]:
    """What led to a decision, from the flop on with the cards that came."""
    street = 1
    for above, action in node.path():
        if node.street and not above.street:
            continue
        while street < above.street:
            street += 1
            yield format_cards(board[street + 1 : street + 2])
        yield _label(above, action)
    while street < node.street:
        street += 1
        yield format_cards(board[street + 1 : street + 2])


def _label(node: Betting, action: str) -> str:
    """An action as lines name it; sizes are what the seat has put in on the street."""
    if action == "f":
        return "f"
    if action == "c":
        return "c" if node.to_call else "x"
    base, total = street_base(node), int(action[1:])
    if total >= min(node.game.chips):
        return "a"
    return f"{'r' if node.price > base else 'b'}{total - base}"
