"""`pokerlab play`: sit down at a table yourself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.play.match import game_with_stack
from pokerlab.cli.options import declared as options
from pokerlab.cli.terminal.asking import asker
from pokerlab.cli.terminal.debugging import bots_at_work, let_go, tracebacks
from pokerlab.cli.terminal.output import new_console, print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.cli.shared.explaining import Explainer
    from pokerlab.cli.terminal.human import HumanBot
    from pokerlab.games import BettingGame, Deal
    from pokerlab.players.bots.bot import Bot


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("play")(_play)


def _play(
    game: Annotated[options.Game, "Or a solution to play."] = "holdem.nolimit.2p",
    against: Annotated[
        list[str] | None,
        "A bot to play against; again for more of them. By default a solution plays "
        "itself, and fair plays everything else.",
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option("--seat", min=0, help="Always sit here; by default seats go round."),
    ] = None,
    hands: Annotated[options.Hands, "Until q by default."] = None,
    stack: options.GameStack = None,
    blinds: Annotated[
        str | None,
        "Chips of the blinds, for example 1/2, or 50/100/10 with an ante of 10 for each player; "
        "stacks keep their big blinds.",
    ] = None,
    debug: options.Debug = False,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Play against bots; after each hand the others' cards are shown.

    After a hand against nolimit, why explains it: both ranges at each decision, what it played by,
    and what your actions were worth.
    """
    with bots_at_work(debug=debug) if as_json else tracebacks(debug):
        game = game_with_stack(game, stack)
        result = _play_hands(game, against, seat, hands, seed, blinds, as_json=as_json)
    if as_json:
        print_json(result)


def _play_hands(
    game: str,
    against: list[str] | None,
    seat: int | None,
    hands: int | None,
    seed: int,
    blinds: str | None,
    *,
    as_json: bool,
) -> dict[str, Any]:
    from pokerlab.cli.terminal.human import HumanBot
    from pokerlab.games.loading import with_blinds
    from pokerlab.players.bots.catalogue import make_bot
    from pokerlab.players.strategies import SpotGame, open_strategy

    solved = _is_solution(game)
    own = against is None and solved
    names = ["solution"] if own else against or ["fair"]
    rules = _load(game, names)
    if blinds is not None:
        rules = with_blinds(rules, blinds, "--blinds")
    if len(names) == 1:
        names = names * (rules.players - 1)
    if seat is not None and seat >= rules.players:
        raise ValueError(f"--seat {seat}: {rules.name} has the seats 0 to {rules.players - 1}")
    opponents = [_solution_bot(game) if own else make_bot(name) for name in names]
    console = new_console(stderr=as_json)
    known = open_strategy(game).actions if isinstance(rules, SpotGame) and solved else None
    human = HumanBot(console, asker(console), ["you", *_different(_short(names))], known)
    explainer = _explainer(opponents, human)
    try:
        table = PlayingTable(rules, human, opponents, seat, seed, explainer)
        table.play(hands)
    finally:
        for bot, name in zip(opponents, names, strict=True):
            let_go(bot, name)
    scores = dict(zip(human.names, table.scores, strict=True))
    result: dict[str, Any] = {"hands": table.played, "scores": scores}
    return result if explainer is None else {**result, "why": explainer.asked}


def _explainer(opponents: list[Bot], human: HumanBot) -> Explainer | None:
    """What explains hands, where the only opponent can; it then says when it thinks."""
    from pokerlab.players.bots.nolimit.bot import NolimitBot

    bot = opponents[0]
    if len(opponents) > 1 or not isinstance(bot, NolimitBot):
        return None
    from pokerlab.cli.shared.explaining import Explainer, ThinkingBot, patience

    human.console.print(patience(bot))
    opponents[0] = ThinkingBot(bot, human, human.names[1])
    return Explainer(bot, human.console, human.ask)


def _is_solution(game: str) -> bool:
    from pokerlab.runtime.files.tensor_map import is_tensor_file

    return is_tensor_file(game)


def _solution_bot(file: str) -> Bot:
    from pokerlab.players.bots.strategy_bot import StrategyBot

    return StrategyBot(file)


def _load(game: str, against: list[str]) -> BettingGame:
    """The game, with a seat for each bot where the number of seats is free."""
    from pokerlab.arena.matches import seat_players
    from pokerlab.games import load_betting_game

    if _is_solution(game) or Path(game).suffix.lower() == ".toml":
        from pokerlab.players.strategies import load_table_game

        rules = load_table_game(game)
    else:
        rules = load_betting_game(game)
    if len(against) == 1:
        return rules
    try:
        return seat_players(rules, 1 + len(against))
    except ValueError:
        raise ValueError(
            f"--against: {len(against)} bots and you are {1 + len(against)} players;"
            f" {rules.name} is a game for {rules.players}"
        ) from None


def _short(names: list[str]) -> list[str]:
    """Names without the options of `nolimit`, which are long."""
    return ["nolimit" if name.startswith("nolimit:") else name for name in names]


def _different(names: list[str]) -> list[str]:
    """Names that can be told apart: the second ``fair`` is ``fair#2``."""
    return [
        name if names[:number].count(name) == 0 else f"{name}#{names[:number].count(name) + 1}"
        for number, name in enumerate(names)
    ]


class PlayingTable:
    """Hands one after the other, and the score.

    `after` is called when a hand is over; where it says False, the person leaves.
    """

    def __init__(
        self,
        game: BettingGame,
        human: HumanBot,
        opponents: list[Bot],
        seat: int | None,
        seed: int,
        after: Callable[[PlayedHand], bool] | None = None,
    ) -> None:
        import numpy as np

        from pokerlab.players.bots.failures import reset_bot

        self.game, self.human, self.seat, self._after = game, human, seat, after
        self.bots: list[Bot] = [human, *opponents]
        self.played = 0
        self.scores = [0.0] * len(self.bots)
        cards, *seeds = np.random.SeedSequence(seed).spawn(1 + len(self.bots))
        self.cards = np.random.default_rng(cards)
        for bot, name, own in zip(self.bots, human.names, seeds, strict=True):
            reset_bot(bot, name, game, np.random.default_rng(own))

    def play_one(self) -> PlayedHand:
        """Play the next hand alone; `PlayerLeft` where the person leaves."""
        return self._play_hand(self.played, self.game.deal(self.cards))

    def play(self, hands: int | None) -> None:
        """Play until all hands are played or the person leaves, and say how it ended."""
        from pokerlab.cli.terminal.human import PlayerLeft

        console = self.human.console
        many = 2**40 if hands is None else hands
        console.print(f"{self.game.name}: {self.game.description}")
        try:
            for number, deal in enumerate(self.game.deals(self.cards, many)):
                hand = self._play_hand(number, deal)
                if self._after is not None and not self._after(hand):
                    console.print("  you leave the table")
                    break
        except (PlayerLeft, KeyboardInterrupt) as left:
            if left.__cause__ is not None:
                raise left.__cause__ from None
            console.print("  you leave the table; this hand does not count")
        self._say_goodbye()

    def _play_hand(self, number: int, deal: Deal) -> PlayedHand:
        from pokerlab.arena.table import play_hand

        console, seats = self.human.console, self.game.players
        turn = number if self.seat is None else self.seat
        at_table = [(position - turn) % seats for position in range(seats)]
        console.rule(f"hand {number + 1}, you are in seat {at_table.index(0)}", align="left")
        hand = play_hand(
            self.game,
            deal,
            [self.bots[player] for player in at_table],
            players=at_table,
            names=[self.human.names[player] for player in at_table],
            number=number,
        )
        self.played += 1
        for position, player in enumerate(at_table):
            self.scores[player] += hand.payoffs[position]
        self._show_result(hand, at_table)
        return hand

    def _show_result(self, hand: PlayedHand, at_table: list[int]) -> None:
        from rich.text import Text

        from pokerlab.arena.person_words import describe_hand
        from pokerlab.cli.terminal.human import card_text

        console, final = self.human.console, hand.final
        shown = len(final.node.live) > 1
        for position, player in enumerate(at_table):
            name = self.human.names[player]
            line = Text(f"  {name} {'have' if player == 0 else 'has'} ")
            line.append_text(card_text(final.holes[position]))
            if final.folded[position]:
                line.append(" (folded)", style="dim")
            elif shown and (worth := describe_hand(hand.game, final.holes[position], final.board)):
                line.append(f" ({worth})")
            console.print(line)
        for fault in hand.faults:
            name = self.human.names[at_table[fault.position]]
            console.print(Text(f"  {name} made a fault: {fault.why}", style="yellow"))
        won = hand.payoffs[at_table.index(0)]
        word = "you win" if won > 0 else "you lose" if won < 0 else "nobody wins anything,"
        amount = "" if won == 0 else f" {abs(won):,.10g}"
        style = "bold green" if won > 0 else "bold red" if won < 0 else "bold"
        score = f"score {self.scores[0]:+,.10g}"
        console.print(Text(f"  {word}{amount}", style=style).append(f"  {score}", style="dim"))

    def _say_goodbye(self) -> None:
        count = f"{self.played} hand{'' if self.played == 1 else 's'}"
        parts = [
            f"{name} {score:+,.10g}"
            for name, score in zip(self.human.names, self.scores, strict=True)
        ]
        self.human.console.print(f"{count} played: {', '.join(parts)}")
