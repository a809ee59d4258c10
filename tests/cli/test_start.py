"""How little a solve needs once its kernels are compiled."""

import subprocess
import sys

SOLVE = "solve --board QhJh2c4d7h --oop AA,KQs,JTs --ip QQ,AJs,T9s --pot 100 --stack 80 --json"

NEEDLESS = {
    *("pydantic", "rich", "matplotlib", "pandas", "cupy"),
    *("numba.np.arraymath", "numba.np.arrayobj", "scipy.linalg"),
    *("pokerlab.games.definition", "pokerlab.trees.game_tree", "pokerlab.cli.commands.study.show"),
    *(["psutil"] if sys.platform == "linux" else []),
}


def test_a_solve_imports_nothing_for_others_or_for_the_compiler(run):
    words = [*SOLVE.split(), "--iterations", "2"]
    compiled = run(*words)
    script = (
        "import sys; from pokerlab.cli.start import main\n"
        f"sys.argv[1:] = {words}\n"
        "try: main()\n"
        f"finally: print(*sorted({NEEDLESS} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr == "\n"
    # Loaded kernels compute what compiled ones do.
    values = compiled.json["values"]
    assert f'"values": [{values[0]}, {values[1]}]' in done.stdout
