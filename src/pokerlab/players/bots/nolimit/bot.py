"""`NolimitBot`: heads-up no-limit hold'em without card abstraction; it solves what it plays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import N_COMBOS, combo_index
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.ranges.range import Range
from pokerlab.engine.device import check_device, free_card_bytes
from pokerlab.games import BettingGame, DealtState
from pokerlab.holdem.spots.question.gadget import allowed_combos
from pokerlab.players.bots.bot import PolicyBot
from pokerlab.players.bots.fair import FairBot, pot_odds, pot_sized_raise
from pokerlab.players.bots.hand_strategy import HandStrategy, ask_each_hand
from pokerlab.players.bots.nolimit.library import FlopLibrary
from pokerlab.players.bots.nolimit.preflop import read_two_player_chart, spread
from pokerlab.players.bots.nolimit.street import MOST_ADDED, StreetSolver, UnsolvedError
from pokerlab.players.bots.nolimit.tracking import PublicHand, PublicPlay, Recent, Standing
from pokerlab.players.bots.nolimit.values import decision_values, values_by_card
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import check_threads
from pokerlab.solvers.resolving.kinds import check_kind


class Decided(NamedTuple):
    """A strategy for all hands, and where it comes from."""

    strategy: HandStrategy
    source: str
    """``chart``, ``solved``, ``library`` or ``fallback``."""


class NolimitBot(PolicyBot):
    """Plays heads-up no-limit hold'em by a chart before the flop and live solves after it.

    Every street is solved with all hands of both players, the real pot and stacks. The ranges come
    from what was done before; the next street is solved behind a gadget, so that no hand of the
    opponent gains by it. A bet that is not in the tree is put into it.

    Parameters
    ----------
    file
        A chart (`pokerlab preflop … -o FILE`) in place of those of the package.
    seconds
        The time of a decision on the flop that needs a solve. Turns get 0.3 of it, rivers 0.0125 of
        it and at least 0.1 seconds: 8 seconds are 2.4 on a turn and 0.1 on a river. Of fewer than
        8 seconds turns get less: 0.7 of 3, and a tenth with ``device=gpu``. Decisions that need
        no solve take some milliseconds.
    iterations
        If above 0: a solve has this many iterations (a river ten times as many), whatever time
        they take, and bet sizes that do not depend on the machine. The same seed then gives the
        same play, to the bit.
    gadget
        ``combined``, ``resolve``, ``maxmargin``, ``unsafe`` or ``none``.
    device
        Where flops are solved: on the processor with ``auto`` and ``cpu``, so that play does not
        depend on whether there is a GPU; with ``gpu`` on all run-outs.
    threshold
        Actions of a smaller probability are not played.
    added
        How many bet sizes may be put into the tree of a street: from 0, where every other bet
        stands for its neighbour, to 3.
    threads
        How many to use; 0 for all cores.
    log
        A file to which each decision is added as a line of JSON.
    library
        A folder of solved flops (`pokerlab nolimit library`): those are looked up.
    keep
        Whether flops that are solved in play are added to the library.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> bot = NolimitBot(iterations=10)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> view = game.start(game.make_deal(["7h2c", "AsAd"])).view(1)
    >>> sorted(bot.probabilities(view))
    ['c', 'r250', 'r350']
    >>> bot.reset(load_game("leduc"), np.random.default_rng(1))
    Traceback (most recent call last):
    ValueError: nolimit cannot play leduc: it plays no-limit hold'em for two, as holdem.nolimit.2p
    """

    def __init__(
        self,
        file: str = "",
        *,
        seconds: float = 8.0,
        iterations: int = 0,
        gadget: str = "combined",
        device: str = "auto",
        threshold: float = 0.0,
        added: int = MOST_ADDED,
        threads: int = 0,
        log: str = "",
        library: str = "",
        keep: bool = False,
    ) -> None:
        if not 0.01 <= seconds <= 3600:
            raise ValueError(f"seconds: {seconds:g} must be from 0.01 to 3600")
        if not 0 <= iterations <= 1_000_000:
            raise ValueError(f"iterations: {iterations} must be from 0 (none set) to 1,000,000")
        if not 0.0 <= threshold <= 0.5:
            raise ValueError(f"threshold: {threshold:g} must be from 0 to 0.5")
        if not 0 <= added <= MOST_ADDED:
            raise ValueError(f"added: {added} must be from 0 to {MOST_ADDED}")
        if gadget != "none" and (gadget.startswith("reach-") or not check_kind(gadget)):
            raise ValueError(
                f"gadget: {shorten(gadget)!r} must be combined, resolve, maxmargin, unsafe or none"
            )
        check_device(device)
        if device == "gpu":
            free_card_bytes()  # says in one line if there is none
        cores = check_threads(threads or None)
        self._solver = StreetSolver(seconds, iterations, gadget, device, cores)
        if keep and not library:
            raise ValueError("keep: name the folder, library=FOLDER")
        flops = FlopLibrary(library, self._solver, keep=keep) if library else None
        self._log = _writable(log) if log else None
        self._unwritten = ""
        self._fair = FairBot()
        self._decided = Recent[Decided](30_000_000)
        self._threshold = threshold
        self.play = PublicPlay(self._solver, file, threshold, flops=flops, most_added=added)
        if file:
            read_two_player_chart(file)

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Check that it can play the game."""
        _check_game(game)
        super().reset(game, rng)
        self._fair.reset(game, rng)
        self._hands = 0

    def warm_up(self) -> None:
        """Load machine code, and measure the machine."""
        self._solver.warm_up()

    def begin(self, position: int, players: object) -> None:
        """Count the hands, for the log."""
        self._hands += 1

    def act(self, view: DealtState) -> str:
        """Sample an action, and log it."""
        began, before = perf_counter(), self.play.solved
        decided = self.decide(view)
        action = self.sample(self._row(decided.strategy, view))
        if self._log is not None:
            fresh = self.play.solved > before
            self._write(view, action, decided, perf_counter() - began, fresh=fresh)
        return action

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """The row of `hand_strategy` for the hand of the seat."""
        return self._row(self.hand_strategy(view), view)

    def hand_strategy(self, view: DealtState) -> HandStrategy:
        """What every hand does at a public state; it is solved where that has not been done."""
        return self.decide(view).strategy

    def hand_values(self, view: DealtState, seat: int) -> Floats | None:
        """What the chart or the solve at hand says; None where it would have to be solved."""
        return decision_values(self.play, view, seat)

    def card_values(self, view: DealtState, seat: int) -> Floats | None:
        """The same after each card that may come, for the hands of the opponent."""
        return values_by_card(self.play, view, seat)

    def standing(self, view: DealtState) -> Standing | None:
        """The solve of a decision after the flop; None before it, and where there is none."""
        if self.decide(view).source in ("chart", "fallback"):
            return None
        try:
            return self.play.stand(PublicHand.of(view))
        except UnsolvedError:  # it was solved, and there is no room for that now
            return None

    def decide(self, view: DealtState) -> Decided:
        """The strategy of all hands at a public state, and where it comes from."""
        hand = PublicHand.of(view)
        key = hand.key(hand.node.street, whole=True), hand.suits
        found = self._decided.get(key)
        if found is None:
            found = self._decide(view, hand)
            self._decided.put(key, found, found.strategy.probabilities.nbytes + 200_000)
        return found

    def _decide(self, view: DealtState, hand: PublicHand) -> Decided:
        if view.raise_bounds() is None and not view.to_call:
            only = np.where(allowed_combos(view.board), 1.0, 0.0)
            return Decided(HandStrategy(("c",), only[:, None]), "chart")
        if not view.street:
            choices = self.play.preflop(view.game).choices(view.node)
            if not choices:
                return Decided(self._plain_rule(view, hand), "fallback")
            shares = np.stack([spread(each) for each in choices.values()], axis=1)
            return Decided(_strategy(tuple(choices), shares, self._threshold), "chart")
        try:
            standing = self.play.stand(hand)
        except UnsolvedError:
            return Decided(self._plain_rule(view, hand), "fallback")
        labels = [at_table(label, view) for label in standing.told.labels]
        rows = standing.told.shares[:, hand.image]
        actions = tuple(dict.fromkeys(labels))
        shares = np.zeros((N_COMBOS, len(actions)))
        for label, row in zip(labels, rows, strict=True):
            shares[:, actions.index(label)] += row
        return Decided(_strategy(actions, shares), standing.followed.solve.source)

    def _plain_rule(self, view: DealtState, hand: PublicHand) -> HandStrategy:
        """As `FairBot`, against the range of the opponent."""
        if not view.street:
            found = ask_each_hand(self._fair.probabilities, view)
            assert found is not None
            return found
        try:
            weights = self.play.root(hand, view.street).ranges[1 - hand.own]
        except UnsolvedError:
            weights = np.ones(N_COMBOS)
        chance = np.nan_to_num(hand_strength(view.board, Range(weights[hand.image])))
        needed = 1.5 ** (1 + view.node.raises)
        raises = chance > needed * (1 - chance)
        folds = (chance < pot_odds(view)) & bool(view.to_call)
        chosen = np.where(raises & (view.raise_bounds() is not None), 2, np.where(folds, 0, 1))
        shares = np.eye(3)[chosen] * allowed_combos(view.board)[:, None]
        return _strategy(("f", "c", pot_sized_raise(view)), shares)

    @staticmethod
    def _row(strategy: HandStrategy, view: DealtState) -> dict[str, float]:
        hole = view.holes[view.player]
        row = strategy.probabilities[combo_index(*hole)]
        return {
            action: float(chance)
            for action, chance in zip(strategy.actions, row, strict=True)
            if chance > 0
        }

    def _write(
        self, view: DealtState, action: str, decided: Decided, seconds: float, *, fresh: bool
    ) -> None:
        """Add a line to the log."""
        entry: dict[str, object] = {
            "hand": self._hands,
            "street": view.street,
            "line": view.betting,
            "action": action,
            "source": decided.source,
            "seconds": round(seconds, 4),
        }
        standing = self.standing(view)
        if standing is not None:
            solve = standing.followed.solve
            if solve.source == "solved" and not fresh:
                entry["source"] = "kept"
            entry |= {
                "menu": solve.menu,
                "gadget": solve.gadget or None,
                "iterations": solve.solution.iterations,
                "percent": round(solve.solution.exploitability.percent, 4),
                "added": len(standing.followed.added),
            }
        assert self._log is not None
        try:
            with self._log.open("a") as file:
                file.write(json.dumps(entry) + "\n")
        except OSError as error:  # a full disk: the match goes on without
            self._unwritten = f"{self._log}: cannot be written: {error.strerror}"
            self._log = None

    def close(self) -> None:
        """Say what the disk did not take."""
        flops = self.play.flops
        unwritten = [self._unwritten, flops.unwritten if isinstance(flops, FlopLibrary) else ""]
        if any(unwritten):
            raise ValueError("; ".join(filter(None, unwritten)))


def _writable(log: str) -> Path:
    """The file of a log; `ValueError` where nothing can be added to it."""
    path = Path(log)
    try:
        path.open("a").close()
    except OSError as error:
        raise ValueError(f"log: {shorten(log)}: cannot be written: {error.strerror}") from None
    return path


def _strategy(actions: tuple[str, ...], shares: Floats, threshold: float = 0.0) -> HandStrategy:
    """Shares (1326, actions) as a strategy, without actions that nobody takes."""
    if threshold > 0:
        least = np.minimum(threshold, shares.max(axis=1, keepdims=True))
        shares = np.where(shares >= least, shares, 0.0)
    total = shares.sum(axis=1, keepdims=True)
    shares = np.divide(shares, total, out=np.zeros_like(shares), where=total > 0)
    taken = [number for number, column in enumerate(shares.T) if column.any()]
    kept = tuple(actions[number] for number in taken)
    return HandStrategy(kept, np.ascontiguousarray(shares[:, taken]))


def at_table(label: str, view: DealtState) -> str:
    """An action of a tree as it is played at the table."""
    if label in ("x", "c"):
        return "c"
    if label == "f":
        return "f" if view.to_call else "c"
    bounds = view.raise_bounds()
    if bounds is None:
        return "c"
    lowest, highest = bounds
    most = int(min(max(min(view.game.chips), lowest), highest))
    if label == "a":
        return f"r{most}"
    spent = min(view.node.spent) if not view.to_call else _spent_before(view)
    return f"r{min(max(spent + int(label[1:]), lowest), most)}"


def _spent_before(view: DealtState) -> int:
    """What each player had put in before this street."""
    first = next(node for node, _ in view.node.path() if node.street == view.street)
    return min(first.spent)


def _check_game(game: BettingGame) -> None:
    """Refuse games that are not heads-up no-limit hold'em."""
    streets = game.streets
    plays = (
        game.players == 2
        and game.betting == "no-limit"
        and not game.menu
        and len(game.deck) == 52
        and game.hole_cards == (2, 2, 2, 2)
        and game.board_cards == (0, 3, 4, 5)
        and game.showdown == "five-card"
        and len(game.blinds) == 2
        and len(game.stacks) == 2
        and not game.up_cards
        and not any(street.draw for street in streets)
        and game.blinds[streets[0].first] < game.blinds[1 - streets[0].first]
        and all(street.first == 1 - streets[0].first for street in streets[1:])
    )
    if not plays:
        raise ValueError(
            f"nolimit cannot play {game.name}: it plays no-limit hold'em for two, as"
            " holdem.nolimit.2p"
        )
