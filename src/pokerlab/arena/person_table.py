"""`PersonTable`: hands against bots that wait for a person, answer by answer.

A terminal can ask a person in the middle of a hand (`pokerlab play`); a page cannot. So here the
hand stops whenever it is the person's turn, and continues when `PersonTable.act` is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pokerlab.arena.hands import Fault, PlayedHand
from pokerlab.arena.person_words import read_action
from pokerlab.arena.table import bot_step
from pokerlab.games import TERMINAL, BettingGame, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import close_bot, failure_text, reset_bot
from pokerlab.players.strategies import SpotGame


class PersonTable:
    """Hands one after the other between a person and bots.

    Parameters
    ----------
    game, bots, names
        The rules, who plays against the person, and what they are called.
    seat
        The position of the person; by default it changes from hand to hand.
    seed
        The same seed deals the same cards.
    hands
        Hands that were played at this table before.

    Attributes
    ----------
    names
        All players, the person first.
    hands
        Those that are over.
    state
        The hand that is played, or was played last, with all cards; None before the first.
    position
        Where the person sits in it.

    Examples
    --------
    >>> from pokerlab.players.bots import Caller
    >>> from pokerlab.games import load_game
    >>> table = PersonTable(load_game("kuhn"), [Caller()], ["caller"], seed=1)
    >>> table.deal()
    >>> table.waiting, table.view.to_call, table.state.betting
    (True, 0, '')
    >>> table.act("bet")
    >>> table.waiting, table.hands[0].betting, sum(table.scores)
    (False, 'rc', 0.0)
    """

    def __init__(
        self,
        game: BettingGame,
        bots: Sequence[Bot],
        names: Sequence[str],
        seat: int | None = None,
        seed: int = 0,
        hands: Iterable[PlayedHand] = (),
    ) -> None:
        if len(bots) != game.players - 1:
            raise ValueError(
                f"{game.name} is a game for {game.players}: {game.players - 1} bots and you"
            )
        if seat is not None and not 0 <= seat < game.players:
            raise ValueError(f"seat {seat}: {game.name} has the seats 0 to {game.players - 1}")
        self.game, self.bots, self.seat, self.seed = game, list(bots), seat, seed
        self.names = ("you", *names)
        self.hands = list(hands)
        self.state: DealtState | None = None
        self.position = 0
        self._faults: list[Fault] = []
        generators = np.random.SeedSequence(seed, spawn_key=(0,)).spawn(len(bots))
        for bot, name, own in zip(bots, names, generators, strict=True):
            reset_bot(bot, name, game, np.random.default_rng(own))

    @property
    def waiting(self) -> bool:
        """Whether it is the person's turn."""
        return self.state is not None and self.state.player == self.position

    @property
    def over(self) -> bool:
        """Whether nobody acts any more in the hand."""
        return self.state is not None and self.state.player == TERMINAL

    @property
    def view(self) -> DealtState:
        """The hand as the person sees it; all cards once it is over."""
        if self.state is None:
            raise ValueError("no hand has been dealt")
        return self.state if self.state.player == TERMINAL else self.state.view(self.position)

    @property
    def at_table(self) -> list[int]:
        """The number of the player at each position; 0 is the person."""
        players = self.game.players
        return [(position - self.position) % players for position in range(players)]

    @property
    def scores(self) -> list[float]:
        """The winnings of each player so far, in chips, the person first; as `won` counts."""
        totals = [0.0] * len(self.names)
        for hand in self.hands:
            for name, chips in zip(hand.players, self.won(hand), strict=True):
                totals[self.names.index(name)] += chips
        return totals

    def won(self, hand: PlayedHand) -> tuple[float, ...]:
        """The chips that each position won in a hand.

        In a spot they are counted as a solution counts its EVs and a drill its results: the
        chips taken from the pot less those put in, after the rake.
        """
        if isinstance(self.game, SpotGame):
            return self.game.taken(hand.final)
        return tuple(hand.payoffs)

    def deal(self) -> None:
        """Deal the next hand, and let the bots act until it is the person's turn or over."""
        if self.state is not None and self.state.player != TERMINAL:
            raise ValueError("this hand is not over")
        number = len(self.hands)
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(1, number)))
        players = self.game.players
        # Player p sits in hand k at position (p − k) mod n, as in a match.
        self.position = -number % players if self.seat is None else self.seat
        self._faults = []
        self.state = self.game.start(self.game.deal(rng))
        for position, player in enumerate(self.at_table):
            if player:
                try:
                    self.bots[player - 1].begin(position, self.at_table)
                except BaseException as error:
                    self._faults.append(Fault(position, "", "", "", failure_text(error)))
        self.go_on()

    def act(self, answer: str) -> None:
        """Take the action that an answer names (see `read_action`), and let the hand go on."""
        self.take(answer)
        self.go_on()

    def take(self, answer: str) -> None:
        """Take the action that an answer names; `go_on` lets the bots act after it."""
        if self.state is None or not self.waiting:
            raise ValueError("it is not your turn: deal the next hand")
        self.state = self.state.apply(read_action(self.view, answer))

    def close(self) -> None:
        """Let the bots go."""
        for bot in self.bots:
            close_bot(bot)  # its hands are played, whatever it says

    def go_on(self) -> None:
        """Let the bots act until it is the person's turn or the hand is over."""
        state = self.state
        assert state is not None
        while state.player not in (TERMINAL, self.position):
            state = bot_step(state, self.bots[self.at_table[state.player] - 1], self._faults)
        self.state = state
        if state.player == TERMINAL:
            self._finish(state)

    def _finish(self, final: DealtState) -> None:
        for position, player in enumerate(self.at_table):
            if player:
                try:
                    self.bots[player - 1].end(final.view(position))
                except BaseException as error:
                    fault = Fault(position, final.betting, "", "", failure_text(error))
                    self._faults.append(fault)
        names = tuple(self.names[player] for player in self.at_table)
        number, faults = len(self.hands), tuple(self._faults)
        self.hands.append(
            PlayedHand(self.game, number, final.deal, names, final.betting, final.payoffs(), faults)
        )
