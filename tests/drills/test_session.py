"""Sessions: the score of known ways to play, results in a file, mistakes that come back."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.drills.conftest import RIVER

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.drills import (
    MISTAKES,
    BatchSource,
    DrillScore,
    DrillSession,
    LogEntry,
    Position,
    Setup,
    SolutionSource,
    open_log,
    open_source,
)
from pokerlab.drills.log import default_log
from pokerlab.holdem.batches import Batch, BatchQuestion
from pokerlab.holdem.batches.rows import make_row
from pokerlab.holdem.spots import solve_spot
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.solvers import solve
from pokerlab.views.payloads.drill_payload import hand_data


def play(session, choose, hands):
    for _ in range(hands):
        hand = session.deal()
        while hand.decision is not None:
            session.act(choose(hand))
    return session.score


def best(hand):
    return hand.view.actions[int(np.argmax(hand.view.action_ev[:, hand.combo]))]


def worst(hand):
    return hand.view.actions[int(np.argmin(hand.view.action_ev[:, hand.combo]))]


def mixing(seed):
    rng = np.random.default_rng(seed)

    def choose(hand):
        row = hand.view.strategy[:, hand.combo]
        return hand.view.actions[rng.choice(len(row), p=row / row.sum())]

    return choose


@pytest.mark.parametrize("seat", ["oop", "ip"])
def test_who_plays_the_best_action_loses_nothing(source, seat):
    score = play(DrillSession(source, Setup(seat)), best, 30)
    assert score.loss_percent == score.loss_bb == 0 and score.worst == ()
    assert score.grades["best"] == score.decisions >= score.hands == 30


def test_who_plays_the_solution_loses_next_to_nothing(source, river):
    """The mean loss of a hand is a few ε at most, and the chips are the value of the solution."""
    score = play(DrillSession(source, Setup("oop")), mixing(1), 400)
    exact = river.exploitability
    assert score.loss_bb_hand * 2 <= 3 * exact.chips
    assert score.mistakes == 0
    mean = score.won / score.hands
    assert abs(mean - river.values[0]) < 4 * 100 / np.sqrt(score.hands)


def test_who_always_folds_loses_the_value_of_a_call(source, river):
    """Against all-in: the mean over the hands that arrive, dealt by reach, as it is computed."""
    session = DrillSession(source, Setup("ip", line="a"))
    score = play(session, lambda hand: "f", 200)
    view = river.at("a")
    call = np.maximum(np.nan_to_num(view.action_ev[1]), 0)
    arriving = view.weights[1] * unblocked_weights(view.weights[0])
    mean = call @ arriving / arriving.sum()
    spread = np.sqrt(((call - mean) ** 2) @ arriving / arriving.sum())
    assert abs(score.loss_bb * 2 - mean) < 4 * spread / np.sqrt(200)
    assert score.won == 0 and score.grades["blunder"] > 0


def test_one_action_is_no_decision():
    """It is taken, not asked for, and what an older file has of it does not count."""
    spot = replace(RIVER, donk="", aggressor="ip", bet="50%")
    session = DrillSession(SolutionSource(solve_spot(spot, iterations=50)), Setup("oop"))
    score = play(session, lambda hand: hand.decision.actions[-1], 10)
    judged = [entry.decision for entry in session.log.entries() if entry.decision is not None]
    assert score.decisions == len(judged) >= 10
    assert all(len(each.actions) > 1 and each.line.startswith("x/b50") for each in judged)
    assert [event.words for event in session.hand.events][:2] == ["river", "check"]
    forced = replace(judged[0], line="", actions=("x",), action="x")
    old = LogEntry("older", 0, session.source.name, "", forced, None)
    assert DrillScore.of([*session.log.entries(), old]) == session.score


def test_the_same_seed_deals_the_same_hands(source):
    def hands(seed):
        session = DrillSession(source, Setup(seed=seed))
        play(session, best, 8)
        return [(entry.line, entry.won) for entry in session.log.entries()]

    assert hands(1) == hands(1) != hands(2)


def test_seats_go_round(source):
    session = DrillSession(source)
    seats = []
    for _ in range(4):
        hand = session.deal()
        seats.append(hand.player)
        while hand.decision is not None:
            session.act("x" if "x" in hand.decision.actions else "f")
    assert seats == [0, 1, 0, 1]


def test_mistakes_come_back_until_they_are_played_well(source, tmp_path):
    log = open_log(tmp_path / "results.jsonl")
    first = DrillSession(source, Setup("oop", seed=3), log)
    score = play(first, worst, 12)
    wrong = first.mistakes()
    assert wrong and all(each.grade in MISTAKES for each in score.worst[:1])
    again = DrillSession(source, Setup(mistakes=True, seed=4), open_log(tmp_path / "results.jsonl"))
    assert again.left == len(wrong)
    asked = []
    hand = again.deal()  # once more wrong: it comes back after the others
    asked.append((hand.line, hand.hand))
    assert (wrong[0].line, wrong[0].hand) == asked[0]
    again.act(worst(hand))
    while hand.decision is not None:
        again.act(best(hand))
    assert again.left >= len(wrong)
    while not again.over:
        hand = again.deal()
        asked.append((hand.line, hand.hand))
        while hand.decision is not None:
            again.act(best(hand))
    assert asked[-1] == asked[0] and len(asked) == len(wrong) + 1
    assert again.mistakes() == []
    with pytest.raises(ValueError, match="all mistakes have been played well"):
        again.deal()
    with pytest.raises(ValueError, match="there is no mistake to play again"):
        DrillSession(source, Setup(mistakes=True), log)


def test_results_survive_a_kill(source, tmp_path):
    path = tmp_path / "results.jsonl"
    session = DrillSession(source, Setup("oop"), open_log(path), name="evening")
    play(session, best, 3)
    before = session.score
    with path.open("ab") as file:
        file.write(b'{"session": "even')  # the kill
    again = DrillSession(source, Setup("oop", seed=9), open_log(path), name="evening")
    assert again.score == before
    again.number = 3
    play(again, best, 1)
    assert again.score.hands == 4
    assert [json.loads(line)["session"] for line in path.read_text().splitlines()] == (
        ["evening"] * (again.score.decisions + 4)
    )
    path.write_text('{"session": 1}\n' + path.read_text())
    with pytest.raises(DamagedFileError, match=r"line 1: .* is not a result of practice"):
        open_log(path)


def test_a_hand_that_is_not_over_and_one_that_is(source):
    session = DrillSession(source, Setup("oop"))
    with pytest.raises(ValueError, match="no hand is being played"):
        session.act("x")
    session.deal()
    with pytest.raises(ValueError, match="this hand is not over"):
        session.deal()


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"street": "turn"}, r"street: river.safetensors begins on the river, not before"),
        ({"line": "x/b60"}, r"token 2, 'b60': not possible here"),
        ({"line": 7}, r"7 is not a line"),
        ({"seed": -1}, r"seed: -1 is not a seed"),
        ({"seat": "btn"}, r"seat: 'btn' must be one of oop, ip"),
    ],
)
def test_setups_that_cannot_be(source, setup, message):
    with pytest.raises(ValueError, match=message):
        DrillSession(source, Setup(**setup))


def test_partial_solutions(turn):
    part = SolutionSource(turn.without_river(), "turn")
    assert part.note == "the file leaves out rivers: each is solved again when a hand comes to it"
    session = DrillSession(part, Setup("ip", street="river", seed=2))
    score = play(session, best, 2)
    assert score.loss_percent == 0 and set(score.streets) == {"river"}


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """Two rivers, one five times as likely as the other."""
    folder = tmp_path_factory.mktemp("batch") / "rivers"
    boards = {"QhJh2c4d7h": 5.0, "QhJh2c4d7s": 1.0, "QhJh2c4d8c": 1.0}
    question = BatchQuestion.of(RIVER, boards, target="0.5%")
    begun = Batch.begin(folder, question)
    for board in list(boards)[:2]:
        solution, path = solve_spot(question.spot(board), target="0.5%"), begun.solution_path(board)
        solution.save(path)
        row = make_row(solution, board, boards[board], 1.0, path.stat().st_size)
        begun.store.add(board, row)
    return folder


def test_a_batch_deals_boards_by_weight(batch):
    source = open_source(batch)
    assert source.note == "1 of 3 boards are not solved"
    session = DrillSession(source, Setup("oop"))
    boards = []
    for _ in range(60):
        hand = session.deal()
        boards.append(hand.board)
        while hand.decision is not None:
            session.act(best(hand))
    assert set(boards) == {"QhJh2c4d7h", "QhJh2c4d7s"}
    assert 40 <= boards.count("QhJh2c4d7h") <= 57
    assert session.score.loss_percent == 0
    assert default_log(batch) == batch / "training.jsonl"


def test_a_board_that_is_being_solved_loses_no_decision(batch):
    """One that is in no batch any more does."""
    source, log = open_source(batch), open_log(None)
    known = DrillSession(source, Setup("oop"))
    play(known, worst, 1)
    decision = known.log.entries()[0].decision
    for board, loss in (("QhJh2c4d8c", 9.0), ("QhJh2c4dAs", 8.0)):
        wrong = replace(decision, board=board, loss=loss, grade="blunder")
        log.add(LogEntry("a", 0, source.name, f"{board} {wrong.line}", wrong))
    session = DrillSession(source, Setup(mistakes=True), log)
    with pytest.raises(ValueError, match="none of the mistakes can be played again"):
        session.deal()
    assert [each.board for each in session.mistakes()] == ["QhJh2c4d8c"]


def test_what_is_no_source(tmp_path):
    with pytest.raises(ValueError, match="this folder holds no batch"):
        open_source(tmp_path)
    solve("kuhn", "lp").save(tmp_path / "kuhn.safetensors")
    with pytest.raises(ValueError, match="is a solution of kuhn; hands can be practised with"):
        open_source(tmp_path / "kuhn.safetensors")


def test_first_streets_of_a_batch():
    """A folder that keeps flops alone deals hands up to the turn."""
    source = BatchSource.__new__(BatchSource)
    source.name = "flops"
    source.rows = [SimpleNamespace(board="AsKh7d")]
    source.batch = SimpleNamespace(question=SimpleNamespace(keep="root", boards={"AsKh7d": 1.0}))
    assert source.kept_streets == 1
    assert source.note.startswith("the folder leaves out turns and rivers: each is solved again")
    with pytest.raises(ValueError, match="begin on the turn at the latest, or solve it whole"):
        DrillSession(source, Setup(street="river"))


def test_an_empty_score():
    assert DrillScore.of([]).to_json()["loss_percent"] == 0


def test_a_solution_has_one_board(source, river):
    assert source.get(source.board).solution is river
    with pytest.raises(ValueError, match="begins on QhJh2c4d7h, not on AsKh7d"):
        source.get("AsKh7d")


@pytest.mark.parametrize("setup", [Setup("oop", seed=5), Setup(mistakes=True, seed=6)])
def test_a_session_goes_on_after_a_restart(source, tmp_path, setup):
    """In the middle of a hand: the same cards, and no result twice."""
    log = open_log(tmp_path / "results.jsonl")
    play(DrillSession(source, Setup("oop", seed=3), log), worst, 6)
    session = DrillSession(source, setup, log)
    play(session, best, 2)
    hand = session.deal()
    session.act("x" if "x" in hand.decision.actions else "f")
    state = json.loads(json.dumps(session.state()))
    before = log.entries()
    again = DrillSession.resume(source, state, open_log(tmp_path / "results.jsonl"))
    assert hand_data(again.hand) == hand_data(session.hand) and again.score == session.score
    assert again.log.entries() == before
    for each in (session, again):
        if each.hand.decision is not None:
            each.act(each.hand.decision.actions[0])
        each.deal()
    assert hand_data(again.hand) == hand_data(session.hand)
    state["actions"] = ["b77"]  # the solution is another one
    assert DrillSession.resume(source, state, log).hand is None
    with pytest.raises(ValueError, match="this is not the state of a session"):
        DrillSession.resume(source, {**state, "setup": {"seat": "oop", "colour": 3}}, log)


def test_what_a_page_draws(source, river):
    session = DrillSession(source, Setup("ip", line="b50", seed=1))
    hand = session.deal()
    shown = hand_data(hand)
    assert shown["bets"] == [0, 50] and shown["stacks"] == [150, 100] and shown["pot"] == 150
    assert shown["matrix"] is None and shown["result"] is None
    assert hand.deal.combos[0] not in (None, shown["cards"])
    session.act("f")
    shown = hand_data(hand)
    assert shown["result"]["opponent"] and shown["decision"] is None
    matrix, view = shown["matrix"], river.at("b50")
    assert matrix["frequencies"] == pytest.approx(view.frequencies.tolist())
    assert set(matrix["cells"]) == {"QQ", "55", "AJs", "T9s"}
    assert all(
        sum(cell["parts"]) == pytest.approx(1, abs=0.01) for cell in matrix["cells"].values()
    )
    assert json.dumps(shown)


def test_mistakes_of_another_solution_are_left_out(source, tmp_path):
    """The file of results is older than the solution: what cannot be played is not asked."""
    log = open_log(tmp_path / "results.jsonl")
    session = DrillSession(source, Setup("oop", seed=3), log)
    play(session, worst, 8)
    first = session.mistakes()[0]
    decision = next(
        entry.decision
        for entry in log.entries()
        if entry.decision is not None and entry.decision.hand == first.hand
    )
    for number, changes in enumerate(
        [{"line": "b77"}, {"hand": "Kd2s"}, {"board": "AsKsQs"}, {"hand": "QhJh"}]
    ):
        bad = replace(decision, **changes, loss=90.0, grade="blunder")
        log.add(LogEntry("other", number, source.name, bad.line, bad))
    again = DrillSession(source, Setup(mistakes=True), log)
    hand = again.deal()
    assert (hand.line, hand.hand) == (first.line, first.hand)
    with pytest.raises(ValueError, match="none of the mistakes can be played again"):
        other = DrillSession(source, Setup(mistakes=True), log)
        other._waiting = [Position("AsKsQs", "x", "Kd2s")]
        other.deal()
