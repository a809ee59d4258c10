"""Pictures of buckets: how strong their hands become on the river."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.holdem.limit.buckets.survey import StreetSurvey
from pokerlab.views.figure_file import COLOURS, figure_file


def draw_buckets(
    surveys: Sequence[StreetSurvey],
    chosen: Mapping[str, Sequence[int]],
    *,
    title: str,
    kind: str = "svg",
) -> bytes:
    """Draw histograms of river strength, a row of panels a street; the bytes of a PNG or SVG file.

    Parameters
    ----------
    surveys
        What is in the buckets of each street.
    chosen
        By street, the buckets to draw.
    title
        What stands above.
    kind
        ``png`` or ``svg``.
    """
    columns = max(len(chosen[survey.street]) for survey in surveys)
    width, height = max(1.35 * columns, 5.0) + 0.8, 1.35 * len(surveys) + 0.6
    with figure_file(width, height, kind) as (figure, file):
        panels = figure.subplots(len(surveys), columns, squeeze=False, sharex=True)
        figure.subplots_adjust(
            left=0.8 / width,
            right=0.98,
            top=1 - 0.55 / height,
            bottom=0.3 / height,
            hspace=0.5,
            wspace=0.12,
        )
        figure.suptitle(title, x=0.8 / width, ha="left", fontsize=10.5)
        for row, survey in zip(panels, surveys, strict=True):
            edges = np.linspace(0.0, 1.0, survey.histograms.shape[1] + 1)
            for place, axes in enumerate(row):
                if place >= len(chosen[survey.street]):
                    axes.set_visible(False)
                    continue
                bucket = chosen[survey.street][place]
                axes.stairs(survey.histograms[bucket], edges, fill=True, color=COLOURS[0])
                axes.set_title(f"{bucket:,} ({survey.shares[bucket]:.1%})", fontsize=8)
                axes.set_xlim(0.0, 1.0)
                axes.set_xticks([0.0, 0.5, 1.0], ["0", "½", "1"])
                axes.set_yticks([])
                for side in ("top", "right", "left"):
                    axes.spines[side].set_visible(False)
            row[0].set_ylabel(survey.street)
    return file.getvalue()
