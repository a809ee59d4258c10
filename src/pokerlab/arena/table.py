"""A table: bots play one hand, and whatever they answer, the hand goes on by the rules.

Answers that the rules do not allow are handled as the ACPC dealer does: a raise out of bounds
becomes the nearest legal one, anything else a check or call (at a draw: keep all cards). So is
an error that a bot raises, and an answer that is too late. Each is recorded as a `Fault`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokerlab.arena.hands import Fault, PlayedHand
from pokerlab.arena.timed_bot import TimedBot
from pokerlab.bots.bot import Bot
from pokerlab.bots.failures import failure_text, guarded
from pokerlab.errors import shorten
from pokerlab.games import BettingGame, Deal, DealtState

_RAISE = re.compile(r"r([0-9]+)")
_MAX_DIGITS = 15  # more than any stack has


def play_hand(
    game: BettingGame,
    deal: Deal,
    bots: Sequence[Bot],
    *,
    players: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    number: int = 0,
    time_limit: float | None = None,
) -> PlayedHand:
    """Play one hand. The bots have been `reset` before; here they `begin`, `act` and `end`.

    Parameters
    ----------
    game
        The rules, with the stacks of this hand.
    deal
        The cards. A bot sees those that its seat may see.
    bots
        Who sits at each position.
    players
        The number in the match of each of them, which `Bot.begin` gets; by default its
        position.
    names
        The name of each of them, for the record; by default the name of its class.
    number
        Which hand of the match this is, for the record.
    time_limit
        Seconds for an action. One that takes longer is left behind on a thread of its own, and
        its answer does not count (see `TimedBot`).

    Examples
    --------
    >>> from pokerlab.bots import Caller, Raiser
    >>> from pokerlab.games import load_game
    >>> game = load_game("leduc")
    >>> hand = play_hand(game, game.make_deal(["Js", "Kh"], "Jh"), [Caller(), Raiser()])
    >>> hand.players, hand.betting, hand.payoffs
    (('Caller', 'Raiser'), 'crc/crc', (7.0, -7.0))
    """
    if len(bots) != game.players:
        raise ValueError(f"{len(bots)} bots at a table of {game.name}, which has {game.players}")
    if names is None:
        names = [type(bot).__name__ for bot in bots]
    if time_limit is not None:
        bots = [TimedBot(bot, time_limit) for bot in bots]
    positions = range(game.players)
    faults: list[Fault] = []
    told = positions if players is None else players
    state = game.start(deal)
    for position in positions:
        try:
            bots[position].begin(position, told)
        except BaseException as error:
            faults.append(Fault(position, "", "", "", _reason(error)))
    while (seat := state.player) >= 0:
        try:
            answer = bots[seat].act(state.view(seat))
        except BaseException as error:
            state = _repaired(state, None, _reason(error), faults)
            continue
        try:
            if answer.__class__ is not str:
                answer = _as_text(answer)
            state = state.apply(answer)
        except ValueError as error:
            state = _repaired(state, answer, str(error), faults)
    for position in positions:
        try:
            bots[position].end(state.view(position))
        except BaseException as error:
            faults.append(Fault(position, state.betting, "", "", _reason(error)))
    return PlayedHand(
        game, number, deal, tuple(names), state.betting, state.payoffs(), tuple(faults)
    )


def bot_step(state: DealtState, bot: Bot, faults: list[Fault]) -> DealtState:
    """Let the bot whose turn it is act; an illegal action is replaced and recorded."""
    try:
        answer = bot.act(state.view(state.player))
    except BaseException as error:
        return _repaired(state, None, _reason(error), faults)
    try:
        return state.apply(_as_text(answer))
    except ValueError as error:
        return _repaired(state, answer, str(error), faults)


def legal_answer(state: DealtState, answer: object) -> str:
    """The action for an answer: itself if it is legal, else the action played instead.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> state = load_game("holdem.nolimit.2p").replay("r300")
    >>> [legal_answer(state, answer) for answer in ("f", "r600", "r350", "r99999", "fold", None)]
    ['f', 'r600', 'r500', 'r20000', 'c', 'c']
    """
    if isinstance(answer, str):
        try:
            state.apply(answer)
            return str(answer)
        except ValueError:
            pass
    return _instead(state, answer)


def _instead(state: DealtState, answer: object) -> str:
    """The action that replaces an illegal answer."""
    if state.node.drawing:
        return "d" if state.holes[state.player] else "(0)"
    bounds = state.raise_bounds()
    match = _RAISE.fullmatch(answer) if isinstance(answer, str) else None
    if bounds is None or match is None:
        return "c"
    if state.game.betting == "limit":
        return "r"
    lowest, highest = bounds
    digits = match.group(1).lstrip("0")
    size = highest if len(digits) > _MAX_DIGITS else int(digits or "0")
    return f"r{min(max(size, lowest), highest)}"


def _repaired(state: DealtState, answer: object, why: str, faults: list[Fault]) -> DealtState:
    """The state after the replaced action, and a record of it."""
    action = _instead(state, answer)
    shown = "" if answer is None else shorten(_shown(answer), 60)
    faults.append(Fault(state.player, state.betting, shown, action, shorten(why, 260)))
    return state.apply(action)


def _as_text(answer: object) -> str:
    if isinstance(answer, str):  # of a class of its own, such as NumPy's
        return str.__str__(answer)
    raise ValueError(f"the answer is of type {type(answer).__name__}, not text")


def _reason(error: BaseException) -> str:
    return "out of time" if isinstance(error, TimeoutError) else failure_text(error)


def _shown(answer: object) -> str:
    return answer[:61] if isinstance(answer, str) else guarded(repr, answer)
