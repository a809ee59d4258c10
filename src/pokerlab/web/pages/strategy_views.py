"""The page of a trained limit strategy: a decision, by hand or by group, and lines of one deal."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.arena.person_words import street_name
from pokerlab.cards.codes import format_cards, to_cards
from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.players.strategies import LimitStrategy, LimitView, view_limit
from pokerlab.players.strategies.limit_payload import (
    action_word,
    class_shares,
    hand_rows,
    has_classes,
    limit_payload,
    outcome_words,
    shown_by_hand,
)
from pokerlab.views.pictures.tables import percent_text
from pokerlab.views.texts import number_text

_DEALS = 20_000
"""Random deals that show the groups of a street, where no board is named."""


def strategy_data(strategy: LimitStrategy) -> dict[str, Any]:
    """What the strategy is for, and how it was trained."""
    game = strategy.game.game
    mbb = number_text(strategy.exploitability * game.mbb)
    return {
        "game": game.name,
        "players": game.players,
        "hole_cards": game.hole_cards[-1],
        "board_cards": list(game.board_cards),
        "groups": strategy.game.name,
        "trained": f"{strategy.iterations:,} iterations of {strategy.rule}, {strategy.method}",
        "reached": f"{mbb} mbb" if strategy.exact else f"at least {mbb} mbb",
    }


def strategy_node(strategy: LimitStrategy, line: str, board: str) -> dict[str, Any]:
    """A decision as ``pokerlab show --json`` has it, with its words and its cells.

    Examples
    --------
    >>> from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
    >>> from pokerlab.holdem.limit.training.training import train
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> node = strategy_node(LimitStrategy.of(train(kuhn, iterations=5, threads=1)), "r", "")
    >>> [option["word"] for option in node["options"]], [step["word"] for step in node["path"]]
    (['fold', 'call'], ['bet'])
    """
    view = view_limit(strategy, line, board or None, deals=_DEALS)
    rows = hand_rows(view) if shown_by_hand(view) else []
    data = limit_payload(strategy, view, rows, view.group_rows() if not rows else [])
    shares = dict(zip(view.actions, view.frequencies, strict=True))
    options = [
        {
            "action": action,
            "word": action_word(view, action),
            "share": shares[action],
            "text": percent_text(shares[action]),
            "after": outcome_words(view, action),
            "line": following["line"] if view.node.after(action).player >= 0 else None,
        }
        for action, following in zip(view.actions, data["next"], strict=True)
    ]
    street = street_name(view.node.game, view.node.street)
    needed = view.node.game.board_cards[view.node.street]
    return data | {
        "hands": rows,
        "options": options,
        "path": _path(view),
        "where": "before the flop" if street == "pre-flop" else f"on the {street}",
        "board_needed": needed,
        "arrives": percent_text(view.arriving) if view.weights.any() else None,
        "cells": _cells(view) if has_classes(view) else None,
        "dealt": view.dealt,
    }


def _path(view: LimitView) -> list[dict[str, Any]]:
    """The decisions before this one, each with the action that was taken."""
    steps = []
    for node, action in view.node.path():
        word = "fold" if action == "f" else "call" if node.to_call else "check"
        if action == "r":
            word = "raise" if node.to_call else "bet"
        steps.append({"line": node.text, "player": node.player, "action": action, "word": word})
    return steps


def _cells(view: LimitView) -> list[dict[str, Any]]:
    """The 169 classes: how likely each arrives, and what it does."""
    shares, arriving = class_shares(view)
    words = [action_word(view, action) for action in view.actions]
    cells = []
    for place, name in enumerate(CLASS_NAMES):
        parts = shares[:, place].tolist()
        plays = ", ".join(
            f"{word} {percent_text(part)}" for word, part in zip(words, parts, strict=True)
        )
        cells.append(
            {"weight": float(arriving[place]), "parts": parts, "title": f"{name}: {plays}"}
        )
    return cells


def deal_for(strategy: LimitStrategy, board: str, seed: int) -> str:
    """A deal at random; with a board, the cards that come begin with it.

    `ValueError` for a board that cannot come.
    """
    game = strategy.game.game
    known = to_cards(board)
    strange = [card for card in known if card not in game.deck]
    if strange:
        raise ValueError(f"{format_cards(strange[:1])} is not in the deck of {game.name}")
    if len(known) > game.board_cards[-1]:
        raise ValueError(f"{len(known)} cards; {game.name} has {game.board_cards[-1]} on the board")
    rng = np.random.default_rng(seed)
    left = [card for card in game.deck if card not in known]
    cards = rng.permutation(left).tolist()
    hole = game.hole_cards[-1]
    hands = [cards[hole * seat : hole * (seat + 1)] for seat in range(game.players)]
    rest = cards[hole * game.players :]
    come = [*known, *rest][: game.board_cards[-1]]
    return " ".join([*map(format_cards, hands), *(format_cards([card]) for card in come)])
