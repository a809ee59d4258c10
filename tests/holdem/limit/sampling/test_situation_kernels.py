import pytest

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.trainer import Trainer


@pytest.mark.parametrize("rule", ["linear", "cfr"])
def test_fictitious_play_on_random_situations_nears_equilibrium(rule):
    game = BucketedGame.of(load_betting_game("kuhn"), "each")
    trainer = Trainer(game, "situations", rule, threads=1, seed=3)
    trainer.iterate(2_000)
    early = trainer.exploitability()
    trainer.iterate(200_000)
    assert trainer.exploitability() < min(early, 0.01)


def test_it_knows_no_bound_players():
    game = BucketedGame.of(load_betting_game("kuhn"), "each")
    with pytest.raises(ValueError, match="situations learns no responses"):
        Trainer(game, "situations", threads=1, restriction=object())
