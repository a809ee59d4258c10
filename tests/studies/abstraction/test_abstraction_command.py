"""The command itself: quick, and gone on with."""

import json
from pathlib import Path

import pytest

from pokerlab.cli.main import main


@pytest.mark.slow
def test_quick_run_is_whole_and_is_not_done_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> dict[str, object]:
        with pytest.raises(SystemExit) as ended:
            main(["reproduce", "abstraction", "--quick", "--json", "-o", str(tmp_path)])
        assert ended.value.code == 0
        found: dict[str, object] = json.loads(capsys.readouterr().out)
        return found

    first = run()
    assert (tmp_path / "summary.md").is_file()
    times = {file: file.stat().st_mtime_ns for file in (tmp_path / "tasks").glob("*.json")}
    assert len(times) == first["tasks"]
    assert run() == first
    assert times == {file: file.stat().st_mtime_ns for file in times}
