"""The picture of the experts: what each bot wins from each pair of opponents."""

from __future__ import annotations

from pokerlab.studies.mapping.plan import PAIRS
from pokerlab.studies.stitching.plan import BIASED, LONG_BOTS, StitchingResults
from pokerlab.views.figure_file import COLOURS, panel_file


def draw_scores(results: StitchingResults) -> bytes:
    """Scores with their errors; experts and biases have colours of their own (SVG)."""
    with panel_file(1, len(PAIRS), 3.4, 3.8, same_scale=True) as (panels, file):
        for axes, pair in zip(panels, PAIRS, strict=True):
            for place, bot in enumerate(reversed(LONG_BOTS)):
                result = results.long_match(bot, pair).result
                kind = 1 if "experts" in bot else 2 if bot in BIASED else 0
                axes.errorbar(
                    result.mbb_per_hand[0],
                    place,
                    xerr=result.stderr[0],
                    color=COLOURS[kind],
                    marker="o",
                    markersize=4,
                    capsize=2,
                )
            axes.axvline(0, color="#999999", linewidth=0.7)
            axes.set_title(f"against {' and '.join(pair)}", loc="left", fontsize=10)
            axes.set_xlabel("mbb/g")
            axes.set_yticks(range(len(LONG_BOTS)), reversed(LONG_BOTS), fontsize=8)
    return file.getvalue()
