"""Cores of their own: for bots and runner where there are enough, else for nobody."""

import os
import shlex
import sys
from collections.abc import Iterator

import pytest

from engine.game import Game
from hsctl.match import cores
from hsctl.match.cores import cores_apart, share_out, shares
from hsctl.match.players import read_player
from hsctl.match.runner import play_game
from hsctl.match.seats import make_seat
from replays.replay import Limits

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="needs two cores to choose from"
)


@pytest.fixture(autouse=True)
def untouched(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is shared out, and no other test or hsctl of this machine has taken a core."""
    monkeypatch.setattr(cores, "_shared_out", None)
    monkeypatch.setattr(os, "getuid", lambda: 10**6 + os.getpid())
    before = os.sched_getaffinity(0)
    yield
    assert os.sched_getaffinity(0) == before


def test_a_bot_and_its_runner_have_a_core_each() -> None:
    with cores_apart(1) as [core]:
        [own] = os.sched_getaffinity(0)
        assert core is not None and core != own


def test_too_few_cores_are_given_to_nobody() -> None:
    before = os.sched_getaffinity(0)
    with cores_apart(len(before)) as cores:
        assert cores == [None] * len(before)
        assert os.sched_getaffinity(0) == before


def test_a_core_that_is_taken_is_left_alone() -> None:
    count = len(os.sched_getaffinity(0))
    with cores_apart(count - 1) as cores:
        assert None not in cores
        with cores_apart(1) as [core]:
            assert core is None
    with cores_apart(count - 1) as cores:
        assert None not in cores  # they are free again


def test_nothing_is_taken_for_agents() -> None:
    before = os.sched_getaffinity(0)
    with cores_apart(0) as cores:
        assert cores == [] and os.sched_getaffinity(0) == before


def test_bots_stay_on_what_was_shared_out() -> None:
    share_out(())
    with cores_apart(1) as [core]:
        assert core is None
    own = sorted(os.sched_getaffinity(0))[-2:]
    share_out(own)
    with cores_apart(1) as [core]:
        assert core == own[1]


def test_workers_share_the_cores_unless_there_are_too_few() -> None:
    cores = sorted(os.sched_getaffinity(0))
    assert shares(1) == [cores]
    assert shares(len(cores)) == [[]] * len(cores)
    parts = shares(len(cores) // 2)
    assert all(len(part) >= 2 for part in parts) and len(set().union(*parts)) == sum(map(len, parts))


def test_a_bot_runs_where_it_was_put() -> None:
    code = "import os; print('MOVE 0 0', *sorted(os.sched_getaffinity(0)), flush=True)"
    seats = [make_seat(read_player(text)) for text in (shlex.join([sys.executable, "-S", "-c", code]), "still")]
    replay, _ = play_game(seats, Game.start(1, 2), Limits(60_000.0, 60_000.0), 1)
    first = replay.turns[0].moves[0]
    assert first is not None and len(first.message.split()) == 1
