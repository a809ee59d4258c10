"""Matches and tournaments as notebooks show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pokerlab.views.pictures.tables import block_html, number_text, table_html

if TYPE_CHECKING:
    from pokerlab.arena.results import MatchResult
    from pokerlab.arena.tournaments import Tournament


def match_html(match: MatchResult) -> str:
    """What each bot of a match won."""
    rows = [
        [name, number_text(chips, 0), number_text(mean, 1), number_text(error, 1)]
        for name, chips, mean, error in zip(
            match.names, match.chips, match.mbb_per_hand, match.stderr, strict=True
        )
    ]
    kind = "duplicate match" if match.plan.duplicate else "match"
    title = f"{escape(match.plan.game)}: {kind} of {match.hands:,} hands"
    return block_html(title, table_html(["bot", "chips", "mbb/hand", "± error"], rows))


def tournament_html(result: Tournament) -> str:
    """The ranks of the bots of a tournament, what they won, and the cycles that are clear."""
    bankroll, run_off, scores = result.bankroll(), result.run_off(), result.scores()
    rows = [
        [
            bot,
            str(bankroll[bot]),
            str(run_off[bot]),
            number_text(scores[bot].chips, 0),
            number_text(scores[bot].mbb_per_hand, 1),
            number_text(scores[bot].stderr, 1),
        ]
        for bot in sorted(result.bots, key=lambda bot: bankroll[bot])
    ]
    headings = ["bot", "bankroll", "run-off", "chips", "mbb/hand", "± error"]
    title = f"{len(result.bots)} bots, {len(result.results):,} matches"
    cycles = [
        f"<p>{escape(' beats '.join((*cycle.bots, cycle.bots[0])))}: weakest z"
        f" {cycle.weakest:.1f}, p {cycle.p:.2g}</p>"
        for cycle in result.cycles()
        if cycle.clear
    ]
    return block_html(title, table_html(headings, rows), *cycles)
