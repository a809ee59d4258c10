"""Text files that somebody damaged: they are read, or are one short line."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.hostile.mutations import DEEP, STRANGE, check_all, damaged_bytes, damaged_text

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.logs.phh_log import read_phh, write_phh
from pokerlab.arena.logs.replay import read_log
from pokerlab.arena.matches import play_match
from pokerlab.arena.results import ResultsFile
from pokerlab.arena.table import play_hand
from pokerlab.cards import Range, parse_flops
from pokerlab.drills import (
    DrillScore,
    Judgement,
    LogEntry,
    Position,
    PracticeProgress,
    Programme,
    ProgrammeSource,
    Setup,
    open_log,
    repetitions,
)
from pokerlab.drills.schedule import open_mistakes
from pokerlab.games import load_betting_game, read_toml, write_acpc, write_toml
from pokerlab.holdem.batches import BatchQuestion, load_batch, plan_batch, run_batch
from pokerlab.holdem.batches.line_files import LineDecision, read_line, write_line
from pokerlab.holdem.pushfold import PushFoldRules, solve_ahead
from pokerlab.holdem.spots import Spot, simplify, solve_spot
from pokerlab.holdem.spots.question.preflop_ranges import PreflopRanges
from pokerlab.holdem.spots.sizes.valuing import MenuValues
from pokerlab.players.bots.simple import RandomBot
from pokerlab.runtime.errors import damage_named
from pokerlab.runtime.files.toml_text import parse_toml

SEED = 5


@pytest.mark.parametrize("name", ["kuhn", "holdem.nolimit.3p", "draw"])
def test_games(name: str, tmp_path: Path) -> None:
    def load(file: Path) -> None:
        game = load_betting_game(file)
        assert read_toml(write_toml(game), game.name) == game

    text = write_toml(load_betting_game(name))
    refused, loaded = check_all(tmp_path / "mine.toml", damaged_text(text, SEED, 500), load)
    assert refused > 3 / 5
    assert loaded > 0


def test_acpc_games(tmp_path: Path) -> None:
    text = write_acpc(load_betting_game("holdem.limit.3p"))
    check_all(tmp_path / "mine.game", damaged_text(text, SEED, 500), load_betting_game)


def test_spots(tmp_path: Path) -> None:
    def load(file: Path) -> None:
        spot = Spot.from_file(file)
        assert Spot.from_toml(spot.to_toml()) == spot

    spot = Spot(
        "QhJh2c4d",
        "AA:0.5, KQs",
        "QQ, AJs",
        pot=100,
        stack=(80, 90),
        bet="turn: 50%, a; river: 75%",
        raise_="60%",
        donk="33%",
        max_bets=3,
        rake=0.05,
        rake_cap=3,
    )
    refused, loaded = check_all(tmp_path / "s.toml", damaged_text(spot.to_toml(), SEED, 500), load)
    assert refused > 3 / 5
    assert loaded > 0


def test_checkpoints_of_sizes(tmp_path: Path) -> None:
    river = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    good = tmp_path / "good.json"
    MenuValues(river, target="50%", threads=1, resume=good).value(0, {})

    def load(file: Path) -> None:
        assert MenuValues(river, target="50%", threads=1, resume=file).solves == 0

    text = good.read_text(encoding="utf-8")
    refused, _ = check_all(tmp_path / "sizes.json", damaged_text(text, SEED, 300), load)
    assert refused > 1 / 5


def test_checkpoints_of_hands_ahead(tmp_path: Path) -> None:
    rules, good = PushFoldRules((4, 3)), tmp_path / "good.jsonl"
    solve_ahead(rules, 1, target=1, resume=good)

    def load(file: Path) -> None:
        solve_ahead(rules, 1, target=1, resume=file)

    text = good.read_text(encoding="utf-8")
    refused, _ = check_all(tmp_path / "hands.jsonl", damaged_text(text, SEED, 50), load)
    assert refused > 1 / 5


def test_checkpoints_of_simple_strategies(tmp_path: Path) -> None:
    river = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    solution, good = solve_spot(river, target="1%", threads=1), tmp_path / "good.jsonl"
    settings = {"origins": False, "threads": 1}
    simplify(solution, "50%", resume=good, **settings)

    def load(file: Path) -> None:
        assert simplify(solution, "50%", resume=file, **settings).responses <= 4

    text = good.read_text(encoding="utf-8")
    refused, _ = check_all(tmp_path / "simple.jsonl", damaged_text(text, SEED, 100), load)
    assert refused > 1 / 5


def test_ranges_before_the_flop(tmp_path: Path) -> None:
    good = """players = 6
stack = 100
ante = 0.1
weights = "range"
[ranges]
"BTN raise 2.5" = "22+, A2s+:0.5"
"BTN raise 2.5, BB call" = "[50]JJ[/50], TT-22"
"SB limp, BB check" = "any"
"""
    mine = tmp_path / "r.toml"
    refused, loaded = check_all(mine, damaged_text(good, SEED, 400), PreflopRanges.from_file)
    assert refused > 1 / 2
    assert loaded > 0


def test_charts(tmp_path: Path) -> None:
    good = "hand,fold,call\nAA,0,1\nAKs,0.25,0.75\nAhKd,50%,50%\n"

    def load(file: Path) -> None:
        assert Range(f"@{file}#call").combos <= 1326

    refused, loaded = check_all(tmp_path / "c.csv", damaged_text(good, SEED, 400), load)
    assert refused > 1 / 4
    assert loaded > 0


def test_questions_of_batches(tmp_path: Path) -> None:
    spot = Spot("QhJh2c", "AA:0.5, KQs", "QQ, AJs", pot=100, stack=80, max_bets=3)
    boards = {"QhJh2c": 12.0, "AsKh7d": 24.0}
    question = BatchQuestion.of(spot, boards, (("monotone", {"bet": "33%"}),), iterations=100)

    def load(file: Path) -> None:
        found = load_batch(file.parent).question
        assert found == question

    def sealed(file: Path) -> None:
        """Whoever damages a question may write a digest that fits."""
        text = file.read_text(encoding="utf-8", errors="replace")
        try:
            load_batch(file.parent)
        except ValueError as error:
            if "does not fit its digest" not in str(error):
                raise
            fields = parse_toml(text)
            fields = {name: fields[name] for name in fields if name not in ("format", "digest")}
            tables = {name: fields.pop(name, {}) for name in ("spot", "boards", "textures")}
            textures = tuple(tables["textures"].items())
            with damage_named(file):
                again = BatchQuestion(tables["spot"], tables["boards"], textures=textures, **fields)
                for board in again.boards:
                    again.spot(board)

    text = question.to_toml()
    refused, _ = check_all(tmp_path / "batch.toml", damaged_text(text, SEED, 300), load)
    assert refused > 5 / 6
    refused, loaded = check_all(tmp_path / "batch.toml", damaged_text(text, SEED, 300), sealed)
    assert refused > 1 / 2 and loaded > 0


def test_lists_of_flops(tmp_path: Path) -> None:
    good = "# mine\nAK7r:2.5, 987tt:1\nQQ2:3 # twice\nTd9d6h:0.5\nA-high monotone:4\n"

    def load(file: Path) -> None:
        flops = parse_flops(str(file))
        assert all(flop.weight > 0 and len(flop.cards) == 3 for flop in flops)

    refused, loaded = check_all(tmp_path / "f.txt", damaged_text(good, SEED, 200), load)
    assert refused > 3 / 10
    assert loaded > 0


def test_what_is_kept_of_lines(tmp_path: Path) -> None:
    """Whatever stands in the file, decisions are whole, or there are none."""
    known = (0.5, None)
    decision = LineDecision(1, 150.0, 9.5, (1.0, 2.0), known, ("x", "a"), known, (1.5, None))
    write_line(tmp_path, "x", {"AsKh7d 1": decision, "QsQh2d 2": LineDecision.none("no bet")})
    file = tmp_path / "lines" / "x.jsonl"
    good = file.read_text(encoding="utf-8")
    assert read_line(tmp_path, "x")["AsKh7d 1"] == decision

    def load(_: Path) -> None:
        for seal in (False, True):
            if seal:
                _, _, body = file.read_bytes().partition(b"\n")
                digest = hashlib.sha256(body).hexdigest()[:16]
                head = json.dumps({"of": "", "digest": digest})
                file.write_bytes(head.encode() + b"\n" + body)
            for each in read_line(tmp_path, "x").values():
                assert len(each.frequencies) == len(each.action_evs) == len(each.actions)
                numbers = [*each.ev, *each.equity, *each.frequencies, *each.action_evs]
                assert not np.isinf(np.array(numbers, float)).any()

    refused, _ = check_all(file, damaged_text(good, SEED, 200), load)
    assert refused == 0


def test_programmes(tmp_path: Path) -> None:
    def load(file: Path) -> None:
        programme = Programme.load(file)
        assert Programme.from_json(programme.to_json()) == programme

    sources = (ProgrammeSource("a/turn.safetensors", 3), ProgrammeSource("", 1, "nolimit", 50.0))
    programme = Programme(sources, Setup("ip", close=1, clear=0, seconds=10, due="first"))
    text = json.dumps(programme.to_json(), indent=1)
    refused, loaded = check_all(tmp_path / "a.json", damaged_text(text, SEED, 500), load)
    assert refused > 3 / 5
    assert loaded > 0


def test_results_of_training(tmp_path: Path) -> None:
    """Whatever stands in the file, it is one line, or results that can be summed up."""
    judged = Judgement(
        *("QhJh2c4d", "x/x/7h/b50", "ip", "AsJs", 150.0, 2.0),
        *(("f", "c", "a"), (0.5, 0.5, 0.0), (0.0, -20.5, -30.0), "c", 20.5, "blunder"),
    )
    file = tmp_path / "t.jsonl"
    log = open_log(file)
    at = datetime.fromisoformat("2026-11-20T12:00:00+01:00")
    log.add(LogEntry("s", 0, "t", judged.line, judged, at=at, seconds=4.5))
    log.add(LogEntry("s", 0, "t", "x/x/7h/b50/c", won=-150.0))
    gone = Position("QhJh2c4d", "x", "AsJs")
    log.add(LogEntry("s", 1, "t", "x", at=at, gone=gone))
    good = file.read_text(encoding="utf-8")

    def load(_: Path) -> None:
        entries = open_log(file).entries()
        assert DrillScore.of(entries).to_json()["decisions"] <= 2
        open_mistakes(entries, "t")
        repetitions(entries, "t")
        PracticeProgress.of({"t": entries}, datetime(2026, 11, 21).date())

    refused, loaded = check_all(file, damaged_text(good, SEED, 300), load)
    assert refused > 1 / 3 and loaded > 0


def test_rows_of_batches(tmp_path: Path) -> None:
    """A damaged row is no row; whatever it says, no file outside the folder is looked at."""
    spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    question = BatchQuestion.of(spot, {"QhJh2c4d7h": 1.0}, iterations=1)
    batch = run_batch(question, tmp_path, plan_batch(question, workers=1, threads=1)).batch
    file = tmp_path / "solutions" / "QhJh2c4d7h.json"
    good = json.loads(file.read_text())
    rng = random.Random(SEED)
    for number in range(120):
        row = dict(good)
        name = rng.choice([*row, "more"])
        row[name] = rng.choice([*STRANGE, "../../QhJh2c4d7h", "AsKh7d"])
        file.write_text(json.dumps(row))
        for found in (batch.row("QhJh2c4d7h"), batch.store.get("QhJh2c4d7h")):
            assert found is None or row == good, number
        batch.write_table()
    for content in damaged_bytes(json.dumps(good).encode(), SEED, 60):
        file.write_bytes(content)
        batch.row("QhJh2c4d7h")
        batch.write_table()


def hands_of(name: str) -> list[PlayedHand]:
    game, rng = load_betting_game(name), np.random.default_rng(1)
    bots = [RandomBot(1, 4, 3) for _ in range(game.players)]
    for bot in bots:
        bot.reset(game, rng)
    names = ["a", "b", "c"][: game.players]
    return [
        play_hand(game, deal, bots, names=names, number=number)
        for number, deal in enumerate(game.deals(rng, 3))
    ]


@pytest.mark.parametrize("name", ["holdem.nolimit.2p", "holdem.limit.3p", "leduc"])
def test_logs(name: str, tmp_path: Path) -> None:
    write_acpc_log(tmp_path / "good.log", hands_of(name))
    text = (tmp_path / "good.log").read_text(encoding="utf-8")
    for contents in (damaged_text(text, SEED, 300), damaged_bytes(text.encode(), SEED, 300)):
        refused, _ = check_all(tmp_path / "mine.log", contents, lambda file: list(read_log(file)))
        assert refused > 1 / 2


@pytest.mark.parametrize("name", ["holdem.nolimit.2p", "holdem.limit.3p"])
def test_hand_histories(name: str, tmp_path: Path) -> None:
    write_phh(tmp_path / "good.phhs", hands_of(name))
    text = (tmp_path / "good.phhs").read_text(encoding="utf-8")
    refused, loaded = check_all(
        tmp_path / "mine.phhs", damaged_text(text, SEED, 500), lambda file: list(read_phh(file))
    )
    assert refused > 2 / 5
    assert loaded > 0


def damaged_lines(good: bytes, seed: int, count: int) -> Iterator[bytes]:
    """Results with values of other types, at any depth."""
    rng = random.Random(seed)
    lines = good.splitlines()
    for _ in range(count):
        changed: list[bytes] = []
        for line in lines:
            data = json.loads(line)
            place: Any = data
            while True:
                keys = list(place) if isinstance(place, dict) else list(range(len(place)))
                key = rng.choice(keys)
                if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.7:
                    place = place[key]
                    continue
                if rng.random() < 0.2 and isinstance(place, dict):
                    del place[key]
                else:
                    place[key] = rng.choice(STRANGE)
                break
            text = json.dumps(data)
            if rng.random() < 0.05:
                text = text.replace("{", rng.choice(["[", "{", '{"x":']) * DEEP, 1)
            changed.append(text.encode())
        yield b"\n".join(changed) + b"\n"


def test_results_of_tournaments(tmp_path: Path) -> None:
    good = ResultsFile(tmp_path / "good")
    for seed in (1, 2):
        result = play_match("leduc", ["caller", "random"], 20, seed, duplicate=True)
        good.add(result.plan.key, result)
    content = (tmp_path / "good").read_bytes()

    def load(file: Path) -> None:
        for plan, result in ResultsFile(file).read().items():
            assert result.plan == plan
            json.dumps(result.to_json(), allow_nan=False)

    refused, _ = check_all(tmp_path / "mine", damaged_lines(content, SEED, 500), load)
    assert refused > 4 / 5
    check_all(tmp_path / "mine", damaged_bytes(content, SEED, 500), load)
