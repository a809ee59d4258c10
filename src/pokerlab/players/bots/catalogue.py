"""Bots by name, so that a command line or another process can ask for one.

A text is a name and maybe what the bot is made with: ``raiser``, ``random:1,2,1``,
``raiser:all-in``, ``fair:samples=1000``. What follows the colon are arguments of the class: in
their order, by name, or the name alone to switch something on. A class of a Python file of the
user's is ``my_bot.py:Simple``, with arguments ``my_bot.py:Simple:depth=3``.
"""

from __future__ import annotations

import inspect
import re
import sys
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import failure_text
from pokerlab.runtime.errors import shorten


class _Entry(NamedTuple):
    home: str
    description: str


_MAPPINGS = {
    "map-streets": "street by street",
    "map-nearest": "by the nearest history",
    "map-pot": "by pot size",
    "map-odds": "by pot odds",
    "map-odds-pot": "by pot odds, then pot size",
    "map-stakes": "by what both have put in",
    "map-corrected": "the same, corrected towards a three-player strategy",
}
_BOTS = {
    "caller": _Entry("pokerlab.players.bots.simple:Caller", "checks and calls"),
    "raiser": _Entry(
        "pokerlab.players.bots.simple:Raiser",
        "raises whenever it may, by the smallest amount; raiser:all-in with all it has",
    ),
    "folder": _Entry(
        "pokerlab.players.bots.simple:Folder", "folds as soon as there is something to pay"
    ),
    "fold-to-raise": _Entry(
        "pokerlab.players.bots.simple:FoldToRaise",
        "calls, and folds as soon as somebody has raised",
    ),
    "random": _Entry(
        "pokerlab.players.bots.simple:RandomBot",
        "random:1,2,1 folds, calls and raises with these weights (1,1,1 by default)",
    ),
    "fair": _Entry(
        "pokerlab.players.bots.fair:FairBot",
        "compares its chance to win with pot odds; fair:samples=1000, fair:exact, fair:caution=0.2",
    ),
    "montecarlo": _Entry(
        "pokerlab.players.bots.montecarlo.bot:MonteCarloBot",
        "plays hands out against what it has learned of its opponents; montecarlo:samples=1000;"
        " montecarlo:deep searches the betting of a street to its end",
    ),
    "exploiter": _Entry(
        "pokerlab.players.bots.exploiter.bot:ExploiterBot",
        "two players: starts from an equilibrium (exploiter:FILE), learns how the other plays, and"
        " risks no more than it was given; in limit hold'em from responses that are prepared once"
        " (exploiter:FILE,prepare=no without)",
    ),
    "nolimit": _Entry(
        "pokerlab.players.bots.nolimit.bot:NolimitBot",
        "no-limit hold'em for two: a chart before the flop, then every street is solved as it is"
        " played; nolimit:seconds=8, nolimit:iterations=80,gadget=combined,threshold=0.03,log=FILE",
    ),
    "draw": _Entry(
        "pokerlab.players.bots.draw.bot:DrawBot",
        "five-card draw: searches every discard; draw:discard=equity,stake=rank",
    ),
    "strategy": _Entry(
        "pokerlab.players.bots.strategy_bot:StrategyBot", "strategy:FILE plays what a solver saved"
    ),
    "limit2": _Entry(
        "pokerlab.players.bots.limit_bot:TwoPlayerLimitBot",
        "limit2:FILE plays limit hold'em for two as trained; without a file the default one",
    ),
    "limit3": _Entry(
        "pokerlab.players.bots.limit_bot:ThreePlayerLimitBot", "limit3:FILE is the same for three"
    ),
    "adam": _Entry(
        "pokerlab.players.bots.adam.bot:AdamBot",
        "limit hold'em for two: adam:FILE plays a trained strategy before the flop, and searches by"
        " fictitious play after it; adam:FILE,search=masked,iterations=50,weight=1; with"
        " search=counted also rule=fp",
    ),
    **{
        name: _Entry(
            f"pokerlab.players.bots.mapping.bot:HBB{number}",
            f"three-player limit hold'em by a two-player strategy, {how};"
            f" {name}:FILE,nearest=5,weighted,bias,greedy,folds=FILE,postflop",
        )
        for number, (name, how) in enumerate(_MAPPINGS.items(), 1)
    },
    "hybrid": _Entry(
        "pokerlab.players.bots.switching:HybridBot",
        "fair, and by a mapping once somebody has folded; hybrid:map-nearest:FILE,preflop",
    ),
    "stitched": _Entry(
        "pokerlab.players.bots.stitched:StitchedBot",
        "three-player limit hold'em: a bot with heads-up experts for the lines after a fold;"
        " stitched:limit3:FILE,experts=FOLDER",
    ),
    "switch": _Entry(
        "pokerlab.players.bots.switching:SwitchingBot",
        "changes its style: switch:caller,then=raiser,after=500 is a raiser from hand 501 on",
    ),
    "parrot": _Entry(
        "pokerlab.players.bots.parrot:ParrotBot", "parrot:LOG,seat=0 repeats a player of a log"
    ),
    "cases": _Entry(
        "pokerlab.players.bots.cases:CaseBot",
        "cases:LOG plays what won most in the nearest decisions of a log;"
        " cases:LOG,player=NAME,choose=copy does what was done there",
    ),
    "exec": _Entry(
        "pokerlab.players.bots.external.process:ProcessBot",
        "exec:COMMAND is a program that speaks ACPC",
    ),
}

_ALIASES = {
    "cfr2": "limit2",
    "cfr3": "limit3",
    **{f"hbb{number}": name for number, name in enumerate(_MAPPINGS, 1)},
}
"""Other names of the same bots: how they were trained, and what the thesis calls its mappings."""

_FILE = re.compile(r"(?P<path>.+\.py):(?P<name>\w+)(?::(?P<arguments>.*))?", re.DOTALL)
_OPTION = re.compile(r"([a-z][a-z0-9_-]*)=(.*)", re.DOTALL)


def make_bot(text: str) -> Bot:
    """Make the bot that a text names.

    Examples
    --------
    >>> type(make_bot("caller")).__name__, make_bot("raiser:all-in").all_in
    ('Caller', True)
    >>> make_bot("random:0,2,1").call
    2.0
    >>> make_bot("riser")
    Traceback (most recent call last):
    ValueError: no bot 'riser', did you mean raiser? (caller, raiser, ...; or a class of a
    Python file, my_bot.py:Simple)
    >>> make_bot("random:1,two")
    Traceback (most recent call last):
    ValueError: bot 'random:1,two': call takes a number, not 'two'
    """
    match = _FILE.fullmatch(text)
    if match is not None:
        made_of = _class_of_file(Path(match["path"]), match["name"])
        arguments = match["arguments"] or ""
    else:
        name, _, arguments = text.partition(":")
        entry = _BOTS.get(_ALIASES.get(name, name))
        if entry is None:
            near = get_close_matches(name, [*_BOTS, *_ALIASES], n=1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise ValueError(
                f"no bot {shorten(name)!r}{hint} ({', '.join(_BOTS)}; or a class of a Python"
                " file, my_bot.py:Simple)"
            )
        module, _, class_name = entry.home.partition(":")
        made_of = _class(import_module(module), class_name)
    try:
        values, options = _arguments(made_of, arguments)
    except ValueError as error:
        raise ValueError(f"bot {shorten(text)!r}: {error}") from None
    try:
        return made_of(*values, **options)
    except BaseException as error:
        # Ours say what is wrong with the text; in the user's file the line matters.
        ours = match is None and isinstance(error, ValueError | TypeError | OSError)
        said = str(error) if ours else failure_text(error)
        raise ValueError(f"bot {shorten(text)!r}: {said}") from error


def _class(module: ModuleType, name: str) -> type[Bot]:
    found: type[Bot] = getattr(module, name)
    return found


def bot_names() -> dict[str, str]:
    """List the catalogue: names and one line about each.

    Examples
    --------
    >>> bot_names()["caller"]
    'checks and calls'
    """
    return {name: entry.description for name, entry in _BOTS.items()}


def bot_aliases() -> dict[str, str]:
    """The other names of bots of the catalogue.

    Examples
    --------
    >>> bot_aliases()["hbb3"], bot_aliases()["cfr2"]
    ('map-pot', 'limit2')
    """
    return dict(_ALIASES)


def _arguments(made_of: type[Bot], text: str) -> tuple[list[Any], dict[str, Any]]:
    """Cut the text after the colon into arguments of the class, of the types that it takes."""
    known = {
        _spelled(name): parameter
        for name, parameter in inspect.signature(made_of).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    places = [p for p in known.values() if p.kind == p.POSITIONAL_OR_KEYWORD]
    takes = f"it takes {', '.join(known) or 'no arguments'}"
    values: list[Any] = []
    options: dict[str, Any] = {}
    parts = text.split(",") if text else []
    if parts and places and _kind(places[0]) == "text":
        # A file or a command may have commas of its own: it ends where an argument begins.
        names = [_spelled(part.partition("=")[0]) for part in parts]
        first = 1 if places[0].default is places[0].empty else 0
        ends = [place for place in range(first, len(parts)) if names[place] in known]
        end = ends[0] if ends else len(parts)
        if end:
            values.append(",".join(parts[:end]))
        parts = parts[end:]
    for part in parts:
        match = _OPTION.fullmatch(part)
        name = _spelled(match[1] if match else part)
        if match is not None:
            if name not in known:
                raise ValueError(f"{match[1]!r} is not known, {takes}")
            options[known[name].name] = _value(known[name], match[2])
        elif _kind(known.get(name)) == "switch":
            options[known[name].name] = True
        elif len(values) < len(places):
            values.append(_value(places[len(values)], part))
        else:
            raise ValueError(f"{part!r} is too much, {takes}")
    for name, parameter in list(known.items())[len(values) :]:
        if parameter.default is parameter.empty and parameter.name not in options:
            raise ValueError(f"{name} is missing, {takes}")
    return values, options


def _spelled(name: str) -> str:
    """The name of an argument as it is written: ``raise`` for ``raise_``, ``all-in``."""
    return name.strip("_").replace("_", "-")


def _kind(parameter: inspect.Parameter | None) -> str:
    """What an argument is, by its type: a switch, a whole number, a number or a text."""
    if parameter is None:
        return ""
    words = re.findall(r"\w+", inspect.formatannotation(parameter.annotation))
    for word, kind in (("bool", "switch"), ("float", "number"), ("int", "whole number")):
        if word in words:
            return kind
    return "text"


def _value(parameter: inspect.Parameter, text: str) -> Any:
    kind = _kind(parameter)
    if kind == "text":
        return text
    try:
        if kind == "switch":
            return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
        if not text.isascii():  # Python also reads digits of other alphabets
            raise ValueError
        return int(text) if kind == "whole number" else float(text)
    except (ValueError, KeyError):
        accepted = "yes or no" if kind == "switch" else f"a {kind}"
        raise ValueError(
            f"{_spelled(parameter.name)} takes {accepted}, not {shorten(text)!r}"
        ) from None


def _class_of_file(path: Path, name: str) -> type[Bot]:
    """The bot of a user's file."""
    module = _load_file(path)
    made_of = getattr(module, name, None)
    if isinstance(made_of, type) and issubclass(made_of, Bot):
        return made_of
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    bots = [
        found.__name__
        for found in classes
        if issubclass(found, Bot) and found.__module__ == module.__name__
    ]
    there = f"its bots are {', '.join(bots)}" if bots else "it has no class derived from Bot"
    raise ValueError(f"{path}: {name} is not a bot ({there})")


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    name = f"pokerlab_user_{path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # data classes look for the module of their class
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        raise ValueError(f"{path}: {failure_text(error)}") from error
    return module
