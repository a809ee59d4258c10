"""Solutions on disk: whatever is wrong with a file is one line; and what `solve` would ignore."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import save_file

from pokerlab.games import load_betting_game, load_game, merge_suits, read_toml, write_toml
from pokerlab.runtime.files.hashes import content_hash
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import read_tensors
from pokerlab.solvers import Strategy, load_solution, make_solver, nash_conv, solve
from pokerlab.solvers.solution import SOLUTION_FORMAT, Solution, game_of, tree_of
from pokerlab.trees import GameTree

Tensors = dict[str, npt.NDArray[Any]]
Change = Callable[[Tensors, dict[str, str]], object]


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good file."""
    file = tmp_path_factory.mktemp("good") / "kuhn.safetensors"
    solve("kuhn", "cfr+", iterations=20).save(file)
    return file


def refusal(file: Path, game: str | None = None) -> str:
    """What `load_solution` says about a file: one line that names it."""
    with pytest.raises(ValueError) as raised:
        load_solution(file, game)
    message = str(raised.value)
    assert repr(str(file)) in message
    assert len(message.splitlines()) == 1
    return message.removeprefix(f"{str(file)!r} is damaged: ")


def changed(good: Path, folder: Path, change: Change, *, sealed: bool) -> Path:
    """The same file with a change; `sealed`: by a program that also writes the hash anew."""
    with safe_open(good, "numpy") as file:
        tensors = {name: file.get_tensor(name).copy() for name in file.keys()}  # noqa: SIM118
        metadata = dict(file.metadata())
    change(tensors, metadata)
    if sealed:
        metadata["hash"] = content_hash(tensors, metadata)
    save_file(tensors, folder / "changed.safetensors", metadata)
    return folder / "changed.safetensors"


def put(name: str, tensor: Any) -> Change:
    return lambda tensors, metadata: tensors.update({name: np.asarray(tensor)})


def at(name: str, index: int, number: int) -> Change:
    return lambda tensors, metadata: tensors[name].__setitem__(index, number)


def say(**texts: str) -> Change:
    return lambda tensors, metadata: metadata.update(texts)


def names(old: str, new: str) -> Change:
    def change(tensors: Tensors, metadata: dict[str, str]) -> None:
        text = bytes(tensors["names"]).decode().replace(old, new, 1)
        tensors["names"] = np.frombuffer(text.encode(), np.uint8)

    return change


def test_format_and_metadata(kuhn: Path) -> None:
    tensors, metadata = read_tensors(kuhn, "pokerlab tree solution 2")
    assert metadata["hash"] == content_hash(tensors, metadata)
    assert len(metadata["hash"]) == 64
    assert metadata["rules"] == write_toml(load_betting_game("kuhn"))
    assert load_solution(kuhn).rules == metadata["rules"]


@pytest.mark.parametrize("name", ["strategy", "offset", "player", "parent", "names"])
def test_a_missing_tensor(name: str, kuhn: Path, tmp_path: Path) -> None:
    file = changed(kuhn, tmp_path, lambda tensors, _: tensors.pop(name), sealed=True)
    assert refusal(file) == f"there is no tensor {name!r}"


TEXTS = ["game", "digest", "rules", "rule", "stopped"]
NUMBERS = ["values", "nash_conv", "exploitability", "iterations", "seconds"]


@pytest.mark.parametrize("name", TEXTS + NUMBERS)
def test_a_missing_entry(name: str, kuhn: Path, tmp_path: Path) -> None:
    file = changed(kuhn, tmp_path, lambda _, metadata: metadata.pop(name), sealed=True)
    assert refusal(file) == f"there is no {name!r} in the metadata"


def test_a_file_without_a_hash(kuhn: Path, tmp_path: Path) -> None:
    file = changed(kuhn, tmp_path, lambda _, metadata: metadata.pop("hash"), sealed=False)
    assert refusal(file) == "there is no 'hash' in the metadata"


def test_a_file_of_the_old_format(kuhn: Path, tmp_path: Path) -> None:
    old = say(format="pokerlab tree solution 1")
    message = refusal(changed(kuhn, tmp_path, old, sealed=True))
    assert message.endswith("is not a pokerlab tree solution 2 but pokerlab tree solution 1")
    strange = say(format="two\nlines")
    message = refusal(changed(kuhn, tmp_path, strange, sealed=True))
    assert message.endswith(r"is not a pokerlab tree solution 2 but two\nlines")


FAULTS: list[tuple[Change, str]] = [
    (say(nash_conv="much"), "nash_conv is much, not a number"),
    (say(nash_conv="true"), "nash_conv is true, not a number"),
    (say(nash_conv="a\nb"), r"nash_conv is a\nb, not a number"),
    (say(nash_conv="NaN"), "nash_conv: nan is not a finite number"),
    (say(nash_conv="Infinity"), "nash_conv: inf is not a finite number"),
    (say(nash_conv="9" * 5000), "nash_conv: inf is not a finite number"),
    (say(nash_conv="[" * 100_000), f"nash_conv is {'[' * 57}..., not a number"),
    (say(seconds="-Infinity"), "seconds: -inf is not a finite number"),
    (say(seconds="1 s"), "seconds is 1 s, not a number"),
    (say(iterations="20.5"), "iterations is 20.5, not a whole number"),
    (say(iterations="-1"), "iterations is -1, not a whole number"),
    (say(values="0.5"), "values is 0.5, not a list of numbers"),
    (say(values='[0.1, "x"]'), 'values is [0.1, "x"], not a list of numbers'),
    (say(values="[0.1, NaN]"), "values: nan is not a finite number"),
    (say(values="[]"), "tensor 'player' must be 12 growing numbers from 0 to -1"),
    (say(values="[0]"), "tensor 'player' must be 12 growing numbers from 0 to 0"),
    (
        say(nash_conv="0.5", exploitability="0.5"),
        "exploitability is 0.5, but nash_conv 0.5 divided by 2 players is 0.25",
    ),
    (say(rules="players ="), "rules: not a TOML file"),
    (say(rules="players = 1"), "rules: betting: missing"),
    (say(rules='"two\\nlines" = 1'), "rules: two lines: unknown field"),
    (
        say(game="leduc"),
        "its rules are those of kuhn with 2 players, not of leduc with 2 players",
    ),
    (at("offset", 3, 5), "tensor 'offset' does not fit the actions that 'names' lists"),
    (put("offset", np.arange(3, dtype=np.int32)), "tensor 'offset' does not fit the actions"),
    (
        put("offset", np.arange(13.0)),
        "tensor 'offset' is float64 of shape (13,), not int32 of shape (any,)",
    ),
    (
        put("strategy", np.full((12, 2), 0.5)),
        "tensor 'strategy' is float64 of shape (12, 2), not float64 of shape (any,)",
    ),
    (put("strategy", np.full(23, 0.5)), "a strategy of this game has 24 probabilities, not (23,)"),
    (
        put("strategy", np.full(24, 0.4)),
        "information set 'Js' of player 0: probabilities must be at least 0 and sum to 1",
    ),
    (at("player", 0, 1), "tensor 'player' must be 12 growing numbers from 0 to 1"),
    (at("player", 0, -1), "tensor 'player' must be 12 growing numbers from 0 to 1"),
    (at("player", 11, 2), "tensor 'player' must be 12 growing numbers from 0 to 1"),
    (put("player", np.zeros(3, np.int8)), "tensor 'player' must be 12 growing numbers"),
    (at("parent", 0, 0), "tensor 'parent' must be 12 slots before the information sets"),
    (at("parent", 0, -2), "tensor 'parent' must be 12 slots before the information sets"),
    (put("parent", np.zeros(0, np.int32)), "tensor 'parent' must be 12 slots before"),
    (at("player", 5, 1), "tensor 'parent' names slots of other players"),
    (at("parent", 11, 0), "tensor 'parent' names slots of other players"),
    (names("Js\tc\tr\n", "Js\n"), "information set 'Js' has no actions"),
    (names("Js\tc\tr", "Js\tc\tc"), "information set 'Js': action 'c' is there twice"),
    (names("Js\t", "Qs\t"), "information set 'Qs' is there twice"),
    (names("Js\tc\tr", "Js\tc\tr\tf"), "tensor 'offset' does not fit the actions"),
    (put("names", np.array([255, 254], np.uint8)), "tensor 'names' is not UTF-8 text"),
    (put("names", np.zeros(0, np.uint8)), "tensor 'offset' does not fit the actions"),
    (put("added", np.zeros(0)), "tensor 'added' does not belong there"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[message[:40] for _, message in FAULTS])
@pytest.mark.parametrize("sealed", [True, False])
def test_a_faulty_file(
    change: Change, message: str, sealed: bool, kuhn: Path, tmp_path: Path
) -> None:
    assert refusal(changed(kuhn, tmp_path, change, sealed=sealed)).startswith(message)


def swap_cards(tensors: Tensors, metadata: dict[str, str]) -> None:
    tensors["strategy"][:4] = np.roll(tensors["strategy"][:4], 2)


CHANGES: list[Change] = [
    swap_cards,
    at("player", 6, 0),
    at("parent", 5, -1),
    names("Js\tc", "As\tc"),
    say(nash_conv="0.002", exploitability="0.001"),
    say(values="[0.1, -0.1]"),
    say(digest="0" * 64),
    say(rule="lp"),
    say(rules=""),
    say(stopped="target"),
    say(iterations="1000"),
    say(version="99"),
    say(added=""),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_makes_sense_is_found_by_the_hash(
    change: Change, kuhn: Path, tmp_path: Path
) -> None:
    assert refusal(changed(kuhn, tmp_path, change, sealed=False)) == (
        "its content does not fit its hash"
    )
    load_solution(changed(kuhn, tmp_path, change, sealed=True))


def refused_or_the_same(file: Path, good: Solution) -> bool:
    """Whether a damaged file is refused; if not, nothing that it says has changed."""
    try:
        found = load_solution(file)
    except ValueError as error:
        assert repr(str(file)) in str(error)
        assert len(str(error).splitlines()) == 1
        return True
    assert dict(found.strategy) == dict(good.strategy)
    assert vars(found) | {"strategy": None} == vars(good) | {"strategy": None}
    return False


@pytest.mark.slow
def test_every_flipped_byte_is_found(kuhn: Path, tmp_path: Path) -> None:
    content, good = kuhn.read_bytes(), load_solution(kuhn)
    file = tmp_path / "flipped.safetensors"
    survived = []
    for place in range(len(content)):
        flipped = bytearray(content)
        flipped[place] ^= 0x01
        file.write_bytes(flipped)
        if not refused_or_the_same(file, good):
            survived.append(place)
    assert survived == []


@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_damage_is_one_line(data: st.DataObject, kuhn: Path, tmp_path: Path) -> None:
    content = bytearray(kuhn.read_bytes())
    start = data.draw(st.integers(0, len(content) - 1))
    length = data.draw(st.integers(0, 20))
    content[start : start + length] = data.draw(st.binary(max_size=20))
    file = tmp_path / "damaged.safetensors"
    file.write_bytes(content)
    # There is a little freedom: blanks at the end of the header, an escaped letter.
    refused_or_the_same(file, load_solution(kuhn))


@pytest.mark.parametrize("kind", ["BF16", "F8_E4M3"])
def test_numbers_that_numpy_lacks(kind: str, tmp_path: Path) -> None:
    size = 2 if kind == "BF16" else 1
    entry = {"dtype": kind, "shape": [1], "data_offsets": [0, size]}
    header = {"__metadata__": {"format": SOLUTION_FORMAT}, "strategy": entry}
    text = json.dumps(header).encode()
    file = tmp_path / "strange.safetensors"
    file.write_bytes(len(text).to_bytes(8, "little") + text + bytes(size))
    assert refusal(file) == "its header does not say what tensor 'strategy' is"


def test_the_information_sets_are_compared_with_the_game(kuhn: Path, tmp_path: Path) -> None:
    file = changed(kuhn, tmp_path, at("player", 6, 0), sealed=True)
    with pytest.raises(ValueError) as raised:
        load_solution(file, "kuhn")
    assert str(raised.value) == (
        f"{str(file)!r} is a solution of kuhn, but its information sets are not those of this game"
    )
    with pytest.raises(ValueError, match="its information sets are not those of this game"):
        tree_of(load_solution(file))


def test_a_game_that_has_changed_since(kuhn: Path) -> None:
    other = replace(load_betting_game("kuhn"), ante=2)
    with pytest.raises(ValueError) as raised:
        load_solution(kuhn, other)
    assert str(raised.value) == (
        f"{str(kuhn)!r} is a solution of kuhn, but of other rules than this game has now"
    )


def test_a_changed_name_is_no_longer_called_other_rules(tmp_path: Path) -> None:
    solve("rps", iterations=1).save(tmp_path / "rps.safetensors")
    file = changed(tmp_path / "rps.safetensors", tmp_path, say(game="pennies"), sealed=False)
    assert refusal(file, "pennies") == "its content does not fit its hash"


MINE = """
players = 2
betting = "no-limit"
ranks = "JQKA"
suits = "s"
showdown = "high-card"
ante = 1
stacks = [4, 4]
[[streets]]
hole = 1
bet = 1
"""


@pytest.mark.parametrize("name", ["mine", "kuhn", "holdem.nolimit.3p"])
def test_the_game_of_a_game_file(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.toml").write_text(MINE)
    solve(str(tmp_path / f"{name}.toml"), iterations=5).save(tmp_path / "mine.safetensors")
    (tmp_path / f"{name}.toml").unlink()
    solution = load_solution(tmp_path / "mine.safetensors")
    assert game_of(solution) == read_toml(MINE, name)
    tree = tree_of(solution)
    assert tree.digest == solution.digest
    assert nash_conv(tree, solution.strategy) == solution.nash_conv


@pytest.mark.parametrize("name", ["kuhn.3p", "leduc", "rps", "coins.3p"])
def test_the_game_of_the_catalogue(name: str, tmp_path: Path) -> None:
    solve(name, iterations=1).save(tmp_path / "file")
    solution = load_solution(tmp_path / "file")
    assert game_of(solution) is load_game(name)
    assert bool(solution.rules) == (name in ("kuhn.3p", "leduc"))


def test_no_game_fits() -> None:
    solution = solve("kuhn", iterations=1)
    with pytest.raises(ValueError) as raised:
        game_of(replace(solution, digest="0" * 64))
    assert str(raised.value) == (
        "this is a solution of kuhn, but of other rules than this game has now"
    )
    with pytest.raises(ValueError) as raised:
        game_of(solve(merge_suits(load_game("leduc")), iterations=1))
    assert str(raised.value) == (
        "this is a solution of leduc up to suits, which is not in the catalogue, and holds no rules"
    )
    with pytest.raises(ValueError, match=r"whose tree cannot be built: holdem\.limit\.2p has more"):
        game_of(replace(solution, game="holdem.limit.2p", rules=""))


def test_a_linear_program_leaves_rules_too() -> None:
    assert solve("kuhn", "lp").rules == write_toml(load_betting_game("kuhn"))


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ({"nash_conv": float("nan")}, "nash_conv: nan is not a finite number"),
        ({"values": (0.0, float("inf"))}, "values: inf is not a finite number"),
        ({"values": ()}, "values are empty; there must be one for each player"),
    ],
)
def test_a_solution_has_finite_numbers(faults: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        replace(solve("kuhn", iterations=1), **faults)
    assert str(raised.value) == message


def test_names_that_a_file_cannot_hold(tmp_path: Path) -> None:
    solution = solve("kuhn", iterations=1)
    infosets = solution.strategy.infosets
    strange = replace(infosets, names=("J\ts", *infosets.names[1:]))
    changed_names = replace(solution, strategy=Strategy(strange, solution.strategy.array))
    with pytest.raises(ValueError) as raised:
        changed_names.save(tmp_path / "file")
    assert str(raised.value) == (
        r"information set 'J\ts' of player 0 cannot be saved: "
        "its name or an action has a tab or a new line in it"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_game_without_decisions(tmp_path: Path) -> None:
    infosets = replace(
        solve("rps", iterations=1).strategy.infosets,
        player=np.zeros(0, np.int8),
        offset=np.zeros(1, np.int32),
        parent=np.zeros(0, np.int32),
        names=(),
        actions=(),
    )
    empty = Solution("none", "0", "lp", Strategy(infosets, []), (0.0,), 0.0, 0, 0.0, "optimal")
    empty.save(tmp_path / "file")
    assert len(load_solution(tmp_path / "file").strategy) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"tensors": {"a": np.zeros(2), "b": np.ones(1)}},
        {"tensors": {"a": np.zeros(2, np.int64)}},
        {"tensors": {"a": np.zeros((1, 2))}},
        {"tensors": {"b": np.zeros(2)}},
        {"metadata": {"x": "1", "y": "3"}},
        {"metadata": {"x": "1y", "": "2"}},
    ],
)
def test_what_the_hash_depends_on(change: dict[str, Any]) -> None:
    content: dict[str, Any] = {"tensors": {"a": np.zeros(2)}, "metadata": {"x": "1", "y": "2"}}
    assert content_hash(**content) != content_hash(**content | change)
    content["metadata"]["hash"] = "anything"
    assert content_hash(**content) == content_hash({"a": np.zeros(2)}, {"y": "2", "x": "1"})


def test_the_hash_is_that_of_a_file_read_back(tmp_path: Path) -> None:
    tensors: Tensors = {"a": np.arange(12.0).reshape(3, 4).T, "b": np.zeros(0, np.uint8)}
    metadata = {"format": "x", "text": "ä\n\t\0"}
    write_tensors(tmp_path / "file", tensors, metadata)
    assert content_hash(*read_tensors(tmp_path / "file", "x")) == content_hash(tensors, metadata)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("iterations", 10),
        ("iterations", 0),
        ("target", 0.1),
        ("seconds", 1.0),
        ("sampling", "external"),
        ("checkpoint", "file"),
        ("alternating", False),
    ],
)
def test_options_that_a_linear_program_would_ignore(option: str, value: Any) -> None:
    options: dict[str, Any] = {option: value}
    with pytest.raises(ValueError) as raised:
        solve("kuhn", "lp", **options)
    assert str(raised.value) == (
        f"{option} does not apply to the rule lp: a linear program runs to its end"
    )


def test_sampling_has_a_rule_of_its_own(catalogue_tree: Callable[[str], GameTree]) -> None:
    tree = catalogue_tree("kuhn")
    by_default = solve(tree, sampling="external", iterations=50, seed=3)
    named = solve(tree, "cfr", sampling="external", iterations=50, seed=3)
    assert by_default.rule == named.rule == "cfr external"
    assert (by_default.strategy.array == named.strategy.array).all()
    assert str(make_solver(tree, sampling="public").rule) == "cfr"
    assert str(make_solver(tree).rule) == solve(tree, iterations=1).rule == "dcfr(1.5,0,2)"
    with pytest.raises(ValueError, match=r"does not work with sampling \(cfr, linear, cgh, "):
        solve(tree, "dcfr", sampling="external")


def test_sampling_is_never_simultaneous() -> None:
    with pytest.raises(ValueError) as raised:
        solve("kuhn", sampling="external", alternating=False, iterations=1)
    assert str(raised.value) == "sampling 'external' needs alternating updates"
