"""`Subgame`: the part of a game that follows what everybody has seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pokerlab.games.protocol import TERMINAL
from pokerlab.trees.game_tree import GameTree


@dataclass(frozen=True)
class Subgame:
    """All nodes of a game from some public state on.

    Nobody who is in the subgame can take it for another part of the game, so each subgame can be
    solved on its own once the play before it is given.

    Attributes
    ----------
    public
        What everybody has seen when it begins.
    roots
        The nodes at which it begins, one for each deal of private cards.
    seen
        For each player, what they have seen at each of `roots`: roots with the same text are one
        to them.
    """

    public: str
    roots: tuple[int, ...]
    seen: tuple[tuple[str, ...], ...]


def subgames_from(tree: GameTree, street: int) -> tuple[Subgame, ...]:
    """The subgames that begin with a street, counted from 1.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> found = subgames_from(GameTree.build(load_game("leduc")), 2)
    >>> len(found), found[0].public, len(found[0].roots)
    (30, ':cc/Qh', 20)
    """
    if street < 2:
        raise ValueError(f"subgames begin with a street from 2 on, not {street}")
    deals = {number for number, text in enumerate(tree.labels) if text.startswith("d{")}
    labels, parents = tree.label.tolist(), tree.parent.tolist()
    reached, roots = [1] * len(tree), []
    for node in range(1, len(tree)):
        before = parents[node]
        dealt = labels[node] in deals
        # Several public cards in a row are one deal.
        reached[node] = reached[before] + (dealt and labels[before] not in deals)
        over = tree.player[node] == TERMINAL
        if dealt and reached[node] == street and not over and labels[node + 1] not in deals:
            roots.append(node)
    if not roots:
        streets = max(reached)
        raise ValueError(f"no street {street} in {tree.game.name}, which has {streets}")
    return subgames_at(tree, roots)


def subgames_at(tree: GameTree, roots: Iterable[int]) -> tuple[Subgame, ...]:
    """Subgames that begin at some nodes: those with the same public state are one subgame.

    `ValueError` where the nodes cannot be told apart from others: what lies below the roots must
    hold whole information sets.
    """
    wanted = set(roots)
    found: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    for node, state in tree.states():
        if node in wanted:
            seen = tuple(state.seen_by(seat) for seat in range(tree.players))
            found.setdefault(state.public(), []).append((node, seen))
    subgames = tuple(
        Subgame(
            public,
            tuple(node for node, _ in members),
            tuple(zip(*(seen for _, seen in members), strict=True)),
        )
        for public, members in found.items()
    )
    _check(tree, subgames)
    return subgames


def _check(tree: GameTree, subgames: Iterable[Subgame]) -> None:
    """Every information set lies in one subgame or in none."""
    home = [-1] * len(tree)
    for number, subgame in enumerate(subgames):
        for root in subgame.roots:
            end = int(tree.end[root])
            home[root:end] = [number] * (end - root)
    where: dict[int, int] = {}
    for node, infoset in enumerate(tree.infoset.tolist()):
        if infoset >= 0 and where.setdefault(infoset, home[node]) != home[node]:
            name = tree.infosets.describe(infoset)
            raise ValueError(f"{tree.game.name}: {name} lies in one subgame and outside of it")
