"""One hand of a drill: you in one seat, the solution in the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, combo_index, format_cards, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.hand_names import hand_name
from pokerlab.drills.dealing import DrillDeal, draw_action, take_edge
from pokerlab.drills.judging import Judgement, judge
from pokerlab.drills.words import action_words
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.games.betting_trees.betting_tree import BettingTree, Place
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.holdem.spots import NodeView, Spot
from pokerlab.holdem.spots.play.spot_rules import Settlement
from pokerlab.holdem.spots.question.outline import size_of
from pokerlab.players.strategies import SpotLookUp


@dataclass(frozen=True)
class Event:
    """Something that happened: an action, or cards that came.

    Attributes
    ----------
    who
        ``you``, ``solution``, or ``board``.
    text
        The action as a line names it, or the cards.
    words
        The same in words: ``bets 120``, ``turn``.
    pot
        The chips in the middle after it.
    before
        Whether equilibrium play did it: before the beginning of this hand, and in your place at
        decisions that are not asked.
    """

    who: str
    text: str
    words: str
    pot: float
    before: bool = False

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


@dataclass(frozen=True)
class DrillChoice:
    """An action that may be chosen.

    Attributes
    ----------
    action, words
        As a line names it, and in words.
    cost
        The chips that it puts in.
    percent
        Of a bet or raise, the chips beyond a call in percent of the pot after calling; else None.
    """

    action: str
    words: str
    cost: float
    percent: float | None


@dataclass(frozen=True)
class DrillDecision:
    """Your turn.

    Attributes
    ----------
    line, board
        What has happened, and the cards that lie there.
    pot, stacks, to_call
        The chips in the middle, those that each player (oop, ip) has left, and the price of a call.
    choices
        What may be done.
    """

    line: str
    board: tuple[int, ...]
    pot: float
    stacks: tuple[float, float]
    to_call: float
    choices: tuple[DrillChoice, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions as a line names them."""
        return tuple(choice.action for choice in self.choices)


@dataclass(frozen=True)
class HandResult:
    """How a hand ended.

    Attributes
    ----------
    line
        All that happened.
    board
        The cards that came to lie there.
    opponent
        The other hand.
    shown
        Whether there was a showdown.
    names
        What the hands are worth at the showdown (you, the other), in words; empty without one.
    won
        The chips you took, less those that you put in, from the beginning of this hand on; with
        prizes in chips that are worth the same, against giving up there. 0 if it was not played on.
    late
        Whether it ended because the time was over.
    """

    line: str
    board: str
    opponent: str
    shown: bool
    names: tuple[str, str]
    won: float
    late: bool = False

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


class DrillHand:
    """A hand that is played step by step: look at `decision`, `act`, until there is a `result`.

    `events` are all that happened, `judgements` your actions, and `judged_view` is the decision
    that was judged last, with every hand.

    Parameters
    ----------
    strategy
        The solution that the other player follows, with the hand that it was dealt.
    deal
        The cards, and where the hand begins.
    player
        Your seat: 0 is out of position.
    rng
        What the solution draws its actions from.
    asks
        Whether you decide, given the line and your hand. Where it says no, the solution plays your
        seat too. By default you always do.

    Examples
    --------
    >>> from pokerlab.games.betting_trees import Line
    >>> from pokerlab.holdem.spots import solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> strategy = SpotLookUp(solve_spot(spot, target="0.01%"))
    >>> sevens, aces = (combo_index(*parse_cards(hand)) for hand in ("7s7h", "AsAd"))
    >>> deal = DrillDeal(Line(), (sevens, aces), spot.board)
    >>> hand = DrillHand(strategy, deal, 1, np.random.default_rng(0))
    >>> [event.words for event in hand.events], hand.decision.actions
    (['river', 'is all-in'], ('f', 'c'))
    >>> hand.act("c").grade, hand.result.won
    ('best', -100.0)
    """

    def __init__(
        self,
        strategy: SpotLookUp,
        deal: DrillDeal,
        player: int,
        rng: np.random.Generator,
        asks: Callable[[DrillHand], bool] | None = None,
    ) -> None:
        self.strategy, self.deal, self.player = strategy, deal, player
        self.board = format_cards(strategy.solution.spot.board)
        self.events: list[Event] = []
        self.judgements: list[Judgement] = []
        self.result: HandResult | None = None
        self._rng, self._asks = rng, asks
        self._tokens: list[str] = []
        self._place = self._spot.find("")
        self._view: NodeView | None = None
        self.judged_view: NodeView | None = None
        self._show_first_board()
        for token in deal.line.tokens:
            if isinstance(token, int):
                self._deal_card(token, before=True)
            else:
                self._take(self._spot.find("/".join([*self._tokens, str(token)])).edge, before=True)
        put_in = _committed(self._spot.tree, self._place)
        self._committed = self._spot.tree.chips(put_in[player])
        self._go_on()

    @property
    def _spot(self) -> Spot:
        return self.strategy.solution.spot

    @property
    def prize_chips(self) -> float | None:
        """With prizes, all chips in play: what is won and lost are shares of the prizes."""
        prizes = self._spot.prizes
        return prizes.chips if prizes is not None and self._spot.pays_prizes else None

    @property
    def line(self) -> str:
        """All that has happened."""
        return "/".join(self._tokens)

    @property
    def combo(self) -> int:
        """Your hand."""
        return self.deal.combos[self.player]

    @property
    def hand(self) -> str:
        """Your cards."""
        return format_cards(COMBO_CARDS[self.combo])

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards that lie on the board."""
        return (*self._spot.board, *self._place.cards)

    @property
    def street(self) -> str:
        """The street that is played."""
        return STREETS[len(self.cards) - 3]

    @property
    def decision(self) -> DrillDecision | None:
        """Your current decision; None when the hand is over."""
        if self.result is not None:
            return None
        tree, place = self._spot.tree, self._place
        street, node = tree.streets[place.level], place.node
        committed = street.committed[node]
        own, other = int(committed[self.player]), int(committed[1 - self.player])
        first = int(street.root_matched[street.root[node]])
        choices = []
        for edge in street.edges_of(node):
            label = street.label(edge)
            cost = max(int(street.amount[edge]) - (own - first), 0)
            if label == "c":
                cost = other - own
            words = _choice_words(label, tree.chips(cost))
            percent = size_of(tree, place.level, edge)["percent"]
            choices.append(DrillChoice(label, words, tree.chips(cost), percent))
        return DrillDecision(
            line=self.line,
            board=self.cards,
            pot=tree.chips(int(street.pot[node])),
            stacks=self.stacks,
            to_call=tree.chips(other - own),
            choices=tuple(choices),
        )

    @property
    def pot(self) -> float:
        """The chips in the middle, an uncalled bet included."""
        tree, place = self._spot.tree, self._place
        street = tree.streets[place.level]
        if place.kind == EdgeKind.NODE:
            return tree.chips(int(street.pot[place.node]))
        return tree.chips(int(street.end_pot[place.edge]))

    @property
    def stacks(self) -> tuple[float, float]:
        """The chips that each player (oop, ip) has left."""
        tree, place = self._spot.tree, self._place
        oop, ip = _committed(tree, place)
        return tree.chips(tree.stack - oop), tree.chips(tree.stack - ip)

    @property
    def bets(self) -> tuple[float, float]:
        """The chips that each player (oop, ip) has put in on this street."""
        tree, place = self._spot.tree, self._place
        street = tree.streets[place.level]
        if place.kind != EdgeKind.NODE:
            return 0, 0
        first = int(street.root_matched[street.root[place.node]])
        oop, ip = street.committed[place.node].tolist()
        return tree.chips(oop - first), tree.chips(ip - first)

    @property
    def view(self) -> NodeView:
        """The decision with every hand's strategy and EV; it is computed when first asked for."""
        if self.result is not None:
            raise ValueError("the hand is over")
        if self._view is None:
            self._view = self.strategy.solution.at(self.line)
        return self._view

    def act(self, action: str) -> Judgement:
        """Take an action of the tree, be judged, and let the hand go on to the next decision."""
        judged = self._judge(action)
        street = self._spot.tree.streets[self._place.level]
        self._take(int(street.first_edge[self._place.node]) + judged.actions.index(action))
        self._go_on()
        return judged

    def run_out_of_time(self) -> Judgement:
        """Do nothing in time: the hand ends here, and shows what each action was worth."""
        judged = self._judge(None)
        line, board = self.line, format_cards(self.cards)
        other = format_cards(COMBO_CARDS[self.deal.combos[1 - self.player]])
        self.result = HandResult(line, board, other, shown=False, names=("", ""), won=0, late=True)
        return judged

    def _judge(self, action: str | None) -> Judgement:
        solution, spot = self.strategy.solution, self._spot
        judged = judge(
            self.view,
            self.combo,
            action,
            board=self.board,
            big_blind=spot.big_blind if spot.has_big_blind else None,
            percent=solution.exploitability.percent,
            prize_chips=self.prize_chips,
        )
        self.judgements.append(judged)
        self.judged_view = self.view
        return judged

    def _go_on(self) -> None:
        """Deal and let the solution act until you have a choice, or the hand is over."""
        self._view = None
        tree = self._spot.tree
        while True:
            place = self._place
            if place.kind == EdgeKind.NEXT_STREET:
                self._deal_card(self.deal.board[len(self.cards)])
            elif place.kind != EdgeKind.NODE:
                self._finish()
                return
            else:
                street = tree.streets[place.level]
                player = int(street.player[place.node])
                own = player == self.player
                if own:
                    edges = street.edges_of(place.node)
                    if len(edges) == 1:
                        self._take(edges[0])
                        continue
                    if self._asks is None or self._asks(self):
                        return
                combo = self.deal.combos[player]
                row = self.strategy.row(place.level, place.node, place.cards, combo)
                if row is None and own:
                    return
                if row is None:
                    raise ValueError(f"line {self.line!r}: the solution has no strategy here")
                edge = int(street.first_edge[place.node]) + draw_action(row, self._rng)
                self._take(edge, before=own)
                self._view = None

    def _take(self, edge: int, *, before: bool = False) -> None:
        street = self._spot.tree.streets[self._place.level]
        who = "you" if street.player[self._place.node] == self.player else "solution"
        label = street.label(edge)
        self._tokens.append(label)
        self._place = take_edge(self._spot.tree, self._place, edge)
        words = action_words(label, who)
        self.events.append(Event(who, label, words, self.pot, before))

    def _show_first_board(self) -> None:
        cards = format_cards(self._spot.board)
        self.events.append(Event("board", cards, self.street, self._spot.pot, before=True))

    def _deal_card(self, card: int, *, before: bool = False) -> None:
        self._place = self._spot.tree.deal(self._place, card)
        text = format_cards([card])
        self._tokens.append(text)
        self.events.append(Event("board", text, self.street, self.pot, before))

    def _finish(self) -> None:
        shown = self._place.kind != EdgeKind.FOLD
        board = self.deal.board if shown else self.cards
        if len(board) > len(self.cards):
            rest = format_cards(board[len(self.cards) :])
            self.events.append(Event("board", rest, "run-out", self.pot))
        lead, names = 0, ("", "")
        if shown:
            ranks = [
                evaluate_cards([*COMBO_CARDS[combo].tolist(), *board]) for combo in self.deal.combos
            ]
            lead = (ranks[0] < ranks[1]) - (ranks[0] > ranks[1])
            own, other = ranks[self.player], ranks[1 - self.player]
            names = hand_name(own), hand_name(other)
        won = Settlement(self._spot).at(self._place.level, self._place.edge)[1 + lead, self.player]
        self.result = HandResult(
            line=self.line,
            board=format_cards(board),
            opponent=format_cards(COMBO_CARDS[self.deal.combos[1 - self.player]]),
            shown=shown,
            names=names,
            won=float(won) + self._spot.given_up(self.player, self._committed),
        )


def seat_number(seat: str) -> int:
    """The number of a seat by its name.

    Examples
    --------
    >>> seat_number("ip")
    1
    >>> seat_number("button")
    Traceback (most recent call last):
    ValueError: seat: 'button' must be one of oop, ip
    """
    if seat not in PLAYERS:
        raise ValueError(f"seat: {seat!r} must be one of {', '.join(PLAYERS)}")
    return PLAYERS.index(seat)


def combo_of(hand: str) -> int:
    """The combo of two cards."""
    return combo_index(*parse_cards(hand))


def _committed(tree: BettingTree, place: Place) -> tuple[int, int]:
    """The chips that each player (oop, ip) has put in, in the smallest chips."""
    street = tree.streets[place.level]
    if place.kind == EdgeKind.NODE:
        oop, ip = street.committed[place.node].tolist()
        return oop, ip
    both = int(street.matched[place.edge])
    return both, both


def _choice_words(label: str, cost: float) -> str:
    words = action_words(label)
    return f"{words} {cost:,}" if label in ("c", "a") else words
