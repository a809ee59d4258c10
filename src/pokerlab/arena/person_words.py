"""A table in words: the view of a person, the legal actions, and the answers.

Sizes are written as players write them: what the seat will have put in on this street. The rules
count over the whole hand; `street_base` is the difference. They also may count in parts of a chip
(`BettingGame.unit`); a person never sees these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.hand_names import hand_name
from pokerlab.games import Betting, BettingGame, DealtState
from pokerlab.games.rules import GameRules
from pokerlab.strategies.spot_game import SpotGame

_SIZE = re.compile(r"(?:r|b|raise|bet|to)?\s*(\d[\d,]*(?:\.\d+)?)\s*(%|p|pot|bb)?")
_STREETS = ("pre-flop", "flop", "turn", "river")


def chips_text(node: Betting, amount: float) -> str:
    """An amount of the rules in chips."""
    return f"{amount / node.game.unit:,.12g}"


def describe_hand(game: BettingGame, hole: Sequence[int], board: Sequence[int]) -> str:
    """The made hand at showdown, as players say it; empty if suits have no names.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> describe_hand(load_game("draw"), parse_cards("AsAdKhKc2s"), ())
    'two pair, aces and kings, 2 kicker'
    """
    cards = (*hole, *board)
    if game.showdown != "five-card" or len(cards) < 5:
        return ""
    return hand_name(evaluate_cards(cards))


def street_base(node: Betting) -> int:
    """The chips of each player when the street began: sizes of the street count from there.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> street_base(load_game("holdem.nolimit.2p").replay("r300c/r600").node)
    300
    """
    last = node.game.ante
    for above, action in node.path():
        if above.street == node.street:
            break
        last = above.after(action).price
    return last


def read_action(view: DealtState, answer: str) -> str:
    """The action that an answer names; `ValueError` says what is wrong with it.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> view = load_game("holdem.nolimit.2p").replay("r300c/r600")
    >>> [read_action(view, answer) for answer in ("fold", "C", "900", "r 1,000", "pot", "a")]
    ['f', 'c', 'r1200', 'r1300', 'r1800', 'r20000']
    >>> read_action(view, "50%"), read_action(view, "10bb")
    ('r1200', 'r1300')
    >>> read_action(view, "400")
    Traceback (most recent call last):
    ValueError: 400 is too small: raise to 600 at least, or 19,700 all-in
    >>> read_action(view, "dunno")
    Traceback (most recent call last):
    ValueError: 'dunno'? f folds, c calls 300, a number or 50% raises (600 to 19,700), a is all-in,
    q leaves, ? helps
    """
    text = " ".join(answer.lower().split())
    if view.node.drawing:
        return _read_discards(view, answer)
    if text in ("f", "fold"):
        if view.to_call == 0:
            raise ValueError("there is nothing to pay: check with c")
        return "f"
    if text in ("c", "call", "check", "x", "k"):
        return "c"
    bounds = view.raise_bounds()
    wants_raise = text in ("r", "b", "raise", "bet", "a", "all-in", "allin", "pot", "p")
    size = _SIZE.fullmatch(text)
    if bounds is None and (wants_raise or size):
        raise ValueError(
            "no raise is possible here: f folds, c calls"
            if view.to_call
            else "no bet is possible here: c checks"
        )
    if view.game.betting == "limit" and bounds is not None and (wants_raise or size):
        return "r"
    if bounds is not None and text in ("a", "all-in", "allin"):
        return f"r{bounds[1]}"
    if bounds is not None and text in ("p", "pot"):
        return _share_of_pot(view, 1.0, bounds)
    if bounds is not None and wants_raise:
        base = street_base(view.node)
        lowest, highest = (chips_text(view.node, bound - base) for bound in bounds)
        raise ValueError(f"{text} to what? name a size from {lowest} to {highest}, or 50%, pot, a")
    if bounds is None or size is None:
        raise ValueError(f"{_shown(answer)}? {choices_sentence(view)}, q leaves, ? helps")
    number = float(size[1].replace(",", ""))
    if size[2] == "bb":
        return _raise_to(view, number * _big_blind(view.game), bounds)
    if size[2]:
        return _share_of_pot(view, number / 100 if size[2] == "%" else number, bounds)
    return _raise_to(view, number, bounds)


def _shown(answer: str) -> str:
    return repr(answer if len(answer) <= 20 else answer[:17] + "...")


def _big_blind(game: GameRules) -> float:
    """The chips of a big blind; `ValueError` in games that have none."""
    if not any(game.blinds) and not (isinstance(game, SpotGame) and game.spot.has_big_blind):
        raise ValueError(f"{game.name} has no big blind: name a number of chips, or 50%, pot, a")
    return 1000 / game.mbb


def _share_of_pot(view: DealtState, share: float, bounds: tuple[int, int]) -> str:
    """A raise by a share of the pot, as near to it as is legal."""
    node = view.node
    wanted = node.price + round(min(share, 1e6) * (view.pot + view.to_call))
    return f"r{min(max(wanted, bounds[0]), bounds[1])}"


def _raise_to(view: DealtState, size: float, bounds: tuple[int, int]) -> str:
    node = view.node
    base = street_base(node)
    lowest, highest = (chips_text(node, bound - base) for bound in bounds)
    what = "raise to" if node.price > base else "bet"
    total = round(size * view.game.unit) + base
    if abs(total - base - size * view.game.unit) > 1e-6:
        raise ValueError(f"{size:g} is not a whole number of chips")
    if total < bounds[0]:
        raise ValueError(
            f"{size:,.12g} is too small: {what} {lowest} at least, or {highest} all-in"
        )
    if total > bounds[1]:
        raise ValueError(f"{size:,.12g} is too much: {what} {highest} at most (a: all-in)")
    return f"r{total}"


def _read_discards(view: DealtState, answer: str) -> str:
    hole = view.holes[view.player]
    most = view.game.streets[view.street].draw
    words = answer.lower().removeprefix("d").replace(",", " ").split()
    if words in (["0"], ["k"], ["keep"]) or answer.strip().lower() == "d":
        return "d"
    by_place = {str(place): card for place, card in enumerate(hole, 1)}
    if words and all(word in by_place for word in words):
        thrown = {by_place[word] for word in words}
    else:
        try:
            thrown = set(parse_cards(answer.lower().removeprefix("d")))
        except ValueError:
            thrown = set()
    if not thrown or not thrown <= set(hole) or len(thrown) > most:
        raise ValueError(
            f"{_shown(answer)}? name up to {most} of your cards by place (1 to {len(hole)}) or as"
            f" {format_cards(hole[:1])}; 0 keeps all, q leaves"
        )
    return "d" + format_cards(sorted(thrown))


def choices_sentence(view: DealtState, known: Sequence[str] | None = None) -> str:
    """The answers that are possible here.

    Parameters
    ----------
    view
        What the person sees.
    known
        The actions that a solution knows here, if one is played.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> choices_sentence(load_game("holdem.limit.2p").replay("r"))
    'f folds, c calls 10, r raises to 30'
    >>> choices_sentence(load_game("holdem.nolimit.2p").replay("cc/"), ["c", "r150", "r300"])
    'c checks, a number or 50% bets (100 to 19,900; the solution knows 50, 200), a is all-in'
    """
    if view.node.drawing:
        return "which cards to exchange, by place from 1, as 1 3; 0 keeps all"
    node = view.node
    price = chips_text(node, node.to_call)
    parts = ["f folds", f"c calls {price}"] if node.to_call else ["c checks"]
    bounds = view.raise_bounds()
    if bounds is not None:
        base = street_base(node)
        lowest, highest = (chips_text(node, bound - base) for bound in bounds)
        what = "raises" if node.price > base else "bets"
        if view.game.betting == "limit":
            parts.append(f"r {what} to {lowest}" if what == "raises" else f"r bets {lowest}")
        elif lowest == highest:
            parts.append(f"a is all-in ({highest})")
        else:
            sizes = f"{lowest} to {highest}{_known_sizes(node, known)}"
            parts += [f"a number or 50% {what} ({sizes})", "a is all-in"]
    return ", ".join(parts)


def _known_sizes(node: Betting, known: Sequence[str] | None) -> str:
    """The sizes of a solution as the end of a list; empty where none is played."""
    if known is None:
        return ""
    base = street_base(node)
    sizes = [chips_text(node, int(action[1:]) - base) for action in known if action[0] == "r"]
    return f"; the solution knows {', '.join(sizes) if sizes else 'none here'}"


def answer_keys(view: DealtState) -> list[str]:
    """The kinds of answers that are possible, for a help text: ``size`` is any number."""
    if view.node.drawing:
        return ["d", "q"]
    keys = ["f"] if view.to_call else []
    keys.append("c")
    if view.raise_bounds() is not None:
        keys.append("r" if view.game.betting == "limit" else "size")
    return [*keys, "q"]


def action_sentence(node: Betting, action: str, *, second_person: bool) -> str:
    """The action of a player, as the rest of a sentence after the name."""
    ending = "" if second_person else "s"
    if action == "f":
        return f"fold{ending}"
    if action[0] == "(":
        count = int(action[1:-1])
        if count == 0:
            return f"stand{ending} pat"
        return f"exchange{ending} {count} card{'' if count == 1 else 's'}"
    all_in = " all-in" if _is_all_in(node, action) else ""
    if action == "c":
        price = chips_text(node, node.to_call)
        return f"call{ending} {price}{all_in}" if node.to_call else f"check{ending}"
    base = street_base(node)
    bounds = node.raise_bounds()
    total = int(action[1:]) if action[1:] else bounds[0] if bounds else node.price
    what = f"raise{ending} to" if node.price > base else f"bet{ending}"
    return f"{what} {chips_text(node, total - base)}{all_in}"


def _is_all_in(node: Betting, action: str) -> bool:
    seat = node.player
    total = node.spent[seat] + node.to_call
    if action[0] == "r":
        bounds = node.raise_bounds()
        total = int(action[1:]) if action[1:] else bounds[0] if bounds else total
    return total >= node.game.chips[seat]


def street_name(game: GameRules, street: int) -> str:
    """Flop, turn and river have names; cards of other games lie on the board."""
    if game.board_cards[-1] == 5 and len(game.streets) <= 4:
        return _STREETS[max(0, game.board_cards[street] - 2)]
    return "board"
