import json
from functools import partial

import pytest

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.mapping.matches import MappingMatch, checked_match, match_key
from pokerlab.studies.reporting.study import Study

BOTS = ("raiser", "caller", "random")


def study(folder, *matches, digest="digest"):
    store = FolderStore(folder, from_json=checked_match)
    return Study([matches], store, make_report=None, key=partial(match_key, digest))


def match(hands=12, seed=1, **options):
    return MappingMatch(BOTS, BOTS, hands, seed, **options)


def test_nothing_is_played_twice(tmp_path, monkeypatch):
    told = []
    matches = [match(), match(seed=2), match()]
    whole = study(tmp_path / "new", *matches)
    found = whole.do(report=told.append)
    assert list(found) == matches[:2]
    assert told == [1, 2]
    assert len(list((tmp_path / "new").iterdir())) == 2
    monkeypatch.setattr(MappingMatch, "run", None)  # whoever plays now breaks
    assert whole.do() == found
    for other in (match(hands=18), match(seed=3), match(counted=True), match(neighbours=True)):
        assert whole.read(other) is None
    assert study(tmp_path / "new", digest="another strategy").read(match()) is None


@pytest.mark.parametrize("counted", [True, False])
def test_what_was_damaged_is_played_again(tmp_path, counted):
    one = study(tmp_path, match(counted=counted))
    (first,) = one.do().values()
    (file,) = tmp_path.iterdir()
    damaged = [file.read_bytes()[:-5], b"[" * 100_000, b"3", b"{}"]
    for name, value in [("won", "x"), ("won", {}), ("result", []), ("streets", [1, 2])]:
        damaged.append(json.dumps({**first, "classes": [], name: value}).encode())
    for content in damaged:
        file.write_bytes(content)
        assert one.read(match(counted=counted)) is None, content[:80]
    (again,) = one.do().values()
    assert again["won"] == first["won"]


def test_ctrl_c_loses_no_finished_match(tmp_path, monkeypatch):
    play = MappingMatch.run

    def interrupted(self):
        if self.seed == 3:
            raise KeyboardInterrupt
        return play(self)

    monkeypatch.setattr(MappingMatch, "run", interrupted)
    matches = [match(seed=seed) for seed in range(1, 6)]
    whole = study(tmp_path, *matches)
    with pytest.raises(KeyboardInterrupt):
        whole.do()
    assert whole.waiting() == matches[2:]
    monkeypatch.undo()
    assert len(whole.do()) == 5


def test_several_at_a_time_play_the_same(tmp_path):
    matches = [match(seed=seed) for seed in range(3)]
    alone = study(tmp_path / "alone", *matches).do()
    together = study(tmp_path / "together", *matches).do(workers=2)
    for each in matches:
        assert alone[each]["won"] == together[each]["won"]
