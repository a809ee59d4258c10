"""A person at the terminal: the hand is shown in words, answers are read from a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from pokerlab.arena.person_words import (
    action_sentence,
    answer_keys,
    chips_text,
    choices_sentence,
    read_action,
    street_name,
)
from pokerlab.cards.codes import format_cards
from pokerlab.games import Betting, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import PlayerLeaves

_RED = (1, 2)
_HELP = {
    "f": "fold",
    "c": "check or call (also: check, call, x)",
    "r": "bet or raise (also: raise, bet, b)",
    "size": "bet or raise to this many chips on this street: 300, r300, 3bb; or by a share of the "
    "pot: 50%, pot; a is all-in",
    "d": "cards to exchange by place (1 3) or by name (2c 7h); 0 keeps all",
    "q": "leave the table",
}


class PlayerLeft(PlayerLeaves):
    """The person has left the table: not an error.

    Its cause, if it has one, is an error of the terminal: nobody can be asked any more.
    """


class HumanBot(Bot):
    """Asks a person.

    Parameters
    ----------
    console
        Where to show it.
    ask
        Prints a prompt and gives the line that was typed; raises `EOFError` at the end.
    names
        The players of the match, by number; number 0 is the person.
    known
        The actions that a solution knows at a node, where a solved spot is played.
    """

    def __init__(
        self,
        console: Console,
        ask: Callable[[str], str],
        names: Sequence[str] = ("you", "bot"),
        known: Callable[[Betting], Sequence[str]] | None = None,
    ) -> None:
        self.console = console
        self.ask = ask
        self.names = names
        self.known = known
        self._at_table: Sequence[int] = range(len(names))
        self._events_shown = 0
        self._board = 0

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Begin a hand: nothing of it has been shown yet."""
        self._at_table = players
        self._events_shown = 0
        self._board = 0

    def act(self, view: DealtState) -> str:
        """Show the actions so far, and ask until an answer is legal."""
        try:
            return self._ask(view)
        except Exception as error:
            raise PlayerLeft from error

    def _ask(self, view: DealtState) -> str:
        self.show_events(view)
        self.console.print(self._situation(view), soft_wrap=True)
        known = None if self.known is None else self.known(view.node) or None
        sentence = choices_sentence(view, known)
        self.console.print(Text(f"  {sentence}, q leaves", style="cyan"), soft_wrap=True)
        while True:
            try:
                answer = self.ask("> ").strip()
            except EOFError:
                raise PlayerLeft from None
            if answer.lower() in ("q", "quit", "exit"):
                raise PlayerLeft
            if answer.lower() in ("?", "h", "help"):
                for key in answer_keys(view):
                    self.console.print(
                        Text(f"  {'number' if key == 'size' else key:>6}  {_HELP[key]}")
                    )
                continue
            try:
                return read_action(view, answer)
            except ValueError as error:
                self.console.print(Text(f"  {error}", style="yellow"))

    def end(self, view: DealtState) -> None:
        """Show the rest of the betting and of the board."""
        try:
            self.show_events(view)
        except Exception as error:
            raise PlayerLeft from error

    def name_at(self, seat: int) -> str:
        """Who sits at a position."""
        return self.names[self._at_table[seat]]

    def show_events(self, view: DealtState) -> None:
        """The others' actions and the new cards since the person last acted."""
        number = 0
        for number, (node, action) in enumerate(view.node.path(), 1):
            self._show_board(view, node.street)
            if number > self._events_shown:
                self.console.print(self._event(node, action))
        self._show_board(view, view.street)
        self._events_shown = number

    def _show_board(self, view: DealtState, street: int) -> None:
        game = view.game
        for passed in range(street + 1):
            count = game.board_cards[passed]
            if count > self._board and len(view.board) >= count:
                self._board = count
                line = Text(f"  {street_name(game, passed)}  ", style="bold")
                self.console.print(line.append_text(card_text(view.board[:count])))

    def _event(self, node: Betting, action: str) -> Text:
        who = self.name_at(node.player)
        verb = action_sentence(node, action, second_person=self._at_table[node.player] == 0)
        return Text(f"  {who} {verb}", style="dim" if who == self.names[0] else "")

    def _situation(self, view: DealtState) -> Text:
        seat = view.player
        line = Text("  you hold ").append_text(card_text(view.holes[seat]))
        if view.board:
            line.append("  board ").append_text(card_text(view.board))
        line.append(f"  pot {chips_text(view.node, view.pot)}")
        if view.game.stacks:
            stacks = [chips_text(view.node, left) for left in view.stacks]
            line.append(f"  you have {stacks[seat]}")
            others = [
                f"{self.name_at(other)} {stacks[other]}"
                for other in view.node.live
                if other != seat
            ]
            line.append(f" ({', '.join(others)})", style="dim")
        return line


def card_text(cards: Iterable[int]) -> Text:
    """Cards with suit symbols, red ones red."""
    line = Text()
    for number, card in enumerate(cards):
        line.append(" " if number else "")
        style = "bold red" if card & 3 in _RED else "bold"
        line.append(format_cards([card], symbols=True), style=style)
    return line
