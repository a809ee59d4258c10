"""The two states of chapter 6: what mappings make of them, and what a three-player bot does.

In both the player on the button holds little, and both opponents have bet and raised. The thesis
asks whether a real three-player strategy folds more than its mappings. It does not name the turn
card of the second state: answers are means over all cards that can be dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import N_CARDS, format_cards, parse_cards
from pokerlab.games import BettingGame, DealtState, load_betting_game
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.mapping.bot import MappingBot
from pokerlab.players.bots.mapping.histories import two_player_histories
from pokerlab.runtime.arrays import Floats
from pokerlab.studies.mapping.entrants import OWN_MAPPINGS, THREE_PLAYER_BOT, Entrants
from pokerlab.studies.mapping.records import GAME
from pokerlab.studies.mapping.thesis import STATES, ThesisState

STATE_BOTS = ("HBB2", "HBB3", "HBB4", "HBB5", *OWN_MAPPINGS, THREE_PLAYER_BOT)

_BUTTON = 2


@dataclass(frozen=True)
class StateAnswer:
    """What somebody does in a state.

    Attributes
    ----------
    state
        ``S1`` or ``S2``.
    who
        A bot, or a two-player history and the two-player strategy there.
    histories
        What it is mapped to most often, for each opponent; empty where nothing is mapped.
    pot, to_call
        In chips of which 10 are a big blind; of the history if `who` is one.
    probabilities
        The probabilities to raise, to call and to fold: the order of the thesis.
    spread
        The standard deviation of these over the cards of the turn; 0 on the flop.
    thesis
        What the thesis says; empty where it says nothing.
    """

    state: str
    who: str
    histories: tuple[str, ...]
    pot: float
    to_call: float
    probabilities: tuple[float, float, float]
    spread: tuple[float, float, float]
    thesis: str


def state_views(state: ThesisState) -> list[DealtState]:
    """What the player on the button sees: one view, or one for each card of the turn.

    Examples
    --------
    >>> len(state_views(STATES["S1"])), len(state_views(STATES["S2"]))
    (1, 47)
    >>> view = state_views(STATES["S1"])[0]
    >>> view.pot, view.to_call, view.player
    (90, 20, 2)
    """
    game = load_betting_game(GAME)
    known = parse_cards(state.hole + state.flop)
    rest = [card for card in range(N_CARDS) if card not in known]
    turns = rest if state.betting.count("/") == 2 else rest[:1]
    views = []
    for turn in turns:
        hidden = [card for card in rest if card != turn]  # never seen by the player
        holes = [format_cards(hidden[:2]), format_cards(hidden[2:4]), state.hole]
        board = state.flop + format_cards([turn, hidden[4]])
        views.append(game.replay(state.betting, game.make_deal(holes, board)).view(_BUTTON))
    return views


def state_answers(entrants: Entrants) -> list[StateAnswer]:
    """Ask the strategy about the histories of the thesis, and all bots about both states."""
    return [answer for name in STATES for answer in _answers(name, STATES[name], entrants)]


def _answers(name: str, state: ThesisState, entrants: Entrants) -> Iterator[StateAnswer]:
    views = state_views(state)
    game = views[0].game
    assert isinstance(game, BettingGame)
    mapping = make_bot(entrants.text("HBB2"))
    assert isinstance(mapping, MappingBot)
    histories = two_player_histories()
    small_blind = min(blind for blind in game.blinds if blind)
    hole = views[0].holes[_BUTTON]
    for history, thesis in state.histories.items():
        number = histories.number(history)
        found = [mapping.strategy.triple(history, hole, view.board) for view in views]
        chips = histories.pot[number] * small_blind, histories.to_call[number] * small_blind
        known = [triple[::-1] for triple in found if triple is not None]
        yield _answer(name, f"two players, {history}", (), chips, known, thesis)
    for label in STATE_BOTS:
        bot = make_bot(entrants.text(label))
        bot.reset(game, np.random.default_rng(0))
        mapped = _most_frequent(bot, views) if isinstance(bot, MappingBot) else ()
        triples = [_as_thesis(bot.probabilities(view) or {}) for view in views]
        thesis = state.hbb2 if label == "HBB2" else ""
        yield _answer(name, label, mapped, (views[0].pot, views[0].to_call), triples, thesis)
        bot.close()


def _most_frequent(bot: MappingBot, views: list[DealtState]) -> tuple[str, ...]:
    """The nearest history for each opponent, on most boards."""
    by_board = [
        tuple(each.neighbours[0].history if each.neighbours else "?" for each in bot.mappings(view))
        for view in views
    ]
    return tuple(Counter(each).most_common(1)[0][0] for each in zip(*by_board, strict=True))


def _as_thesis(probabilities: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(probabilities.get(action, 0.0) for action in "rcf")


def _answer(
    state: str,
    who: str,
    histories: tuple[str, ...],
    chips: tuple[float, float],
    triples: Sequence[tuple[float, ...]],
    thesis: str,
) -> StateAnswer:
    each = np.array(triples) if triples else np.full((1, 3), np.nan)
    mean, spread = each.mean(axis=0), each.std(axis=0)
    pot, to_call = map(float, chips)
    return StateAnswer(
        state, who, histories, pot, to_call, _as_triple(mean), _as_triple(spread), thesis
    )


def _as_triple(values: Floats) -> tuple[float, float, float]:
    raise_, call, fold = values.tolist()
    return raise_, call, fold
