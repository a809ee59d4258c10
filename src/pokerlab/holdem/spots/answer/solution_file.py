"""The file of a solution: its schema, checked before anything uses it.

It is one safetensors file: the strategies in half precision, board by board as the engine stores
them (see `pokerlab.engine.tables.layout`), and in its header the spot as TOML, the rule, the
values, the exploitability and two hashes. Large strategies stay in the file and are read where they
are needed (`pokerlab.runtime.files.stored_tensor`): a file of any size opens at once. Files that a
solve writes also hold the values of the first street's decisions, hand by hand, as a walk over the
whole tree gives them; without these they are computed when asked. Those of the second street
(`kept_values`) are there if they were to be kept; a gadget stands in the header.

Always checked: the names, types and shapes of all tensors against the spot, the types of all
metadata, and a hash of everything but the strategies, so that nobody sees a changed
exploitability. All numbers and the hash of the whole file, which takes a second or two for each
gigabyte, are checked when a file is opened for the first time or has changed since (see
`pokerlab.runtime.files.checked_once`), and for those who ask (`check`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import pokerlab
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.locks import parse_locks
from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.spots.answer.kept_values import kept_of, kept_schema
from pokerlab.holdem.spots.answer.margins import Margin
from pokerlab.holdem.spots.prepared import deal_spot
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.errors import damage_named, one_line
from pokerlab.runtime.files.checked_once import check_once
from pokerlab.runtime.files.hashes import check_hash, content_hash
from pokerlab.runtime.files.reader import Expected, Metadata, Schema, check_tensors, open_checked
from pokerlab.runtime.files.stored_tensor import Tensor
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.files.tensor_map import open_tensors
from pokerlab.solvers.history import HISTORY, read_history

POSTFLOP_FORMAT = "pokerlab postflop solution 3"

_SUMMARY = "summary_hash"
_MAX_RULE = 200


def write_solution(
    path: str | Path, tensors: Mapping[str, AnyArray], entries: Mapping[str, Any]
) -> None:
    """Write tensors and metadata, as texts or as JSON."""
    metadata = {
        "format": POSTFLOP_FORMAT,
        "version": pokerlab.__version__,
        **{
            name: entry if isinstance(entry, str) else json.dumps(entry)
            for name, entry in entries.items()
        },
    }
    write_hashed(path, tensors, {**metadata, _SUMMARY: _summary(tensors, metadata)})
    check_once(path, lambda: None, always=True)  # what was just written needs no check


def _summary(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> str:
    """A hash of everything but the strategies and what replaces them."""
    small = {name: array for name, array in tensors.items() if name.startswith("history")}
    shapes = {
        f"tensor {name}": f"{array.dtype.str} {array.shape}" for name, array in tensors.items()
    }
    plain = {name: text for name, text in metadata.items() if name not in (_SUMMARY, "hash")}
    return content_hash(small, plain | shapes)


def read_solution(path: str | Path, *, check: bool = False) -> dict[str, Any]:
    """Read the fields of a `PostflopSolution`, and its boards and layout."""
    header = _Header()
    tensors, metadata = open_checked(path, POSTFLOP_FORMAT, header.schema)

    def check_all() -> None:
        check_tensors(tensors, header.tensors)
        check_hash(tensors, metadata.entries)

    with damage_named(path):
        if _summary(tensors, metadata.entries) != metadata.text(_SUMMARY):
            raise ValueError("its metadata do not fit their hash")
        check_once(path, check_all, always=check)
        others = {
            name: np.asarray(tensor)
            for name, tensor in tensors.items()
            if not name.startswith(("strategy.", "next_"))
        }
        check_tensors({name: array for name, array in others.items() if name in HISTORY}, HISTORY)
        groups = header.read_groups(others)
        layout = StrategyLayout.of(header.fields["spot"].tree, header.boards, groups)
        return {
            **header.fields,
            "groups": groups,
            "known": (header.boards, layout),
            "strategies": tuple(
                (tensors[f"strategy.{level}.0"], tensors[f"strategy.{level}.1"])
                for level in range(header.streets)
            ),
            "values_below": tuple(
                others[name] for name in value_names(header.fields["spot"], header.streets)
            ),
            "first_values": header.read_first_values(others),
            "history": read_history(others),
            "kept_values": kept_of(header.fields["spot"], tensors),
        }


def check_solution(path: str | Path) -> None:
    """`ValueError` if a file is not as it was written: all of it is read, and compared once.

    Much faster than reading it, for a folder of many: nothing is made of it.
    """
    tensors, metadata = open_tensors(path, POSTFLOP_FORMAT)
    with damage_named(path):
        check_once(path, lambda: check_hash(tensors, metadata))


class _Header:
    """Reads the metadata, and from them what tensors there must be."""

    fields: dict[str, Any]
    boards: Boards
    groups: str | None
    streets: int
    tensors: Schema

    def schema(self, metadata: Metadata) -> Schema:
        """The expected tensors of the file; `ValueError` for bad metadata."""
        spot = Spot.from_toml(metadata.text("spot"), "spot")
        isomorphism = metadata.flag("isomorphism")
        levels = len(spot.tree.streets)
        self.streets = metadata.count("streets")
        if not 1 <= self.streets <= levels:
            raise ValueError(f"it has strategies of {self.streets} of {levels} streets")
        gadget, margin = _gadget(metadata, spot)
        self.boards = deal_spot(spot, isomorphism=isomorphism, gadget=gadget)
        self.groups = _groups(metadata)
        first, second = metadata.numbers("values", 2)
        best = metadata.numbers("best_values", 2)
        equities = metadata.numbers("equities", 2, 0.0, 1.0)
        self.fields = {
            "spot": spot,
            "isomorphism": isomorphism,
            "values": (first, second),
            "best_values": (best[0], best[1]),
            "equities": (equities[0], equities[1]),
            "rule": _rule(metadata),
            "iterations": metadata.count("iterations"),
            "seconds": metadata.number("seconds", 0.0),
            "stopped": one_line(metadata.text("stopped"), 40),
            "locks": _locks(metadata, spot),
            "best_by_group": _best_by_group(metadata, grouped=self.groups is not None),
            "gadget": gadget,
            "margin": margin,
        }
        self.tensors = self._tensors()
        return self.tensors

    def read_groups(self, tensors: Mapping[str, AnyArray]) -> BoardGroups | None:
        """The groups of hands; `ValueError` if they are not those of the boards."""
        if self.groups is None:
            return None
        columns = [
            (tensors[f"groups.{level}.0"], tensors[f"groups.{level}.1"])
            for level in range(len(self.boards.tables))
        ]
        return BoardGroups.of_columns(self.groups, self.boards, columns)

    def read_first_values(self, tensors: Mapping[str, AnyArray]) -> tuple[BoardValues, ...]:
        """The values of the first street, if they were kept."""
        names = [name for name in tensors if name.startswith("first_")]
        if not names:
            return ()
        if len(names) < 4:
            raise ValueError(f"of the values of the first street it has {', '.join(names)} alone")
        first, second = (
            BoardValues(tensors[f"first_nodes.{player}"], tensors[f"first_actions.{player}"])
            for player in range(2)
        )
        return first, second

    def _tensors(self) -> Schema:
        spot, boards = self.fields["spot"], self.boards
        layout = StrategyLayout.of(spot.tree, boards)
        schema: dict[str, Expected] = dict(HISTORY)
        for level in range(self.streets):
            for player in range(2):
                # With groups, the size follows from them: it is checked when they are known.
                size = layout.at(level, player).size if self.groups is None else None
                schema[f"strategy.{level}.{player}"] = Expected(np.float16, (size,), 0.0, 1.0)
        if self.groups is not None:
            for level, tables in enumerate(boards.tables):
                for player, hands in enumerate(tables.hands):
                    schema[f"groups.{level}.{player}"] = Expected(
                        np.uint16, (int(hands.first[-1]),)
                    )
        for player, name in enumerate(value_names(spot, self.streets)):
            last = self.streets - 1
            roots = spot.tree.streets[self.streets].roots
            shape = (len(boards.cards[last]), roots, boards.padded[player])
            schema[name] = Expected(np.float32, shape)
        for player in range(2):
            own = layout.at(0, player)
            columns = int(boards.tables[0].hands[player].first[-1])
            for name, rows in (("nodes", len(own.slot)), ("actions", own.slots)):
                schema[f"first_{name}.{player}"] = Expected(
                    np.float32, (rows, columns), optional=True
                )
        return schema | kept_schema(spot, boards)


def value_names(spot: Spot, streets: int) -> tuple[str, ...]:
    """The tensors of both players' values below the streets that are kept; none below the river.

    Examples
    --------
    >>> spot = Spot("QhJh2c", "AA", "KK", pot=100, stack=80)
    >>> value_names(spot, 1), value_names(spot, 3)
    (('turn_values.0', 'turn_values.1'), ())
    """
    street = spot.street + streets
    if street == len(STREETS):
        return ()
    return f"{STREETS[street]}_values.0", f"{STREETS[street]}_values.1"


def _gadget(metadata: Metadata, spot: Spot) -> tuple[Gadget | None, Margin | None]:
    """The gadget of a solve and the margin that it claims; most solves have none."""
    if "gadget" not in metadata.entries:
        return None, None
    gadget, margin = Gadget.from_fields(metadata.json("gadget")), metadata.json("margin")
    gadget.pose(spot)
    if not isinstance(margin, dict) or {*margin} != {"chips", "hand", "mean", "pot"}:
        raise ValueError("margin is not a number of chips, a hand, a mean and a pot")
    chips, mean = margin["chips"], margin["mean"]
    if not isinstance(chips, float) or not isinstance(mean, float):
        raise ValueError("margin holds chips that are not numbers")
    return gadget, Margin(chips, one_line(str(margin["hand"]), 8), mean, spot.pot)


def _groups(metadata: Metadata) -> str | None:
    text = metadata.text("groups")
    return None if text == "null" else HandGrouping.parse(text).text


def _best_by_group(metadata: Metadata, *, grouped: bool) -> tuple[float, float] | None:
    missing = metadata.text("best_by_group") == "null"
    if missing == grouped:
        raise ValueError("best_by_group and groups: both must be there, or neither")
    if missing:
        return None
    first, second = metadata.numbers("best_by_group", 2)
    return first, second


def _rule(metadata: Metadata) -> str:
    """The text of a rule, which may be one of the user's own."""
    text = metadata.text("rule")
    if not (text.isprintable() and 0 < len(text) <= _MAX_RULE):
        raise ValueError(f"rule is {one_line(text, 60)!r}, not the text of a rule")
    return text


def _locks(metadata: Metadata, spot: Spot) -> dict[str, dict[str, str]]:
    found = metadata.json("locks")
    good = isinstance(found, dict) and all(
        isinstance(actions, dict) and all(isinstance(hands, str) for hands in actions.values())
        for actions in found.values()
    )
    if not isinstance(found, dict) or not good:
        raise ValueError("locks is not a mapping of lines to actions and their hands")
    parse_locks(spot, found)
    return found
