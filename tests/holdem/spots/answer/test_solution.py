import numpy as np
import pytest

import pokerlab as pl
from pokerlab.cards import combo_index, parse_cards
from pokerlab.cards.isomorphism.suits import permute_combos
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.holdem.spots import PostflopSolver, Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.solving import parse_target
from pokerlab.runtime.errors import DamagedFileError

OOP = "AA, KQs, JTs, T9s, 55, A5s:0.5"
IP = "QQ, AJs, KJs, 98s, 66:0.25"


@pytest.fixture(scope="module")
def turn():
    spot = Spot("QhJh2c4d", OOP, IP, pot=100, stack=150, bet="50%, a", raise_="a")
    return solve_spot(spot, target="0.2%", threads=1)


@pytest.fixture(scope="module")
def flop():
    # Spades and diamonds are alike.
    spot = Spot("QhJh2c", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    return solve_spot(spot, target="0.5%", threads=2)


def number(text):
    return combo_index(*parse_cards(text))


def test_the_certificate(turn):
    assert turn.exploitability.percent <= 0.2
    assert sum(turn.values) == pytest.approx(100)
    assert sum(turn.equities) == pytest.approx(1)
    gained = (sum(turn.best_values) - 100) / 2
    assert turn.exploitability.chips == pytest.approx(gained, abs=1e-9)
    assert turn.exploitability.mbb == pytest.approx(1000 * gained)


def test_the_root(turn):
    root = turn.at("")
    assert root.player == 0
    assert root.actions == ("x", "b50", "a")
    assert root.pot == 100
    assert root.mean_ev(0) == pytest.approx(turn.values[0], abs=1e-3)
    assert root.mean_ev(1) == pytest.approx(turn.values[1], abs=1e-3)
    assert root.mean_equity(0) == pytest.approx(turn.equities[0])
    assert root.frequencies.sum() == pytest.approx(1)
    played = root.strategy[:, ~np.isnan(root.strategy[0])]
    assert played.sum(axis=0) == pytest.approx(1)
    assert root.weights[0][number("Ah5h")] == 0.5


@pytest.mark.parametrize("line", ["x", "x/b50", "b50", "x/x/Ks", "x/x/2s/b50", "b50/c/7h/x"])
def test_ev_is_the_mean_over_the_own_actions(turn, line):
    """At a player's node, EV is the mean of the EVs behind the actions, less what they cost."""
    here = turn.at(line)
    total = np.zeros(1326)
    for action, share in zip(here.actions, here.strategy, strict=True):
        try:
            after = turn.at(f"{line}/{action}")
        except ValueError:  # a leaf, or a card must come
            return
        paid = after.pot - here.pot
        total += share * (after.ev[here.player] - paid)
    known = ~np.isnan(here.ev[here.player]) & (here.weights[here.player] > 0)
    np.testing.assert_allclose(total[known], here.ev[here.player][known], atol=0.02)


def test_values_of_both_players_add_up(turn):
    for line in ("x", "b50", "x/x/Ks", "x/b50/c/7h"):
        node = turn.at(line)
        assert node.mean_ev(0) + node.mean_ev(1) == pytest.approx(node.pot, abs=0.02)


def test_merged_cards_give_permuted_strategies(flop):
    assert len(flop.boards.cards[1]) < 49
    swap = permute_combos([0, 3, 2, 1])  # diamonds and spades
    spades, diamonds = flop.at("x/x/Ks/x"), flop.at("x/x/Kd/x")
    np.testing.assert_allclose(spades.strategy, diamonds.strategy[:, swap], atol=1e-3)
    np.testing.assert_allclose(spades.ev[0], diamonds.ev[0][swap], atol=1e-6)
    for cards in ("Ks8d", "KdKs", "3c3h"):
        boards = find_run_out(flop.boards, parse_cards(cards))
        real = boards[-1].combos(flop.boards, 0)
        held = np.isin(pl.cards.COMBO_CARDS[real[real >= 0]], boards[-1].cards)
        assert not held.any()


def test_a_solution_survives_the_disk(turn, tmp_path):
    path = tmp_path / "turn.safetensors"
    turn.save(path)
    again = load_postflop(path, check=True)
    assert again.spot == turn.spot
    assert again.values == turn.values
    assert again.exploitability == turn.exploitability
    np.testing.assert_array_equal(again.at("x/x/Ks").strategy, turn.at("x/x/Ks").strategy)
    assert isinstance(pl.load(path), type(turn))


def test_a_changed_file_is_found(turn, tmp_path):
    path = tmp_path / "turn.safetensors"
    turn.save(path)
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedFileError, match="its content does not fit its hash"):
        load_postflop(path, check=True)
    path.write_bytes(content[:-200])
    with pytest.raises(ValueError, match="is damaged"):
        load_postflop(path)


@pytest.mark.parametrize("key", [b'"rule"', b'"values"', b'"strategy.0.1"'])
def test_a_file_that_lacks_something_is_named(turn, tmp_path, key):
    path = tmp_path / "turn.safetensors"
    turn.save(path)
    content = path.read_bytes()
    assert key in content
    path.write_bytes(content.replace(key, key[:1] + b"_" + key[2:], 1))
    with pytest.raises(DamagedFileError, match=r"turn.safetensors' is damaged: (there is no|its)"):
        load_postflop(path)


def test_a_partial_file_solves_rivers_again(turn, tmp_path):
    path = tmp_path / "partial.safetensors"
    partial = turn.without_river()
    partial.save(path)
    partial = load_postflop(path, check=True)
    assert partial.partial
    for line in ("", "x", "x/b50"):
        np.testing.assert_allclose(partial.at(line).ev[0], turn.at(line).ev[0], atol=1e-3)
    for line in ("x/x/Ks", "x/x/Ks/b50", "b50/c/7h/x"):
        again, before = partial.at(line), turn.at(line)
        assert again.actions == before.actions
        assert again.pot == before.pot
    # On the way that is played, the range's value is that of the equilibrium; elsewhere the
    # first solution need not be one, and the new one is.
    again, before = partial.at("x/x/Ks"), turn.at("x/x/Ks")
    assert again.mean_ev(0) == pytest.approx(before.mean_ev(0), abs=1.5)


def test_a_partial_flop_keeps_its_values(flop):
    partial = flop.without_river()
    for line in ("", "x", "x/x/Ks", "x/x/Kd/x"):
        np.testing.assert_allclose(partial.at(line).ev[0], flop.at(line).ev[0], atol=1e-3)


def test_the_first_street_alone_keeps_its_values_and_solves_turns_again(flop, tmp_path):
    path = tmp_path / "root.safetensors"
    flop.first_streets(1).save(path)
    root = load_postflop(path, check=True)
    assert len(root.strategies) == 1 and root.values == flop.values
    for line in ("", "x", "x/a"):
        again, before = root.at(line), flop.at(line)
        np.testing.assert_allclose(again.action_ev, before.action_ev, atol=1e-3)
        for player in range(2):
            np.testing.assert_allclose(again.ev[player], before.ev[player], atol=1e-3)
    for line in ("x/x/Ks", "x/x/Kd/x", "x/x/Kd/x/x/7h/x"):
        again, before = root.at(line), flop.at(line)
        assert (again.line, again.actions, again.pot) == (line, before.actions, before.pot)
    again, before = root.at("x/x/Ks"), flop.at("x/x/Ks")
    assert again.mean_ev(0) == pytest.approx(before.mean_ev(0), abs=1.5)
    with pytest.raises(ValueError, match="too little to leave out more"):
        flop.first_streets(2).first_streets(1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x/x", "nobody decides here, a card must come"),
        ("x/a/f", "nobody decides here, the hand is over"),
        ("x/x/b50", "name the cards that come"),
        ("x/b60", "not possible here"),
        ("x/x/Qh", "lies on the board"),
    ],
)
def test_bad_lines(turn, line, message):
    with pytest.raises(ValueError, match=message):
        turn.at(line)


def test_targets():
    assert parse_target("0.5%", 200) == 1
    assert parse_target("3", 200) == 3
    assert parse_target(None, 200) is None
    for wrong in ("much", "-1%", "nan"):
        with pytest.raises(ValueError, match="target:"):
            parse_target(wrong, 200)


def test_weights_that_are_met():
    weights = np.random.default_rng(0).random(1326)
    met = unblocked_weights(weights)
    cards = pl.cards.COMBO_CARDS
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    np.testing.assert_allclose(met, apart @ weights)


def test_resuming_is_as_if_it_had_never_stopped(tmp_path):
    spot = Spot("QhJh2c4d7h", OOP, IP, pot=100, stack=150)
    path = tmp_path / "checkpoint"
    solve_spot(spot, iterations=37, checkpoint=path, threads=1)
    resumed = solve_spot(spot, iterations=90, checkpoint=path, threads=1)
    straight = solve_spot(spot, iterations=90, threads=1)
    assert resumed.values == straight.values
    other = Spot("QhJh2c4d8h", OOP, IP, pot=100, stack=150)
    with pytest.raises(ValueError, match="belongs to another solve: its board is QhJh2c4d7h"):
        solve_spot(other, iterations=90, checkpoint=path)


def test_storage_of_16_bits_is_as_good():
    spot = Spot("QhJh2c4d7h", OOP, IP, pot=100, stack=150)
    full, half = PostflopSolver(spot), PostflopSolver(spot, precision=16)
    full.iterate(200)
    half.iterate(200)
    assert half.nbytes * 2 == full.nbytes
    assert half.exploitability() < 2 * full.exploitability() + 0.02
    assert half.values() == pytest.approx(full.values(), abs=0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"precision": 8}, "precision: 8"), ({"threads": 0}, "threads: 0")],
)
def test_bad_options(options, message):
    spot = Spot("QhJh2c4d7h", OOP, IP, pot=100, stack=150)
    with pytest.raises(ValueError, match=message):
        PostflopSolver(spot, **options)
