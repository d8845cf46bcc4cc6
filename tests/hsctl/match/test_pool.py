"""Games side by side: every task is played, dead workers are replaced, none is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.cores import core_count
from hsctl.match.pool import run_games
from tests.hsctl.run import PLENTY, ROOT


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def die_once(folder: Path, number: int) -> int:
    """Task 3 kills its worker the first time."""
    if number == 3 and not (folder / "died").exists():
        (folder / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def always_die(number: int) -> int:
    os._exit(7)


def refuse(number: int) -> int:
    raise HsctlError(f"not {number}")


def fail(number: int) -> int:
    raise ZeroDivisionError(number)


def sleep_long(folder: Path, number: int) -> int:
    """Leaves a note of its process; only task 0 comes to an end."""
    (folder / str(os.getpid())).touch()
    time.sleep(PLENTY if number else 0)
    return number


def hears_interrupts(number: int) -> tuple[int, bool]:
    return os.getpid(), signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_one_job_plays_here_and_in_order() -> None:
    assert list(run_games(range(5), 1, square)) == [(number * number, os.getpid()) for number in range(5)]


def test_all_tasks_are_played_by_as_many_workers_as_asked_for() -> None:
    results = list(run_games(range(12), 2, square))
    assert sorted(square for square, _ in results) == [number * number for number in range(12)]
    workers = {pid for _, pid in results}
    assert 1 <= len(workers) <= 2 and os.getpid() not in workers
    assert not any(map(is_running, workers))


def test_a_dead_worker_is_replaced_and_its_game_played_again(tmp_path: Path) -> None:
    assert sorted(run_games(range(6), 2, partial(die_once, tmp_path))) == list(range(6))
    assert (tmp_path / "died").exists()


def test_no_worker_hears_ctrl_c() -> None:
    heard = dict(run_games(range(40), 2, hears_interrupts))
    assert set(heard.values()) == {False}


def test_a_game_that_kills_every_worker_is_an_error() -> None:
    with pytest.raises(HsctlError, match=r"ended its worker process 3 times \(exit code 7\)"):
        list(run_games(range(3), 2, always_die))


def test_errors_of_the_user_come_through_and_bugs_with_their_traceback() -> None:
    with pytest.raises(HsctlError, match="not "):
        list(run_games(range(3), 2, refuse))
    with pytest.raises(RuntimeError, match=r"(?s)in a worker:.*ZeroDivisionError"):
        list(run_games(range(3), 2, fail))


@pytest.mark.linux
def test_closing_ends_the_workers_in_the_middle_of_their_games(tmp_path: Path) -> None:
    games = run_games([0, 1, 2], 2, partial(sleep_long, tmp_path))
    assert next(games) == 0
    wait_until(lambda: len(workers_of(tmp_path)) == 2)
    games.close()
    assert not any(map(is_running, workers_of(tmp_path)))


@pytest.mark.linux
def test_no_worker_outlives_a_killed_main_process(tmp_path: Path) -> None:
    code = f"""
from functools import partial
from pathlib import Path
from hsctl.match.pool import run_games
from tests.hsctl.match.test_pool import sleep_long
if __name__ == "__main__":
    list(run_games([1, 2], 2, partial(sleep_long, Path({str(tmp_path)!r}))))
"""
    script = tmp_path / "main.py"
    script.write_text(code)
    main = subprocess.Popen([sys.executable, str(script)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    wait_until(lambda: len(workers_of(tmp_path)) == 2)
    main.kill()
    main.wait()
    wait_until(lambda: not any(map(is_running, workers_of(tmp_path))))


def workers_of(folder: Path) -> list[int]:
    return [int(path.name) for path in folder.iterdir() if path.name.isdigit()]


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PLENTY
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_some_core_is_found() -> None:
    assert 1 <= core_count() <= (os.cpu_count() or 1)
