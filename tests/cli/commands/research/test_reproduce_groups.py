import json

import pytest

from pokerlab.cli.main import main


def test_a_part_that_is_not_there(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["reproduce", "groups", "table-9", "-o", str(tmp_path)])
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert (
        "'table-9' is not a part (one of figure-17, figure-18" in said and "Traceback" not in said
    )


@pytest.mark.slow
def test_a_quick_part_is_written_and_judges_nothing(tmp_path, capsys):
    command = ["reproduce", "groups", "figure-19", "--quick", "-o", str(tmp_path), "--jobs", "1"]
    with pytest.raises(SystemExit) as stop:
        main([*command, "--json"])
    assert not stop.value.code
    found = json.loads(capsys.readouterr().out)
    assert found["verdicts"] == [] and found["parts"] == ["figure-19"]
    assert "A trial: both players have" in (tmp_path / "summary.md").read_text("utf-8")
    assert (tmp_path / "constants.csv").read_text("utf-8").count("\n") == 7
