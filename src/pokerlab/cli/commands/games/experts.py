"""Training of heads-up experts, for `pokerlab train` and `pokerlab reproduce mapping`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pokerlab.cli.options.files import saving
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.plain_text import tell

if TYPE_CHECKING:
    from pokerlab.games import BettingGame


class ExpertRecipe(NamedTuple):
    """How heads-up experts are trained.

    Attributes
    ----------
    buckets
        Their buckets of cards.
    deals
        Of all experts together.
    least
        Lines that the base strategy reaches less often have no expert.
    threads, boards
        As those of a training.
    """

    buckets: str
    deals: int
    least: float = 0.0005
    threads: int | None = None
    boards: int = 20


def train_experts(
    base_file: Path,
    folder: Path,
    recipe: ExpertRecipe,
    seed: int,
    *,
    game: BettingGame | None = None,
    quiet: bool,
) -> dict[str, int]:
    """Train the experts that are missing, line by line: the deals of each line.

    Those that are there stay: after Ctrl-C or a kill the same command goes on. `ValueError` where
    they were trained on other deals or buckets, from another base or with another seed, or the
    base is not a strategy of the `game`.
    """
    from pokerlab.holdem.limit.sampling.bucketed_game import same_rules
    from pokerlab.players.strategies.experts import share_deals, train_expert
    from pokerlab.players.strategies.limit_file import LimitStrategy
    from pokerlab.runtime.files.tensor_map import read_header

    base = LimitStrategy.load(base_file)
    if base.game.game.players < 3 or base.game.line:
        raise ValueError(f"{base_file}: experts need a strategy of a whole game for three")
    if game is not None and not same_rules(game, base.game.game):
        raise ValueError(
            f"{base_file}: this is a strategy of {base.game.game.name}, not {game.name}"
        )
    shared = share_deals(base, recipe.deals, recipe.least)
    origin = {"base": read_header(base_file).metadata["hash"], "seed": str(seed)}
    files = {line: folder / f"{line}.safetensors" for line in shared}
    missing = [line for line, file in files.items() if not file.is_file()]
    for line in sorted(set(files) - set(missing)):
        kept = LimitStrategy.load(files[line])
        if (kept.iterations, kept.game.name) != (shared[line], recipe.buckets):
            raise ValueError(
                f"{files[line]}: trained on {kept.iterations:,} deals with {kept.game.name}, not on"
                f" {shared[line]:,} with {recipe.buckets}; choose another folder"
            )
        if not origin.items() <= read_header(files[line]).metadata.items():
            raise ValueError(
                f"{files[line]}: trained from another strategy than {base_file}, or with another"
                f" seed than {seed}; choose another folder"
            )
    folder.mkdir(parents=True, exist_ok=True)
    if missing and not quiet:
        tell(f"training {len(missing)} experts with {recipe.buckets}: {folder}")
    there = len(shared) - len(missing)
    try:
        with (
            building_progress(quiet=quiet),
            counting_progress(len(shared), "experts", quiet=quiet, done=there) as show,
        ):
            for place, line in enumerate(missing, 1):
                training = train_expert(
                    base,
                    line,
                    recipe.buckets,
                    shared[line],
                    seed=seed,
                    threads=recipe.threads,
                    boards=recipe.boards,
                )
                if training.run.interrupted:
                    raise KeyboardInterrupt
                with saving(files[line], "expert"):
                    LimitStrategy.of(training).save(files[line], entries=origin)
                show(there + place)
    except KeyboardInterrupt:
        raise CutShortError(f"the experts in {folder} are kept; the same command goes on") from None
    return shared
