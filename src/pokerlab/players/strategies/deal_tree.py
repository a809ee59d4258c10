"""A strategy along one deal: what players do with given hands, line by line.

Both hands and the run-out are given, so every edge is an action of a player and has one
probability. Actions below a least probability are left out and counted. One walk serves solved
spots, solved games and trained strategies: all that `open_strategy` opens.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pokerlab.cards.codes import combo_index, format_cards, to_cards
from pokerlab.games import TERMINAL, BettingGame, Deal, DealtState
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots import PostflopSolution
from pokerlab.players.strategies.look_up import SpotLookUp, StrategyLookUp, open_strategy
from pokerlab.players.strategies.spot_game import SpotGame
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.shown import Shown, function_named
from pokerlab.solvers import Solution

if TYPE_CHECKING:
    from pokerlab.players.strategies.limit_file import LimitStrategy

LEAST = 0.02
"""The probability below which an action is left out."""

MOST_NODES = 2000
"""More nodes than this are too many to look at."""


class LargeDealTreeError(ValueError):
    """More lines are played with these hands than are to be drawn."""


class LeftOut(NamedTuple):
    """An action that is played too seldom to be drawn."""

    action: str
    probability: float


class DealNode(NamedTuple):
    """A point of the hand.

    Attributes
    ----------
    parent
        The place of the node before; -1 at the beginning.
    depth
        Actions from the beginning.
    line
        The line to it, as `pokerlab show` takes it.
    actor, action, probability
        Who came here by what, and how likely they do it with their hand; -1, ``""`` and 1 at the
        beginning.
    cards
        The cards that come after this action, before anybody acts again.
    reach
        The product of all probabilities up to here.
    player
        Who acts; `TERMINAL` where nobody does.
    pot
        The chips in the middle.
    outcome
        Why nobody acts: ``fold``, ``showdown``, ``card`` (the next one is not given), ``left out``
        (the file holds no play of this street) or ``untrained``; empty where somebody acts.
    won
        The chips of each player at the end, as the EVs of a solution count them; None where
        they are not known.
    actions
        The actions of `player`, all of them.
    left_out
        Those that are left out.
    """

    parent: int
    depth: int
    line: str
    actor: int
    action: str
    probability: float
    cards: tuple[int, ...]
    reach: float
    player: int
    pot: float
    outcome: str
    won: tuple[float, ...] | None
    actions: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, eq=False)
class DealTree(Shown):
    """The lines of a deal that are played.

    Attributes
    ----------
    game
        The name of the game.
    spot
        Whether it is a solved spot: actions are ``x``, ``b50``, ``r150``, and chips won are those
        taken from the pot.
    seats
        What the players are called.
    deal
        The hands, and the board as far as it is given.
    least
        Actions with a smaller probability are left out.
    nodes
        In preorder.
    """

    _picture = "pokerlab.views.pictures.deal_picture:deal_html"

    game: str
    spot: bool
    seats: tuple[str, ...]
    deal: Deal
    least: float
    nodes: tuple[DealNode, ...]

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def left_out(self) -> int:
        """The number of actions that are left out."""
        return sum(len(node.left_out) for node in self.nodes)

    def drawing(self) -> Any:
        """A `pokerlab.trees.drawing.Drawing`, for text, SVG, PNG and DOT."""
        return function_named("pokerlab.views.pictures.deal_picture:deal_drawing")(self)

    def svg(self) -> str:
        """The tree as an SVG document."""
        return str(self.drawing().svg())

    def payload(self) -> dict[str, Any]:
        """The tree as JSON, the nodes in preorder."""
        return {
            "game": self.game,
            "seats": list(self.seats),
            "hands": [format_cards(hole) for hole in self.deal.holes],
            "board": format_cards(self.deal.board),
            "least": self.least,
            "left_out": self.left_out,
            "nodes": [
                node._asdict()
                | {
                    "cards": format_cards(node.cards),
                    "player": None if node.player < 0 else node.player,
                    "actor": None if node.actor < 0 else node.actor,
                    "actions": list(node.actions),
                    "won": None if node.won is None else list(node.won),
                    "left_out": [each._asdict() for each in node.left_out],
                }
                for node in self.nodes
            ],
        }


def make_deal_tree(
    source: str | os.PathLike[str] | Solution | PostflopSolution | LimitStrategy | StrategyLookUp,
    deal: str,
    line: str = "",
    *,
    least: float = LEAST,
    limit: int = MOST_NODES,
) -> DealTree:
    """Follow the lines that are played with given hands on a given board.

    Parameters
    ----------
    source
        A solution or a trained strategy, or the file of one.
    deal
        The hand of each player, then the cards that come: ``"KhJh AcAs 8s 5s"``. The board of a
        spot may be repeated. Lines end where a card would come that is not given.
    line
        Where to begin.
    least
        Actions that a player takes less often are left out.
    limit
        The most nodes; `ValueError` beyond.

    Examples
    --------
    >>> from pokerlab.solvers import solve
    >>> tree = make_deal_tree(solve("kuhn", "lp"), "Ks Qs")
    >>> for node in tree.nodes[:4]:
    ...     print(repr(node.line), node.action, round(node.probability, 2), node.outcome, node.won)
    '' 1.0  None
    'c' c 1.0  None
    'cc' c 1.0 showdown (1.0, -1.0)
    """
    if not 0 <= least <= 1:
        raise ValueError(f"least: {least:g} must be a probability from 0 to 1")
    look_up = source if isinstance(source, StrategyLookUp) else open_strategy(source)
    dealt = parse_deal(look_up.game, deal)
    start = _start(look_up, dealt, line)
    if start.player == TERMINAL:
        raise ValueError(f"line {shorten(line)!r}: the hand is over, nobody decides")
    walk = _Walk(look_up, start, least, limit)
    walk.visit(start, _first(look_up, start))
    if walk.nodes[0].outcome == "card":
        raise ValueError(
            f"line {shorten(line)!r}: a card comes here; name it after the hands of the deal"
        )
    spot = isinstance(look_up, SpotLookUp)
    seats = PLAYERS if spot else tuple(f"player {seat}" for seat in range(look_up.game.players))
    return DealTree(look_up.game.name, spot, seats, dealt, least, tuple(walk.nodes))


def parse_deal(game: BettingGame, text: str) -> Deal:
    """Read the hand of each player and the board; `ValueError` names what cannot be dealt.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> print(parse_deal(load_betting_game("leduc"), "Ks Q Jh"))
    Ks|Qh/Jh
    >>> parse_deal(load_betting_game("leduc"), "Ks")
    Traceback (most recent call last):
    ValueError: deal 'Ks': 1 hand; leduc has 2 players: name the hand of each, then the board
    """
    words = text.replace("|", " ").replace("/", " ").split()
    shown = f"deal {shorten(text)!r}"
    if len(words) < game.players:
        count = f"{len(words)} hand{'' if len(words) == 1 else 's'}"
        raise ValueError(
            f"{shown}: {count}; {game.name} has {game.players} players: name the hand of each,"
            " then the board"
        )
    if any(street.draw for street in game.streets):
        raise ValueError(f"{shown}: cards are exchanged in {game.name}, and no deal tells which")
    taken = {card for word in words if not _is_rank(game, word) for card in to_cards(word)}
    cards: list[tuple[int, ...]] = []
    for word in words:
        cards.append(
            _next_card(game, word, taken, shown) if _is_rank(game, word) else to_cards(word)
        )
        taken.update(cards[-1])
    holes, board = cards[: game.players], tuple(sum(cards[game.players :], ()))
    if isinstance(game, SpotGame):
        board = _whole_board(game, board, shown)
        _check_hands(game, holes, board)
    try:
        return game.make_deal(holes, board)
    except ValueError as error:
        raise ValueError(f"{shown}: {error}") from None


def _is_rank(game: BettingGame, word: str) -> bool:
    return len(word) == 1 and word.upper() in game.ranks


def _next_card(game: BettingGame, rank: str, taken: set[int], shown: str) -> tuple[int, ...]:
    """A card of a rank that stands alone: the first that the deal does not name elsewhere."""
    for card in game.deck:
        if format_cards([card])[0] == rank.upper() and card not in taken:
            return (card,)
    raise ValueError(f"{shown}: there is no further {rank.upper()} in {game.name}")


def _whole_board(game: SpotGame, board: tuple[int, ...], shown: str) -> tuple[int, ...]:
    known = game.spot.board
    if board[: len(known)] == known or set(board[: len(known)]) == set(known):
        return known + board[len(known) :]
    twice = [card for card in board if card in known]
    if twice:
        raise ValueError(
            f"{shown}: {format_cards(twice[:1])} lies on the board {format_cards(known)} already:"
            " name all of the board, or the cards after it"
        )
    return known + board


def _check_hands(game: SpotGame, holes: Sequence[tuple[int, ...]], board: tuple[int, ...]) -> None:
    for seat, (name, hole) in enumerate(zip(PLAYERS, holes, strict=True)):
        text = format_cards(hole)
        if len(hole) != 2:
            raise ValueError(f"hand {text} of {name}: a hand has two cards, for example KhJh")
        blocked = [card for card in hole if card in board]
        if blocked:
            raise ValueError(
                f"hand {text} of {name}: {format_cards(blocked[:1])} lies on the board"
                f" {format_cards(board)}"
            )
        if game.spot.ranges[seat].weights[combo_index(*hole)] <= 0:
            raise ValueError(f"hand {text} is not in the range of {name}")


def _start(look_up: StrategyLookUp, deal: Deal, line: str) -> DealtState:
    """The state after a line, whose cards must be those of the deal."""
    if not isinstance(look_up, SpotLookUp):
        return look_up.game.replay(line.strip(), deal)
    spot = look_up.solution.spot
    place = spot.find(line)
    come = deal.board[len(spot.board) :]
    for number, card in enumerate(place.cards):
        if card >= 0 and come[number : number + 1] != (card,):
            dealt = format_cards(come) or "no card"
            raise ValueError(
                f"line {shorten(line)!r}: {format_cards([card])} comes there, but {dealt} is dealt"
                f" after {format_cards(spot.board)}"
            )
    labels = spot.tree.line(place.level, place.node).split("/")
    if place.kind != EdgeKind.NODE:
        labels.append(spot.tree.streets[place.level].label(place.edge))
    state = look_up.game.start(deal)
    for label in filter(None, labels):
        state = _after(look_up, state, label)
    return state


def _after(look_up: StrategyLookUp, state: DealtState, label: str) -> DealtState:
    place = look_up.labels(state.node).index(label)
    return state.apply(look_up.actions(state.node)[place])


class _Walk:
    """All nodes below a state, in preorder."""

    def __init__(
        self, look_up: StrategyLookUp, start: DealtState, least: float, limit: int
    ) -> None:
        self._look_up = look_up
        self._least, self._limit = least, limit
        self._streets = len(look_up.game.streets)
        if isinstance(look_up, SpotLookUp):  # later streets would be solved again, line by line
            solution = look_up.solution
            come = start.deal.board[len(solution.spot.board) :]
            self._streets = max(solution.streets_kept(come), start.street + 1)
        self.nodes: list[DealNode] = []

    def visit(self, state: DealtState, node: DealNode) -> None:
        """Add a node, of which only the way to it is known, and what lies below."""
        game = self._look_up.game
        player, outcome, won = state.player, "", None
        probabilities: Mapping[str, float] = {}
        if player == TERMINAL:
            outcome = "showdown" if len(state.node.live) > 1 else "fold"
            if outcome == "fold" or len(state.deal.board) == game.board_cards[-1]:
                won = game.taken(state) if isinstance(game, SpotGame) else state.payoffs()
        elif len(state.deal.board) < game.board_cards[state.street]:
            outcome = "card"
        elif state.street >= self._streets:
            outcome = "left out"
        else:
            found = self._look_up.probabilities(state.node, state.view(player))
            outcome = "" if found else "untrained"
            total = sum(found.values()) if found else 1.0  # files are exact to 2⁻¹¹
            probabilities = {action: share / total for action, share in (found or {}).items()}
        kept = {
            action: share
            for action, share in probabilities.items()
            if share >= self._least and share > 0
        }
        labels = dict(
            zip(
                probabilities,
                self._look_up.labels(state.node) if probabilities else (),
                strict=True,
            )
        )
        self.nodes.append(
            node._replace(
                player=TERMINAL if outcome else player,
                pot=state.pot / game.unit,
                outcome=outcome,
                won=won,
                actions=tuple(labels.values()),
                left_out=tuple(
                    LeftOut(labels[action], share)
                    for action, share in probabilities.items()
                    if action not in kept
                ),
            )
        )
        if len(self.nodes) > self._limit:
            raise LargeDealTreeError(
                f"more than {self._limit:,} nodes are played with these hands: begin at a later"
                " line, or leave out more actions"
            )
        place = len(self.nodes) - 1
        for action, share in kept.items():
            after = state.apply(action)
            self.visit(after, self._reached(state, node, place, labels[action], share, after))

    def _reached(
        self,
        state: DealtState,
        node: DealNode,
        place: int,
        label: str,
        share: float,
        after: DealtState,
    ) -> DealNode:
        boards = self._look_up.game.board_cards
        cards = state.deal.board[boards[state.street] : boards[after.street]]
        if after.player == TERMINAL and len(after.node.live) > 1:  # all that is left comes
            cards = state.deal.board[boards[state.street] :]
        line = after.node.text
        if isinstance(self._look_up, SpotLookUp):
            line = "/".join([*filter(None, [node.line]), label])
            if after.player != TERMINAL and cards:
                line += f"/{format_cards(cards)}"
        return DealNode(
            place,
            node.depth + 1,
            line,
            state.player,
            label,
            share,
            cards,
            node.reach * share,
            TERMINAL,
            0.0,
            "",
            None,
            (),
            (),
        )


def _first(look_up: StrategyLookUp, state: DealtState) -> DealNode:
    line = state.node.text
    if isinstance(look_up, SpotLookUp):
        line = look_up.line(state.node, state.board)
    return DealNode(-1, 0, line, -1, "", 1.0, (), 1.0, TERMINAL, 0.0, "", None, (), ())
