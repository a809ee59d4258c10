"""Those who play: strategies and how they are looked up, models of opponents, bots."""
