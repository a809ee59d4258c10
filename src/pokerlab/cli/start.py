"""Where the `pokerlab` program begins and ends: quietly, if Ctrl-C is pressed while it imports."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Import the command line, and run it."""
    try:
        from pokerlab.cli.main import main as run

        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("interrupted; nothing was saved", file=sys.stderr)
        raise SystemExit(130) from None
    finally:
        # Python looks for garbage once more when it ends, for as long as a small solve takes.
        gc.freeze()


if __name__ == "__main__":
    main()
