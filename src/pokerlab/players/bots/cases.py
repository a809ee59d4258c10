"""A bot that plays from the hands of a log: what similar decisions won, or what was done in them.

A case is a decision of a logged hand whose cards are known. Cases are compared with a decision if
street, players still in, players still to act and the right to check are the same; the nearest are
those with the most alike chance to win, pot odds, raises on the street and pot.

References: the thesis on a post-flop solver, section 2.2.2 ("Big Data"): take the action with the
highest mean profit in the data; J. Rubin and I. Watson, "Similarity-based retrieval and solution
re-use policies in the game of Texas hold'em" (2010): do what was done in the nearest cases
(Sartre).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import format_cards
from pokerlab.games import BettingGame, DealtState, split_betting
from pokerlab.players.bots.bot import PolicyBot
from pokerlab.players.bots.fair import pot_odds, pot_sized_raise
from pokerlab.players.bots.parrot import LoggedHand, logged_hands
from pokerlab.players.bots.winning_chances import is_draw, plain_discards, winning_chance
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.files.text_lines import whole_text

Situation = tuple[int, int, int, bool]
"""Street, players still in, players still to act, and whether there is something to pay."""
_WEIGHTS = np.array([1.0, 1.0, 0.1, 0.05])
"""Of the chance to win, the pot odds, a raise on the street, and a pot twice as large."""
_CHOICES = ("profit", "copy")


class Cases(NamedTuple):
    """Decisions of one kind in one situation.

    Attributes
    ----------
    places
        (cases, 4): chance to win, pot odds, raises and the logarithm of the pot, weighted.
    profit
        (cases,): what was won from the decision on, in pots; 0 for a fold.
    """

    places: Floats
    profit: Floats

    def distances(self, place: Floats) -> Floats:
        """The squared distance of each case."""
        return np.asarray(((self.places - place) ** 2).sum(axis=1))


class CaseBot(PolicyBot):
    """Plays what won most in the nearest cases of a log, or what the players of the log did.

    By profit, each action is worth the mean of its nearest cases less `doubt` standard errors,
    and a fold nothing; an action with fewer than two cases is not played. The best action has the
    probability 1 − `mix`, the next one the same share of the rest, the last one the remainder. It
    checks and calls without a similar case, raises by the pot if sizes are free, and at a draw
    keeps what belongs together.

    Parameters
    ----------
    log
        A log of the ACPC dealer (for the game of the match), a ``.phh`` or ``.phhs`` file, or
        the hands themselves. Hands of players whose cards are not known teach nothing.
    player
        Whose decisions; everybody's by default.
    choose
        ``profit``, or ``copy`` to do what was done in the nearest cases.
    nearest
        The number of cases that are asked, by profit for each action.
    doubt, mix
        See above; for ``profit`` only.
    samples
        Deals for the chance to win where not all are played.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("kuhn")
    >>> played = [("rc", ["Qs", "Ks"]), ("rc", ["Js", "Ks"]), ("rf", ["Ks", "Js"])]
    >>> log = [LoggedHand(game.replay(line, game.make_deal(cards)), ("ann", "bob"))
    ...        for line, cards in played]
    >>> bot = CaseBot(log, nearest=2)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> bot.probabilities(game.replay("r", game.make_deal(["Qs", "Ks"])).view(1))
    {'c': 0.9, 'f': 0.1}
    >>> CaseBot(log, choose="luck")
    Traceback (most recent call last):
    ValueError: choose: 'luck' must be profit or copy
    """  # fmt: skip

    def __init__(
        self,
        log: str | Path | Iterable[LoggedHand],
        player: str = "",
        *,
        choose: str = "profit",
        nearest: int = 50,
        doubt: float = 1.0,
        mix: float = 0.1,
        samples: int = 200,
    ) -> None:
        if choose not in _CHOICES:
            raise ValueError(f"choose: {choose!r} must be {' or '.join(_CHOICES)}")
        if nearest < 2:
            raise ValueError(f"nearest: {nearest} must be 2 or more")
        if not doubt >= 0.0:
            raise ValueError(f"doubt: {doubt} must be 0 or more")
        if not 0.0 <= mix < 1.0:
            raise ValueError(f"mix: {mix} must be from 0 to below 1")
        if samples < 1:
            raise ValueError(f"samples: {samples} is not a number of deals to play (1 or more)")
        self.player, self.choose, self.count = player, choose, nearest
        self.doubt, self.mix, self.samples = doubt, mix, samples
        self._log = Path(log) if isinstance(log, str | Path) else None
        self._text = "" if self._log is None else whole_text(self._log)
        self._hands = () if isinstance(log, str | Path) else tuple(log)
        self._known: tuple[BettingGame, dict[Situation, dict[str, Cases]]] | None = None

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Read the log, unless it was read for this game."""
        super().reset(game, rng)
        if self._known is None or self._known[0] != game:
            hands = self._hands or logged_hands(self._text, self._log or Path(), game)
            self._known = game, self._learn(game, hands)

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """Weigh the actions by the nearest cases."""
        if view.node.drawing:
            hole, most = view.holes[view.player], view.game.streets[view.street].draw
            thrown = plain_discards(hole, most) if is_draw(view.game) else ()
            return {"d" + format_cards(thrown): 1.0}
        assert self._known is not None
        kinds = self._known[1].get(_situation(view), {})
        raises = pot_sized_raise(view)  # "c" where no raise is legal
        kinds = {kind: cases for kind, cases in kinds.items() if kind != "r" or raises != "c"}
        if not kinds:
            return {"c": 1.0}
        choose = self._copied if self.choose == "copy" else self._best
        found = choose(kinds, self._place(view))
        return {raises if kind == "r" else kind: share for kind, share in found.items() if share}

    def _best(self, kinds: Mapping[str, Cases], place: Floats) -> dict[str, float]:
        """Probabilities by order of profit."""
        worth = {}
        for kind, cases in kinds.items():
            far = cases.distances(place)
            profit = cases.profit[far <= _bound(far, self.count)]
            if kind == "f":
                worth[kind] = 0.0
            elif len(profit) > 1:
                error = profit.std(ddof=1) / np.sqrt(len(profit))
                worth[kind] = float(profit.mean() - self.doubt * error)
        order = sorted(worth, key=worth.__getitem__, reverse=True) or ["c"]
        found = {kind: (1 - self.mix) * self.mix**number for number, kind in enumerate(order)}
        return {**found, order[-1]: self.mix ** (len(order) - 1)}

    def _copied(self, kinds: Mapping[str, Cases], place: Floats) -> dict[str, float]:
        """How often each action was taken in the nearest cases."""
        near = {kind: cases.distances(place) for kind, cases in kinds.items()}
        bound = _bound(np.concatenate(list(near.values())), self.count)
        counts = {kind: int((far <= bound).sum()) for kind, far in near.items()}
        return {kind: count / sum(counts.values()) for kind, count in counts.items()}

    def _place(self, state: DealtState) -> Floats:
        node = state.node
        chance = winning_chance(
            state.game,
            state.holes[state.player],
            state.board,
            len(node.live) - 1,
            drawn=state.street > 0,
            samples=self.samples,
        )
        pot = np.log2(state.pot / state.game.big_blind)
        return np.asarray(_WEIGHTS * (chance, pot_odds(state), node.raises, pot))

    def _learn(
        self, game: BettingGame, hands: Iterable[LoggedHand]
    ) -> dict[Situation, dict[str, Cases]]:
        found: dict[Situation, dict[str, list[tuple[Floats, float]]]] = {}
        for final, players in hands:
            if not _comparable(final, game):
                raise ValueError(
                    f"{self._log or 'the log'}: hands of {final.game.name} are no cases for"
                    f" {game.name}"
                )
            assert isinstance(final.game, BettingGame)
            state = final.game.start(final.deal)
            payoffs = final.payoffs()
            for action in split_betting(final.betting):
                seat = state.player
                asked = self.player in ("", players[seat]) and not state.node.drawing
                if asked and state.holes[seat]:
                    won = payoffs[seat] * final.game.unit
                    profit = (won + state.spent[seat]) / state.pot
                    kinds = found.setdefault(_situation(state), {})
                    kinds.setdefault(action[0], []).append((self._place(state), profit))
                state = state.apply(action)
        if not found:
            whose = f" of {self.player!r}" if self.player else ""
            raise ValueError(f"{self._log or 'the log'}: there is no hand{whose} with known cards")
        return {
            situation: {
                kind: Cases(
                    np.array([place for place, _ in each]), np.array([won for _, won in each])
                )
                for kind, each in kinds.items()
            }
            for situation, kinds in found.items()
        }


def _bound(distances: Floats, count: int) -> float:
    """The distance of the `count`-th nearest case, or of the last; cases as near count too."""
    place = min(count, len(distances)) - 1
    return float(np.partition(distances, place)[place])


def _situation(state: DealtState) -> Situation:
    node = state.node
    return node.street, len(node.live), len(node.waiting), node.to_call > 0


def _comparable(final: DealtState, game: BettingGame) -> bool:
    """Whether hands of two games have the same cards, whatever their stacks."""
    other = final.game
    return (other.showdown, other.deck, other.hole_cards, other.board_cards) == (
        game.showdown,
        game.deck,
        game.hole_cards,
        game.board_cards,
    )
