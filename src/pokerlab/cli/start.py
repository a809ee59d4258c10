"""Where the `pokerlab` program begins: Ctrl-C while the rest is imported ends it quietly."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Import the command line, and run it."""
    try:
        from pokerlab.cli.main import main as run

        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("interrupted; nothing was saved", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
