"""Files of hand histories in the PHH format: ``.phh`` holds one hand, ``.phhs`` many.

What a hand looks like is in `pokerlab.games.formats.phh`. PHH has variants for limit and
no-limit hold'em; of draw games it has lowball ones only, and none for Kuhn or Leduc.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.unfinished import UnfinishedLog
from pokerlab.games.definition import BettingGame
from pokerlab.games.formats.phh import HandRecord, format_hand_history, parse_hand_histories
from pokerlab.runtime.errors import one_line
from pokerlab.runtime.files.text_lines import whole_text


def write_phh(path: Path | str, hands: Iterable[PlayedHand]) -> None:
    """Write hands to a file, as an `UnfinishedLog` until the last of them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> deal = game.make_deal(["AsKd", "QhQc"])
    >>> hand = PlayedHand(game, 0, deal, ("ann", "bob"), "rf", (-10.0, 10.0))
    >>> with TemporaryDirectory() as folder:
    ...     write_phh(Path(folder) / "night.phhs", [hand, hand])
    ...     print([again == hand for again in read_phh(Path(folder) / "night.phhs")])
    [True, True]
    """
    path = Path(path)
    if path.suffix not in (".phh", ".phhs"):
        raise ValueError(f"{path}: the name must end in .phh (one hand) or .phhs (many)")
    written = 0
    with UnfinishedLog(path) as file:
        for written, hand in enumerate(hands, start=1):
            text = format_hand_history(hand.final, hand.players, hand.number) + "\n"
            if path.suffix == ".phhs":
                text = f"[{written}]\n{text}"
            elif written > 1:
                raise ValueError(f"{path}: a .phh file holds one hand; name it .phhs for more")
            file.write(text)
            file.flush()
        if written == 0 and path.suffix == ".phh":
            raise ValueError(f"{path}: a .phh file holds one hand, none was given")


def read_phh(path: Path | str, *, partial: bool = False) -> Iterator[PlayedHand]:
    """Read the hands of a file, one or many; `ValueError` names the hand that is wrong.

    Every hand is played again by our rules. Hands without a number get their place in the file,
    from 0.

    Parameters
    ----------
    path
        The file.
    partial
        Take what there is of a file that `write_phh` could not write to its end: all hands before
        the first that is cut.
    """
    text = whole_text(path)
    records = _before_cut(text) if partial else parse_hand_histories(text)
    try:
        for place, record in enumerate(records):
            assert isinstance(record.final.game, BettingGame)
            yield PlayedHand(
                record.final.game,
                place if record.number is None else record.number,
                record.final.deal,
                record.players,
                record.final.betting,
                record.payoffs,
            )
    except ValueError as error:
        raise ValueError(f"{path}: {one_line(str(error), 400)}") from None


def _before_cut(text: str) -> Iterator[HandRecord]:
    """The hands that are complete: each ends with an empty line."""
    for hand in re.split(r"^(?=\[\d+\]$)", text, flags=re.MULTILINE):
        if hand.endswith("\n\n"):
            yield from parse_hand_histories(hand)
