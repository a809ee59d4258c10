"""Files of hand histories in the PHH format: ``.phh`` holds one hand, ``.phhs`` many.

What a hand looks like is in `pokerlab.games.formats.phh`. PHH has variants for limit and
no-limit hold'em, and none for Kuhn, Leduc or five-card draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pokerlab.arena.hands import PlayedHand
from pokerlab.games.formats.phh import format_hand_history, parse_hand_histories

__all__ = ["read_phh", "write_phh"]


def write_phh(path: Path | str, hands: Iterable[PlayedHand]) -> None:
    """Write hands to a file; nothing is left behind if that fails.

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
    unfinished = path.with_name(path.name + ".part")
    written = 0
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            for written, hand in enumerate(hands, start=1):
                if path.suffix == ".phhs":
                    file.write(f"[{written}]\n")
                elif written > 1:
                    raise ValueError(f"{path}: a .phh file holds one hand; name it .phhs for more")
                file.write(format_hand_history(hand.final, hand.players, hand.number) + "\n")
        if written == 0 and path.suffix == ".phh":
            raise ValueError(f"{path}: a .phh file holds one hand, none was given")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def read_phh(path: Path | str) -> Iterator[PlayedHand]:
    """Read the hands of a file, one or many; `ValueError` names the hand that is wrong.

    Every hand is played again by our rules. Hands without a number get their place in the file,
    from 0.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        for place, record in enumerate(parse_hand_histories(text)):
            yield PlayedHand(
                record.final.game,
                place if record.number is None else record.number,
                record.final.deal,
                record.players,
                record.final.betting,
                record.payoffs,
            )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
