"""Who plays in the reproduction of the thesis, and who stands in for whom.

The thesis's opponents are not to be had. In their places play:

- fair for dpp, the mathematically fair bot;
- montecarlo for akuma, a simulation with a model of its opponents;
- a hybrid for ownbot: fair while three are in, the two-player strategy through HBB2 once somebody
  has folded (ownbot also ignored the player who had folded, and had rules for three players).

`OWN_MAPPINGS` is the one place that names our own mappings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pokerlab.players.bots

THESIS_MAPPINGS = ("HBB1", "HBB2", "HBB3", "HBB4", "HBB5")
OWN_MAPPINGS = ("HBB6", "HBB7")
THREE_PLAYER_BOT = "CFR3"
STITCHED = "+experts"
"""Behind a label: with heads-up experts stitched in."""

STAND_INS = {
    "RaiseBot": "raiser",
    "CallBot": "caller",
    "RandomBot": "random",
    "dpp": "fair",
    "akuma": "montecarlo",
    "ownbot": "hybrid:hbb2",
}
"""Bots of the catalogue by the names of the thesis."""

TUNED_STAND_INS = {"akuma-tuned": "fair:caution=0.31", "ownbot-tuned": "hybrid:hbb2,caution=0.25"}
"""Stand-ins that win about as much from RaiseBot and CallBot as the thesis's table 1 says (289 and
794 mbb/g; measured 246 ± 49 and 733 ± 60 in 30,000 hands). Those two never fold, so that nothing
but the caution of the fair bot decides there; no other cell of the table is tuned."""

FAIR_PAIR = ("dpp", "dpp")
STRONG_PAIR = ("akuma", "ownbot")
THREE_PLAYER_PAIR = (THREE_PLAYER_BOT, THREE_PLAYER_BOT)


def with_options(bot: str, *options: str) -> str:
    """The label of a mapping with options, which is also how its text is made.

    Examples
    --------
    >>> with_options("HBB2", "nearest=5", "weighted"), with_options("HBB2")
    ('HBB2,nearest=5,weighted', 'HBB2')
    """
    return ",".join((bot, *options))


@dataclass(frozen=True)
class Entrants:
    """The bots with the strategies that they play.

    Labels are short names that no folder changes: ``HBB2``, ``HBB2,nearest=5``, ``dpp``,
    ``hybrid HBB2``, ``hybrid HBB2,preflop``.

    Attributes
    ----------
    two_player, three_player
        Files of the strategies.
    experts
        The folder of the heads-up experts, if any play: ``CFR3+experts``, ``dpp+experts``.

    Examples
    --------
    >>> entrants = Entrants(Path("two"), Path("three"))
    >>> entrants.text("HBB2,nearest=5"), entrants.text("CFR3"), entrants.text("dpp")
    ('hbb2:two,nearest=5', 'cfr3:three', 'fair')
    >>> entrants.text("hybrid HBB4,preflop"), entrants.text("ownbot")
    ('hybrid:hbb4:two,preflop', 'hybrid:hbb2:two')
    >>> entrants.text("akuma-tuned"), entrants.text("ownbot-tuned")
    ('fair:caution=0.31', 'hybrid:hbb2:two,caution=0.25')
    >>> entrants.text("HBB5,folds,postflop")
    'hbb5:two,folds=three,postflop'
    >>> Entrants(Path("two"), Path("three"), Path("four")).text("HBB7+experts")
    'stitched:hbb7:two,experts=four'
    >>> entrants.text("hyperborean")
    Traceback (most recent call last):
    ValueError: nobody is called 'hyperborean' here (HBB1 to HBB7, CFR3, RaiseBot, CallBot,
    RandomBot, dpp, akuma, ownbot)
    """

    two_player: Path
    three_player: Path
    experts: Path | None = None

    def text(self, label: str) -> str:
        """The text from which `make_bot` makes the bot."""
        if label.endswith(STITCHED) and self.experts is not None:
            return f"stitched:{self.text(label.removesuffix(STITCHED))},experts={self.experts}"
        name, comma, options = TUNED_STAND_INS.get(label, label).partition(",")
        options = options.replace("folds", f"folds={self.three_player}")
        name = STAND_INS.get(name, name)
        if name == THREE_PLAYER_BOT:
            return f"cfr3:{self.three_player}"
        kind, _, mapping = name.rpartition(" " if " " in name else ":")
        known = mapping.upper() in THESIS_MAPPINGS + OWN_MAPPINGS
        if known and kind in ("", "hybrid"):
            before = f"{kind}:" if kind else ""
            return f"{before}{mapping.lower()}:{self.two_player}{comma}{options}"
        if name in (*STAND_INS.values(), *TUNED_STAND_INS.values()):
            return name
        mappings = THESIS_MAPPINGS + OWN_MAPPINGS
        raise ValueError(
            f"nobody is called {label[:60]!r} here ({mappings[0]} to {mappings[-1]},"
            f" {THREE_PLAYER_BOT}, {', '.join(STAND_INS)})"
        )

    def texts(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The texts of some bots."""
        return tuple(map(self.text, labels))

    @cached_property
    def digest(self) -> str:
        """Changes when a strategy or a bot does: what they played before is then no answer."""
        found = hashlib.sha256()
        experts = [] if self.experts is None else sorted(self.experts.glob("*.safetensors"))
        for file in (self.two_player, self.three_player, *experts, *_sources()):
            with file.open("rb") as content:
                found.update(hashlib.file_digest(content, "sha256").digest())
        return found.hexdigest()


def _sources() -> list[Path]:
    """What the bots are made of."""
    folder = Path(pokerlab.players.bots.__file__).parent
    return sorted(file for file in folder.rglob("*") if file.suffix in (".py", ".csv"))
