"""Digests: an agent that was changed or a bot that was built again is another player, and nothing else makes one."""

import os
import pickle
import sys
from pathlib import Path

import msgspec
import pytest

from engine.errors import HsctlError
from hsctl.behaviour import digest_agent
from hsctl.match.bots.limits import BotLimits
from hsctl.match.identity import (
    Identity,
    SeatIdentity,
    check_digest,
    digest_of,
    files_of,
    seat_identities_of,
    version_of_game,
)
from hsctl.match.players import PlayerText, read_player
from replays.replay import Limits
from search.spec import parse_spec


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, text: str = "one") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("./mybot", "mybot"),
        ("./mybot weights.bin", "weights.bin"),
        ("./mybot --weights=data/weights.bin", "data/weights.bin"),
        ("python bot.py", "bot.py"),
        ("python -u 'my bot.py'", "my bot.py"),
        ("python -m bot", "bot.py"),
        ("python -m package.bot", "package/bot.py"),
        ("java -cp . Player", "Player.class"),
        ("java -cp classes:lib.jar Player", "classes/deep/Player.class"),
        ("java -cp classes:lib.jar Player", "lib.jar"),
        ("sh -c './mybot --fast'", "mybot"),
    ],
)
def test_a_changed_file_that_the_command_names_makes_another_player(folder: Path, command: str, file: str) -> None:
    put(folder / "mybot")
    path = put(folder / file)
    player = PlayerText(command, None)
    before = digest_of(player)
    os.utime(path, ns=(1, 1))
    assert digest_of(player) == before  # touched only
    put(folder / "notes.txt", "other")
    put(folder / ".git" / "Hidden.class", "other")
    assert digest_of(player) == before
    put(path, "two")
    assert digest_of(player) != before
    put(path, "one")
    assert digest_of(player) == before


def test_the_program_itself_is_among_its_files() -> None:
    assert files_of(f"{sys.executable} -c 'print()'") == [Path(sys.executable).resolve()]


# Built-in agents


def test_a_built_in_agent_is_how_it_behaves() -> None:
    assert digest_of(read_player("beam")) == digest_agent(parse_spec("beam")) != digest_of(read_player("beam:paper"))


@pytest.mark.parametrize(
    ("players", "limits", "is_timed"),
    [
        ("beam mcts", Limits(nodes=5), False),
        ("beam mcts", Limits(1000, 100), True),
        ("beam:nodes=5 mcts:nodes=5", Limits(1000, 100), False),
        ("beam:time=5 mcts", Limits(nodes=5), True),
    ],
)
def test_the_version_of_hsctl_counts_where_an_agent_thinks_by_the_clock(
    players: str, limits: Limits, is_timed: bool
) -> None:
    assert bool(version_of_game(map(read_player, players.split()), limits)) == is_timed


# Games


def test_the_same_player_named_twice_is_two_copies() -> None:
    copies = [
        seat_identity.copy
        for seat_identity in seat_identities_of([read_player(text) for text in ("still", "random", "still")])
    ]
    assert copies == [0, 0, 1]


def test_a_player_who_changed_on_the_way_is_refused(folder: Path) -> None:
    player = read_player(str(put(folder / "mybot")))
    digest = digest_of(player)
    check_digest(player, digest)
    put(folder / "mybot", "two")
    with pytest.raises(HsctlError, match=r"mybot' is not the same as at the start .* one of mybot changed"):
        check_digest(player, digest)


def test_a_variable_that_a_bot_is_told_is_part_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player, bot_limits = read_player(str(put(folder / "mybot"))), BotLimits(env=("MODE",))
    monkeypatch.setenv("MODE", "fast")
    digest = digest_of(player, bot_limits)
    assert digest != digest_of(player)
    check_digest(player, digest, bot_limits)
    monkeypatch.setenv("MODE", "slow")
    with pytest.raises(HsctlError, match=r"one of mybot, or of MODE changed"):
        check_digest(player, digest, bot_limits)


def test_a_key_tells_every_part_of_an_identity() -> None:
    seats = (SeatIdentity("beam", "1"), SeatIdentity("mcts", "1"))
    games = [
        Identity(1, seats, Limits(nodes=5)),
        Identity(2, seats, Limits(nodes=5)),
        Identity(1, seats[::-1], Limits(nodes=5)),
        Identity(1, (SeatIdentity("beam", "2"), seats[1]), Limits(nodes=5)),
        Identity(1, (SeatIdentity("beam", "1", 1), seats[1]), Limits(nodes=5)),
        Identity(1, seats, Limits(nodes=6)),
        Identity(1, seats, Limits(1000, 100)),
        Identity(1, seats, Limits(1000, 100, clock="cpu")),
        Identity(1, seats, Limits(nodes=5), memory_mb=5),
        Identity(1, seats, Limits(nodes=5), env=("MODE",)),
        Identity(1, seats, Limits(nodes=5), is_sandboxed=True),
        Identity(1, seats, Limits(nodes=5), is_paused=True),
        Identity(1, seats, Limits(nodes=5), hsctl="1"),
    ]
    assert len({game.key for game in games}) == len(games)
    assert games[0].key == Identity(1, seats, Limits(nodes=5)).key


def test_what_a_bot_writes_is_no_part_of_it(folder: Path) -> None:
    bot = put(folder / "mybot")
    commands = [f"sh -c '{bot} 2> {folder}/err.log'", f"sh -c '{bot} >>{folder}/err.log'"]
    before = [digest_of(read_player(command)) for command in commands]
    put(folder / "err.log", "something")
    assert [digest_of(read_player(command)) for command in commands] == before


def test_a_team_has_the_same_copies_whatever_other_teams_there_are() -> None:
    def copies(*teams: str) -> list[tuple[str, int]]:
        players = [read_player(name) for team in teams for name in team.split("+")]
        return [(seat_identity.spec, seat_identity.copy) for seat_identity in seat_identities_of(players, 2)]

    pair = [("still", 0), ("still", 1)]
    assert copies("random+still", "still+still") == [("random", 0), ("still", 0), *pair]
    assert copies("still+still", "still+still") == [*pair, ("still", 2), ("still", 3)]


@pytest.mark.parametrize("ends", ["arena", "survival"])
def test_an_identity_is_the_same_after_a_trip_to_a_worker(ends: str) -> None:
    identity = Identity(1, (), Limits(nodes=5), ends=ends)
    assert pickle.loads(pickle.dumps(identity)).key == identity.key
    assert msgspec.json.decode(identity.encode(), type=Identity).key == identity.key
