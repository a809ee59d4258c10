"""The one console of the command line: it prints text and obeys no markup in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from pokerlab.cli.shared.plain_text import plain, visible


class Terminal(Console):
    """A console without markup, emoji codes and guessed colours; control characters are shown.

    Styled parts are `rich.text.Text`: see `pokerlab.cli.shared.output.bold`.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, highlight=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Let the error pass, which Rich would turn into exit code 1."""
        raise

    def _shown(self, text: str) -> str:
        return plain(visible(text), self.encoding)

    def render_str(self, text: str, **options: Any) -> Text:
        """Strings in tables and lines, before their width is measured."""
        return super().render_str(self._shown(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Everything else that is drawn."""
        for segment in super().render(renderable, options):
            if segment.control or (segment.text.isascii() and segment.text.isprintable()):
                yield segment
            else:
                yield Segment(self._shown(segment.text), segment.style)
