"""Numbers and texts that are too large are refused at once, in one short line."""

import inspect
import itertools
from typing import get_args

import pytest
import typer

from pokerlab.cli.assembly import assemble
from pokerlab.cli.main import main


def commands(group, path=()):
    """Every command of the application, by its words."""
    for each in group.registered_commands:
        yield (*path, each.name), each.callback
    for each in group.registered_groups:
        yield from commands(each.typer_instance, (*path, each.name))


def numeric_options():
    """Every option and argument of every command that is a number."""
    for path, callback in commands(assemble()):
        for name, parameter in inspect.signature(callback).parameters.items():
            if name == "context":
                continue
            kind, option = get_args(parameter.annotation)[:2]
            kinds = {int, float} & {kind, *get_args(kind), *map(_item, get_args(kind))}
            if kinds:
                yield path, name, option, kinds


def _item(kind):
    return get_args(kind)[0] if get_args(kind) else None


NUMBERS = list(numeric_options())
CHECKED_ELSEWHERE = {"solve", "sizes", "show", "diff", "verify", "play"}


def test_numbers_are_found():
    assert {"seed", "hands", "time_limit", "port", "threads"} <= {name for _, name, *_ in NUMBERS}


@pytest.mark.parametrize(
    ("path", "name", "option", "kinds"),
    [number for number in NUMBERS if number[0][0] not in CHECKED_ELSEWHERE],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else None,
)
def test_every_number_has_bounds(path, name, option, kinds):
    for bad in (-1, -(10**30)):
        with pytest.raises(typer.BadParameter, match="must be "):
            option.callback(bad)
    if float in kinds:
        for bad in (float("nan"), float("inf")):
            with pytest.raises(typer.BadParameter, match="must be "):
                option.callback(bad)


@pytest.mark.parametrize(
    "arguments",
    [
        ["equity", "AA", "KK", "--samples", "99999999999999999999"],
        ["equity", "AA", "KK", "--samples", "0"],
        ["equity", "AA", "KK", "--samples", "١٠"],
        ["simulate", "kuhn", "caller", "caller", "--threads", "100000"],
        ["match", "kuhn", "caller", "caller", "--hands", "-1"],
        ["match", "kuhn", "caller", "caller", "--time-limit", "nan"],
        ["match", "kuhn", "caller", "caller", "--seed", "-1"],
        ["train", "leduc", "--minutes", "inf"],
        ["train", "leduc", "--minutes", "٣"],
        ["train", "leduc", "--minutes=٣.٥"],
        ["deals", "kuhn", "-p", "٠:Ks"],
        ["game", "tree", "kuhn", "--move", "٠:0d{J}1d{}0r"],
        ["game", "tree", "kuhn", "--move", f"{'9' * 5000}:0d{{J}}1d{{}}0r"],
        ["train", "holdem.nolimit.2p", "--iterations", "1"],
        ["deals", "holdem.limit.2p", "-n", "0"],
        ["deals", "holdem.limit.3p", "--enumerate", *["-p", "0:random", "-p", "1:random"]],
        ["buckets", "show", "ehs2:2,2,2,2", "--deals", "100000000"],
        ["game", "tree", "draw"],
        ["game", "tree", "holdem.limit.2p"],
        ["replay", "/dev/zero"],
        ["statistics", "/dev/zero"],
    ],
    ids=" ".join,
)
def test_what_is_too_large_is_refused_at_once(run, arguments):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["range", "9" * 1_000_000],
        ["range", "AA, " * 100_000],
        ["equity", "x" * 100_000, "KK"],
        ["game", "show", "x " * 100_000],
        ["deals", "kuhn", "-p", "x" * 10_000],
        ["game", "tree", "kuhn", "--move", "x" * 10_000],
        ["match", "kuhn", "caller", "x" * 10_000],
        ["match", "kuhn", *["caller"] * 3000],
        ["--" + "x" * 10_000],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_messages_are_short(run, arguments):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert len(outcome.err) <= 520


def test_the_reason_is_still_told_where_text_was_cut(run):
    outcome = run("deals", "kuhn", "-p", "x" * 10_000)
    assert outcome.err.rstrip().endswith("write SEAT:CARDS, for example 0:AsKd")


def test_the_size_of_a_huge_tree_is_not_counted(run):
    outcome = run("game", "show", "draw", "--json")
    assert outcome.code == 0
    assert outcome.json["tree"] is None


@pytest.mark.parametrize("kind", [[], ["--json"]])
def test_deals_are_printed_as_they_are_dealt(monkeypatch, kind):
    """A reader that leaves after the first ones ends a command that would never end."""

    def endless(self, count, rng):
        from pokerlab.arena.deal_generator import WeightedDeal

        for number in itertools.count():
            if number > 1000:
                raise BrokenPipeError
            yield WeightedDeal(self.game.deal(rng), 0.5)

    printed = []
    monkeypatch.setattr("pokerlab.arena.deal_generator.DealGenerator.sample", endless)
    monkeypatch.setattr("builtins.print", lambda *words, **_: printed.append(words))
    with pytest.raises(BrokenPipeError):
        assemble("deals")(["deals", "kuhn", "-n", "1000000000000", *kind], standalone_mode=False)
    assert len(printed) > 900


def test_streamed_json_is_one_object(run):
    data = run("deals", "kuhn", "--enumerate", "--json").json
    assert data["count"] == len(data["deals"]) == 6
    assert set(data["deals"][0]) == {"holes", "board", "stub", "weight"}


def test_json_of_deals_is_not_begun_when_it_cannot_be_dealt(run):
    outcome = run("deals", "kuhn", "-p", "0:Ks", "-p", "1:Ks", "--json")
    assert (outcome.code, outcome.out) == (2, "")


def test_an_error_of_a_library_after_ctrl_c_is_ctrl_c(monkeypatch, capsys):
    import os
    import signal

    def interrupted(*_, **__):
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None

    monkeypatch.setattr("pokerlab.games.game_names", interrupted)
    with pytest.raises(SystemExit) as stop:
        main(["game", "list"])
    assert stop.value.code == 130
    assert capsys.readouterr().err == "interrupted; nothing was saved\n"
