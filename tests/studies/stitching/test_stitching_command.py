import json

import pytest

from pokerlab.cli.main import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["reproduce", "mapping", *map(str, arguments)])
    printed = capsys.readouterr()
    return stop.value.code, printed.out, printed.err


@pytest.mark.slow
def test_the_quick_form_goes_on_where_it_was(capsys, tmp_path):
    arguments = ("experts", "--quick", "--hands", 12, "--jobs", 1, "-o", tmp_path)
    code, _, err = run(capsys, *arguments)
    assert code == 0
    assert "187 matches" in err
    experts = {file: file.stat().st_mtime_ns for file in (tmp_path / "strategies").iterdir()}
    assert len(experts) > 2
    code, out, err = run(capsys, *arguments, "--json")
    found = json.loads(out)
    assert (code, found["matches"], found["verdicts"]) == (0, 187, [])
    assert all(file.stat().st_mtime_ns == time for file, time in experts.items())


def test_a_part_that_is_none(capsys, tmp_path):
    code, out, err = run(capsys, "expert", "-o", tmp_path)
    assert (code, out) == (2, "")
    assert err == "pokerlab: 'expert' is not a part (thesis, experts, teams)\n"
