import json

import pytest

from pokerlab.studies.mapping.matches import MappingMatch, MatchFolder, play_mapping_matches

BOTS = ("raiser", "caller", "random")


def match(hands=12, seed=1, **options):
    return MappingMatch(BOTS, BOTS, hands, seed, **options)


def test_nothing_is_played_twice(tmp_path, monkeypatch):
    folder = MatchFolder(tmp_path / "new", "digest")
    told = []
    matches = [match(), match(seed=2), match()]
    found = play_mapping_matches(matches, folder, report=lambda each: told.append(each.done))
    assert list(found) == matches[:2]
    assert told == [1, 2]
    assert len(list((tmp_path / "new").iterdir())) == 2
    monkeypatch.setattr(MappingMatch, "play", None)  # whoever plays now breaks
    assert play_mapping_matches(matches, folder) == found
    for other in (match(hands=18), match(seed=3), match(counted=True), match(neighbours=True)):
        assert folder.read(other) is None
    assert MatchFolder(tmp_path / "new", "another strategy").read(match()) is None


@pytest.mark.parametrize("counted", [True, False])
def test_what_was_damaged_is_played_again(tmp_path, counted):
    folder = MatchFolder(tmp_path, "digest")
    first = play_mapping_matches([match(counted=counted)], folder)[match(counted=counted)]
    (file,) = tmp_path.iterdir()
    damaged = [file.read_bytes()[:-5], b"[" * 100_000, b"3", b"{}"]
    for name, value in [("won", "x"), ("won", {}), ("result", []), ("streets", [1, 2])]:
        damaged.append(json.dumps({**first, "classes": [], name: value}).encode())
    for content in damaged:
        file.write_bytes(content)
        assert folder.read(match(counted=counted)) is None, content[:80]
    again = play_mapping_matches([match(counted=counted)], folder)[match(counted=counted)]
    assert again["won"] == first["won"]


def test_ctrl_c_loses_no_finished_match(tmp_path, monkeypatch):
    folder = MatchFolder(tmp_path, "digest")
    play = MappingMatch.play

    def interrupted(self):
        if self.seed == 3:
            raise KeyboardInterrupt
        return play(self)

    monkeypatch.setattr(MappingMatch, "play", interrupted)
    matches = [match(seed=seed) for seed in range(1, 6)]
    with pytest.raises(KeyboardInterrupt):
        play_mapping_matches(matches, folder)
    assert [folder.read(each) is not None for each in matches] == [True, True, False, False, False]
    monkeypatch.undo()
    assert len(play_mapping_matches(matches, folder)) == 5


def test_several_at_a_time_play_the_same(tmp_path):
    matches = [match(seed=seed) for seed in range(3)]
    alone = play_mapping_matches(matches, MatchFolder(tmp_path / "alone", ""))
    together = play_mapping_matches(matches, MatchFolder(tmp_path / "together", ""), workers=2)
    for each in matches:
        assert alone[each]["won"] == together[each]["won"]
