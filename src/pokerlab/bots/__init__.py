"""Players: each is a policy from the view of a seat to an action.

A player is a `Bot`: write `act`, and it can sit at any table of the arena. `make_bot` makes one
from its name (`bot_names` lists them), `my_bot.py:Simple` being the name of your own::

    from pokerlab.bots import Bot

    class Simple(Bot):
        def act(self, view):
            high, low = sorted((card // 4 for card in view.holes[view.player]), reverse=True)
            if high == low or high == 12:
                return "r" if "r" in view.actions() else "c"
            return "f" if view.to_call else "c"

It plays with ``pokerlab match holdem.limit.2p my_bot.py:Simple caller --hands 10000``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
