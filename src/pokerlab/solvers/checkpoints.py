"""Checkpoints: a solver's state on disk, never half-written, never of another solve.

A checkpoint carries a CRC-32 by which damage is noticed. A SHA-256 would take as long as writing
the file or longer (measured: 0.8 GB/s, CRC-32 1.4 GB/s, writing 0.8 to 2.4 GB/s).
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.errors import DamagedFileError, one_line
from pokerlab.runtime.files.hashes import checksum
from pokerlab.runtime.files.reader import Expected, check_tensors
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import (
    Tensors,
    file_format,
    is_tensor_file,
    read_header,
    read_tensors,
)

if TYPE_CHECKING:
    from pokerlab.trees.game_tree import GameTree

_FORMAT = "pokerlab checkpoint 2"
_CHECKSUM = "checksum"
_GAME = "game_text"
_MAX_SHOWN = 24
_MAX_ITERATION = 2**53
"""More iterations than any solve makes; larger numbers would lose their last digits."""
_LARGEST = 1e100
"""Larger than any regret, and sums of such numbers do not overflow."""


def save_checkpoint(
    path: str | Path,
    identity: Mapping[str, str],
    tensors: Mapping[str, AnyArray],
    game: str = "",
) -> None:
    """Write a solver's state and its identity.

    `identity` maps names to texts. The names are those that a user knows: when a checkpoint is of
    another solve, the message names the first entry that differs and both texts. A name may begin
    with what it belongs to, as in ``spot.pot``; `flat_identity` makes such names of a table.
    `game` is a text from which the game can be made again, for who has nothing but the checkpoint.
    """
    metadata = {"format": _FORMAT, **identity, _CHECKSUM: checksum(tensors)}
    if game:
        metadata[_GAME] = game
    write_tensors(path, tensors, metadata)


def load_checkpoint(path: str | Path, identity: Mapping[str, str]) -> Tensors:
    """Read a state; `ValueError` says what is different when it belongs to something else."""
    tensors, metadata = read_tensors(path, _FORMAT)
    stored = _identity(metadata)
    for key in {**identity, **stored}:
        found, expected = stored.get(key, "nothing"), identity.get(key, "nothing")
        if found != expected:
            found, expected = _where_different(found, expected)
            raise ValueError(
                f"checkpoint {str(path)!r} belongs to another solve: its {_spoken(key)} is "
                f"{found}, not {expected}"
            )
    if checksum(tensors) != metadata.get(_CHECKSUM):
        raise DamagedFileError(path, "its content does not fit its checksum")
    return tensors


def checkpoint_identity(path: str | Path) -> dict[str, str]:
    """The identity of the state in a file, without reading the state."""
    return _identity(read_header(path, _FORMAT).metadata)


def checkpoint_game(path: str | Path) -> str:
    """The text of the game that a checkpoint is of; empty where it has none."""
    return read_header(path, _FORMAT).metadata.get(_GAME, "")


def is_checkpoint(path: str | Path) -> bool:
    """Whether a file is a checkpoint."""
    return is_tensor_file(path) and file_format(path) == _FORMAT


def check_state(
    state: Mapping[str, AnyArray],
    own: Mapping[str, AnyArray],
    weights: Collection[str] = (),
) -> None:
    """`ValueError` unless a state has the arrays that a solver has, and sane numbers in them.

    Parameters
    ----------
    state
        What is to be restored. Its ``iteration`` must be whole numbers that are not negative.
    own
        The state that the solver is in.
    weights
        The arrays in which no number is negative.
    """
    schema = {}
    for name, array in own.items():
        is_float = array.dtype.kind == "f"
        low = 0 if name in ("iteration", *weights) else -_LARGEST if is_float else None
        high = _MAX_ITERATION if name == "iteration" else _LARGEST if is_float else None
        schema[name] = Expected(array.dtype, array.shape, low, high)
    check_tensors(state, schema)


def flat_identity(name: str, fields: Mapping[str, object]) -> dict[str, str]:
    """The entries of a table, one by one, so that the one that differs can be named.

    Examples
    --------
    >>> flat_identity("spot", {"pot": 200, "bet": {"flop": "50%"}, "streets": [{"bet": 1}]})
    {'spot.pot': '200', 'spot.bet.flop': '50%', 'spot.streets.0.bet': '1'}
    """
    found: dict[str, str] = {}
    for key, value in fields.items():
        if isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
            value = {str(number): one for number, one in enumerate(value)}
        if isinstance(value, Mapping):
            found |= flat_identity(f"{name}.{key}", value)
        else:
            found[f"{name}.{key}"] = str(value)
    return found


def game_identity(tree: GameTree) -> dict[str, str]:
    """The identity of a game in states of its solvers: its rules, one by one, and its tree."""
    # A solve of a spot knows no games.
    from pokerlab.games.definition import BettingGame
    from pokerlab.games.formats.toml_game import write_toml

    rules: dict[str, object] = {}
    if isinstance(tree.game, BettingGame):
        rules = tomllib.loads(write_toml(tree.game))
        del rules["name"]
        rules.pop("description", None)
    return {"game": tree.game.name, **flat_identity("game", rules), "tree": tree.digest}


def _identity(metadata: Mapping[str, str]) -> dict[str, str]:
    return {key: metadata[key] for key in metadata if key not in ("format", _CHECKSUM, _GAME)}


def _spoken(key: str) -> str:
    """``pot`` for ``spot.pot``: whose it is goes without saying."""
    return key.partition(".")[2].replace(".", " ") or key


def _where_different(found: str, expected: str) -> tuple[str, str]:
    """Two texts, of long ones the part where they begin to differ."""
    pairs = zip(found, expected, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    fit = max(len(found), len(expected)) <= _MAX_SHOWN
    start = 0 if fit else max(0, common - _MAX_SHOWN // 3)
    shown = []
    for text in (found, expected):
        before, after = "..." * (start > 0), "..." * (len(text) > start + _MAX_SHOWN)
        shown.append(one_line(f"{before}{text[start : start + _MAX_SHOWN]}{after}"))
    return shown[0], shown[1]
