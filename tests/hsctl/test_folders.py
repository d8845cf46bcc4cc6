"""The current folder may be a stranger's: no command that runs there imports anything of it."""

import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from hsctl.match.pool import run_games
from hsctl.report.console import NO, UNDECIDED
from replays.replay import write
from tests.hsctl.match.user_agents import agents
from tests.hsctl.run import PLENTY, ROOT
from tests.replays.recorded import record_game

OURS = {"engine", "search", "replays", "hsctl", "tests"}
BARE = {"encodings"}  # imported when Python can't write files yet
HOSTILE = """\
import os
open(os.path.join(os.path.dirname(__file__), "IMPORTED"), "a").write(f"{__name__} {os.getpid()}\\n")
"""
SCRIPT = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
from hsctl.__main__ import main
if __name__ == "__main__":
    main()
"""  # as pip makes it, but that it finds hsctl by itself
FAST = ("--nodes", "1", "--jobs", "2", "--seed", "1")
BOT = "{hsctl} bot random"
COMMANDS = {
    "league": (
        "league",
        "random",
        "still",
        "--games",
        "4",
        *FAST,
        "--html",
        "{out}/league",
        "--plot",
        "{out}/plot.png",
    ),
    "compare": ("compare", "random", "random:nodes=2", "--games", "4", *FAST),
    "tune": ("tune", "simple", "--params", "item=0..2", "--against", "random", "--trials", "12", "--games", "2", *FAST),
    "paper": ("paper", "inversion", "--games", "2", *FAST),
    "scale": ("scale", "simple", "--nodes", "1,2", "--against", "simple:nodes=1", "--games", "2", "--jobs", "2"),
    "play on": ("play", "--from", "{game}@5", "--swap", "0=random", "--swap", "1=still"),
    "a bot": ("play", BOT, "still", "--games", "2", "--jobs", "2"),
    "a bot without a guardian": ("play", BOT, "still", "--games", "2", "--jobs", "2", "--runner", "portable"),
    "timing": ("check", BOT, "--only", "timing"),
    "strength": ("check", BOT, "--only", "strength", "--jobs", "2"),
    "review": ("review", "{game}", "--quick", "--rollouts", "2", "--html", "{out}/review.html"),
    "explain": ("explain", "{game}", "--turn", "3"),
    "replay": ("replay", "{game}", "--gif", "{out}/game.gif"),
    "export": ("export", "replays", "{game}", "--out", "{out}/tables", "--to", "parquet"),
    "bench": ("bench", "--quick"),
    "warm": ("cache", "--warm", "seeker", "simple"),
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with a namesake of each module that hsctl could import, but for its own packages, and with settings of
    libraries: numba would write a file as it ends, matplotlib would fail."""
    (tmp_path / ".numba_config.yaml").write_text(f"chrome_trace: {tmp_path / 'IMPORTED'}\n")
    (tmp_path / "matplotlibrc").write_bytes(b"\xff")
    for name in {*sys.stdlib_module_names, *packages_distributions()} - OURS - BARE:
        if name.isidentifier():
            (tmp_path / f"{name}.py").write_text(HOSTILE)
    return tmp_path


def run_in(folder: Path, *words: str, options: tuple[str, ...] = (), **variables: str) -> None:
    """Run hsctl in the folder: it succeeds, and imports nothing there."""
    elsewhere = folder.with_name(f"{folder.name}-elsewhere")
    elsewhere.mkdir()
    script, game = elsewhere / "hsctl", elsewhere / "game.json"
    script.write_text(SCRIPT)
    write(game, record_game(3, 2))
    places = {"hsctl": f"{sys.executable} {script}", "game": game, "out": elsewhere}
    start(folder, [sys.executable, *options, str(script), *(word.format(**places) for word in words)], **variables)


def start(folder: Path, words: list[str], **variables: str) -> None:
    environment = {**os.environ, "HSCTL_DATA": str(folder.with_name("data")), **variables}
    if "PYTHONPATH" not in variables:
        environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=5 * PLENTY, check=False
    )
    imported = folder / "IMPORTED"
    assert not imported.exists(), imported.read_text()
    assert done.returncode in (0, NO, UNDECIDED) and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("options", [(), ("-E",)], ids=["usual", "without variables"])
def test_parallel_games_import_nothing_there(hostile: Path, options: tuple[str, ...]) -> None:
    run_in(hostile, "play", "random", "still", "--games", "4", *FAST, options=options)


def test_python_m_imports_nothing_there(hostile: Path) -> None:
    """Nothing beyond what Python itself takes from there, whichever module it is to run."""
    (hostile.parent / "empty.py").write_text("import sys\nprint(*sys.modules)")
    words = [sys.executable, "-m", "empty"]
    done = subprocess.run(words, cwd=hostile.parent, stdout=subprocess.PIPE, text=True, check=True)
    for name in done.stdout.split():
        (hostile / f"{name}.py").unlink(missing_ok=True)
    words = [sys.executable, "-m", "hsctl", "play", "random", "still", "--games", "4", *FAST]
    start(hostile, words, PYTHONPATH=str(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_no_command_imports_anything_there(hostile: Path, words: tuple[str, ...]) -> None:
    cold = {"HSCTL_CACHE": str(hostile.with_name("cache")), "HSCTL_NATIVE": "1"} if "--warm" in words else {}
    run_in(hostile, *words, **cold)


def test_plots_take_no_settings_from_there(hostile: Path) -> None:
    run_in(hostile, "league", "random", "still", "--games", "2", *FAST, "--plot", "{out}/plot.png")


def test_an_agent_of_a_users_own_takes_no_settings_from_there(hostile: Path) -> None:
    agent = Path(agents.__file__)
    run_in(hostile, "play", f"{agent}:Good", "still", "--nodes", "5", "--no-save")


def test_without_yaml_numba_does_not_warn_of_its_settings(hostile: Path) -> None:
    words = [
        sys.executable,
        "-P",
        "-W",
        "error",
        "-c",
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import engine.jit",
    ]
    start(hostile, words)


@pytest.mark.slow
def test_nor_does_measuring_the_compiler(hostile: Path) -> None:
    measure = "from hsctl.research.bench.startup import measure_compiling; measure_compiling(['still'])"
    start(hostile, [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {measure}"])


@pytest.mark.slow
def test_nor_does_a_league_on_a_cluster(hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("distributed", reason="needs the extra [cluster]")
    from tests.hsctl.league.test_cluster import scheduler, worker

    with scheduler(tmp_path_factory.mktemp("cluster")) as (address, _), worker(address):
        run_in(hostile, "league", "random", "still", "--games", "2", "--nodes", "1", "--cluster", address)


def test_bots_get_the_variables_that_the_user_has(monkeypatch: pytest.MonkeyPatch) -> None:
    variable = "PYTHONSAFEPATH"
    monkeypatch.delenv(variable, raising=False)
    assert list(run_games([variable] * 2, 2, os.getenv)) == [None, None]
    monkeypatch.setenv(variable, "yes")
    assert list(run_games([variable] * 2, 2, os.getenv)) == ["yes", "yes"]
    assert os.environ[variable] == "yes"
