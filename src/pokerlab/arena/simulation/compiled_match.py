"""Millions of hands a second between strategies that are tables.

Hands are played in blocks by threads, each block with its own random numbers: a seed gives the
same result whatever the number of threads. Seats rotate as in a match (`pokerlab.arena.matches`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.matches import check_hands, different_names
from pokerlab.arena.simulation.action_kernels import PADDING, Hands
from pokerlab.arena.simulation.play_tables import (
    actions_by_leaf,
    count_actions,
    pack_choices,
    pay_endings,
    row_indices,
)
from pokerlab.arena.simulation.simulation_kernels import PlayWorkspace, Totals, play_deals
from pokerlab.arena.simulation.tables import as_table
from pokerlab.arrays import Bytes, Floats, Int8s, Uint64s
from pokerlab.bots.bot import Bot
from pokerlab.cards.evaluator.layout import hand_layout
from pokerlab.games import BettingGame, Deal
from pokerlab.games.loading import load_betting_game
from pokerlab.games.play_runs import BlockRun, PlayResult, known, standard_errors
from pokerlab.machine import check_threads
from pokerlab.strategies.table_strategy import TableStrategy
from pokerlab.trees.limit.betting import flatten_betting
from pokerlab.trees.limit.cards import card_rules

ROOM = 512
"""Deals that are played side by side (128 and 512 are as fast; what is known of them is small)."""
BLOCK = 1 << 15
"""Deals of a block: some milliseconds."""


def simulate(
    game: BettingGame | str,
    players: Sequence[TableStrategy | Bot | str],
    hands: int,
    seed: int = 0,
    *,
    duplicate: bool = False,
    threads: int | None = None,
    report: Callable[[int], None] | None = None,
) -> SimulationResult:
    """Play tables against each other.

    Parameters
    ----------
    game
        A limit game, or the name of one.
    players
        Tables, or bots that can be made tables (see `as_table`).
    hands
        How many hands, all seatings counted.
    seed
        The same seed gives the same result, and hand k gets the same cards whoever plays.
    duplicate
        Whether to play each deal in every rotation of the players.
    threads
        How many; by default all cores.
    report
        Called with the number of hands played, from time to time.

    Examples
    --------
    >>> result = simulate("holdem.limit.2p", ["folder", "raiser"], 1000, seed=1)
    >>> result.mbb_per_hand, result.stderr[0] < 20
    ((-750.0, 750.0), True)
    >>> simulate("holdem.limit.2p", ["caller"], 1000)
    Traceback (most recent call last):
    ValueError: holdem.limit.2p is a game for 2 players, and 1 was given
    """
    simulation = Simulation(game, players, hands, seed, duplicate=duplicate, threads=threads)
    for played in simulation:
        if report is not None:
            report(played)
    return simulation.result()


@dataclass(frozen=True, kw_only=True)
class SimulationResult(PlayResult):
    """The result of a simulation.

    Attributes
    ----------
    game, names, duplicate
        What was played; names all differ (``caller``, ``caller#2``).
    chips
        What each player won or lost.
    mbb_per_hand, stderr
        The same per hand in thousandths of the big blind, and its standard error; in a
        duplicate match a sample is one deal, summed over all seatings. NaN for one sample.
    by_position, position_stderr
        The same for each player at each position.
    actions
        How often each player has folded, called (or checked) and raised (or bet), by street.
    """

    game: str
    names: tuple[str, ...]
    duplicate: bool
    chips: tuple[float, ...]
    mbb_per_hand: tuple[float, ...]
    stderr: tuple[float, ...]
    by_position: tuple[tuple[float, ...], ...]
    position_stderr: tuple[tuple[float, ...], ...]
    actions: tuple[tuple[tuple[int, int, int], ...], ...]

    def to_json(self) -> dict[str, Any]:
        """The result as JSON, by name."""

        def by_name(values: Sequence[Any]) -> dict[str, Any]:
            return dict(zip(self.names, values, strict=True))

        return {
            "game": self.game,
            "strategies": list(self.names),
            "hands": self.hands,
            "planned_hands": self.planned_hands,
            "seed": self.seed,
            "duplicate": self.duplicate,
            **self.run_json(),
            "scores": by_name(self.chips),
            "mbb_per_hand": by_name(self.mbb_per_hand),
            "stderr": by_name([known(error) for error in self.stderr]),
            "by_position": by_name([list(map(known, row)) for row in self.by_position]),
            "position_stderr": by_name([list(map(known, row)) for row in self.position_stderr]),
            "actions": by_name(
                [
                    [dict(zip(("fold", "call", "raise"), street, strict=True)) for street in rows]
                    for rows in self.actions
                ]
            ),
        }


class Simulation:
    """A simulation that is played block by block; see `simulate` for the parameters.

    Iterate over it for the number of hands played so far; ask for the result at any time.

    Examples
    --------
    >>> simulation = Simulation("kuhn", ["caller", "raiser"], 100_000, seed=3, threads=1)
    >>> next(iter(simulation)), simulation.result().complete
    (32768, False)
    """

    def __init__(
        self,
        game: BettingGame | str,
        players: Sequence[TableStrategy | Bot | str],
        hands: int,
        seed: int = 0,
        *,
        duplicate: bool = False,
        threads: int | None = None,
    ) -> None:
        self.game = load_betting_game(game) if isinstance(game, str) else game
        count = self.game.players
        if len(players) != count:
            given = "1 was given" if len(players) == 1 else f"{len(players)} were given"
            raise ValueError(f"{self.game.name} is a game for {count} players, and {given}")
        self.seatings = count if duplicate else 1
        check_hands(hands, self.seatings, seed)
        self.hands, self.seed, self.threads = hands, seed, check_threads(threads)
        self.names = different_names(
            [player if isinstance(player, str) else type(player).__name__ for player in players]
        )
        self.betting = flatten_betting(self.game)
        made: dict[str, TableStrategy] = {}
        for player in players:
            if isinstance(player, str) and player not in made:
                made[player] = as_table(self.game, player)
        self.tables = tuple(
            made[player] if isinstance(player, str) else as_table(self.game, player)
            for player in players
        )
        self._rules = card_rules(self.game)
        self._layout = hand_layout(self._seen)
        self._choices = pack_choices(self.betting, self.tables)
        self._endings = pay_endings(self.betting)
        self._row_indices = row_indices(self.game)
        self._totals = self._empty_totals()
        self._run = BlockRun(self._block, hands // self.seatings, BLOCK, self.threads)

    def __iter__(self) -> Iterator[int]:
        """Play from the first hand on; a simulation is played once."""
        if self._run.played:
            raise ValueError("this simulation has been played: make another one")
        self._block(0, 0)  # compile, or load what was compiled before
        for totals in self._run:
            self._totals.by_position[:] += totals.by_position
            self._totals.by_deal[:] += totals.by_deal
            self._totals.endings[:] += totals.endings
            yield self._run.played * self.seatings

    def play_block(self, number: int, deals: int) -> tuple[Bytes, Floats]:
        """Play the deals of one block by itself, without adding them to the result.

        Parameters
        ----------
        number
            Which block of 32,768 deals.
        deals
            How many of it.

        Returns
        -------
        The cards that each position sees, shape (deals, positions, cards), private cards first; and
        the payoffs of the hands, shape (hands, positions).
        """
        workspace = self._workspace_for(deals)
        self._play(number, deals, workspace)
        return workspace.cards, workspace.payoffs

    def play_hands(self, number: int, deals: int) -> tuple[Bytes, Int8s]:
        """Play the deals of one block as `play_block` does; return the cards and the actions.

        Returns
        -------
        The cards that each position sees, shape (deals, positions, cards), and the actions of the
        hands, shape (hands, most actions): columns of a table, −1 after the last one.
        """
        workspace = self._workspace_for(deals)
        self._play(number, deals, workspace)
        return workspace.cards, actions_by_leaf(self.betting)[workspace.leaves]

    def record(self, count: int) -> list[PlayedHand]:
        """The first hands (of at most 32,768 deals), one by one: same cards, same actions.

        Examples
        --------
        >>> for hand in Simulation("kuhn", ["caller", "raiser"], 100, seed=1).record(2):
        ...     print(hand.players, hand.deal, hand.betting, hand.payoffs)
        ('caller', 'raiser') Js|Qs crc (-2.0, 2.0)
        ('raiser', 'caller') Js|Ks rc (-2.0, 2.0)
        """
        deals = min(-(-min(count, self.hands) // self.seatings), BLOCK)
        workspace = self._workspace_for(deals)
        self._play(0, deals, workspace)
        players = len(self.tables)
        hole = self._rules.hole
        found = []
        for number in range(min(count, deals * self.seatings)):
            deal, seating = divmod(number, self.seatings)
            cards = workspace.cards[deal].tolist()
            found.append(
                PlayedHand(
                    self.game,
                    number,
                    Deal(tuple(tuple(row[:hole]) for row in cards), tuple(cards[0][hole:])),
                    tuple(
                        self.names[(position - deal - seating) % players]
                        for position in range(players)
                    ),
                    self.betting.leaves[workspace.leaves[number]].text,
                    tuple(workspace.payoffs[number].tolist()),
                )
            )
        return found

    def result(self) -> SimulationResult:
        """The result of the hands played so far."""
        mbb = self.game.mbb
        won, won_squared = np.moveaxis(self._totals.by_position, 2, 0)
        chips = won.sum(axis=1)
        positions = np.arange(self.game.players)
        turns = (positions - positions[:, None]) % self.game.players  # of player and position
        hands = self._totals.endings.sum(axis=1)[turns].astype(np.float64)
        deals = self._run.played
        sums, squares = self._totals.by_deal.T
        errors = standard_errors(np.full(len(sums), float(deals)), sums, squares)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = won / hands
        return SimulationResult(
            game=self.game.name,
            names=self.names,
            hands=deals * self.seatings,
            planned_hands=self.hands,
            seed=self.seed,
            duplicate=self.seatings > 1,
            threads=self.threads,
            chips=tuple(chips.tolist()),
            mbb_per_hand=tuple((chips / max(deals * self.seatings, 1) * mbb).tolist()),
            stderr=tuple((errors * mbb).tolist()),
            by_position=_rows(means * mbb),
            position_stderr=_rows(standard_errors(hands, won, won_squared) * mbb),
            actions=tuple(
                tuple((fold, call, raised) for fold, call, raised in streets)
                for streets in count_actions(self.betting, self._totals.endings).tolist()
            ),
            seconds=self._run.seconds,
            cpu_seconds=self._run.cpu_seconds,
        )

    def _block(self, number: int, deals: int) -> Totals:
        return self._play(number, deals, self._workspace_for(ROOM))

    def _play(self, number: int, deals: int, workspace: PlayWorkspace) -> Totals:
        # Every block has its own random numbers: it does not matter which thread plays it.
        sequence = np.random.SeedSequence(self.seed, spawn_key=(number,))
        seeds: Uint64s = sequence.generate_state(2, np.uint64).astype(np.uint64)
        totals = self._empty_totals()
        play_deals(
            deals,
            number * BLOCK,
            self.seatings,
            self._rules._replace(deck=self._rules.deck.copy()),
            self._layout,
            self._choices,
            self._endings,
            tuple(player.look_up for player in self.tables),
            self._row_indices,
            seeds[:1],
            seeds[1:],
            totals,
            workspace,
        )
        return totals

    def _empty_totals(self) -> Totals:
        players = self.game.players
        return Totals(
            np.zeros((players, players, 2)),
            np.zeros((players, 2)),
            np.zeros((players, len(self.betting.leaves)), np.int64),
            np.zeros(players),
        )

    @property
    def _seen(self) -> int:
        """How many cards a position sees at the end."""
        return self.game.hole_cards[-1] + self.game.board_cards[-1]

    def _workspace_for(self, deals: int) -> PlayWorkspace:
        players = self.game.players
        hands = deals * self.seatings
        hole, board = self.game.hole_cards[-1], self.game.board_cards[-1]
        private, public = np.arange(players * hole), players * hole + np.arange(board)
        dealt_from = [np.append(cards, public) for cards in private.reshape(players, hole)]
        waiting, going_on = (Hands(*np.zeros((2, hands + PADDING), np.uint64)) for _ in range(2))
        cards = np.zeros(deals * players * self._seen + PADDING, np.uint8)
        return PlayWorkspace(
            cards[:-PADDING].reshape(deals, players, self._seen),
            np.zeros((hands, players)),
            np.zeros(hands, np.int64),
            np.zeros((len(private) + board) * deals, np.uint8),
            np.array(dealt_from, np.uint8).ravel(),
            np.zeros(deals * players, np.uint16),
            np.zeros(deals * players, np.int64),
            np.zeros(hands << int(self._choices.turn_bits), np.int64),
            np.zeros(hands + PADDING, np.int64),
            waiting,
            going_on,
            np.zeros(hands + PADDING, np.uint64),
        )


def _rows(table: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in table.tolist())
