"""A build of tiny strength tables, here or in a process of its own that tests can kill.

Each part of the build writes its number to its places of the tables. As a program: the file to
build and the seconds that a part takes; it prints each part that it has done.
"""

import importlib
import sys
import time
from pathlib import Path
from types import SimpleNamespace

PARTS = 12


def use_tiny_tables(change, pause=0.0, ran=print):
    """Make the tables tiny; `change` sets a name of an object, `ran` hears of each part."""
    module = importlib.import_module("pokerlab.holdem.limit.strength.tables")
    before_flop = module.hand_indexers()[0]
    later = [SimpleNamespace(size=size) for size in (300, 2000, 5000)]

    def parts(self):
        for part in range(PARTS):

            def work(part=part):
                self.before_flop[part] = part
                for table in (self.flop, self.turn, self.river):
                    table[..., part::PARTS] = part
                time.sleep(pause)
                ran(part)

            yield f"river {part}", work, 10

    change(module, "hand_indexers", lambda: (before_flop, *later))
    change(module, "_PARTS", PARTS)
    change(module._Works, "_parts", parts)
    return module


if __name__ == "__main__":
    tables = use_tiny_tables(setattr, float(sys.argv[2]), lambda part: print(part, flush=True))
    tables.build_strength_tables(Path(sys.argv[1]), threads=1)
