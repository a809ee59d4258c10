"""Drills: you play hands of a solution against the solution, and each action is judged.

A `DrillSession` deals hands of a solved spot, or of a batch of them (`open_source`), as often as
they arrive where the drill begins. You sit in one seat; the other plays the strategy of the
solution with the hand that it was dealt. You choose among the actions of the solution's tree, and
after each the session says what every action is worth with your hand (`Judgement`), if both go on
as the solution does. A `DrillScore` sums up, and decisions that went wrong come back until they are
played well.

Results are lines of a file that is only ever added to (`open_log`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
