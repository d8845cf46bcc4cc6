"""The ledger: what was finished is there once, whatever happened; what is damaged is named.

HSCTL_EVERY_BYTE=1 cuts ledgers off at every byte, not just at some.
"""

import os
import platform
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from hsctl import __version__
from hsctl.behaviour import digest_agent
from hsctl.league.ledger import LEASE_S, MOST_NAMED, Ledger, LedgerError, Row, default_ledger
from hsctl.league.ledger_file import VERSION, Stored, decode, former, former_digest, named, version_of
from hsctl.match.identity import Identity, SeatIdentity
from hsctl.match.result import Fate, FaultCount
from replays.replay import Limits
from search.spec import parse_spec
from tests.hsctl.league.rows import made_row
from tests.hsctl.run import PLENTY, ROOT, wait_for

CUTS = 10**9 if os.environ.get("HSCTL_EVERY_BYTE") else 60  # of a file, besides those around its pages
PAGE, FRAME = 4096, 4096 + 24  # of the file, of its log
WRITER = """
import sys
from itertools import count
from pathlib import Path
from hsctl.league.ledger import Ledger
from tests.hsctl.league.rows import made_row
with Ledger(Path(sys.argv[1])) as ledger:
    for seed in count(int(sys.argv[2])):
        ledger.add(made_row(seed))
        print(seed, flush=True)
"""


def seeds_in(path: Path) -> list[int]:
    with Ledger(path) as ledger:
        return sorted(row.identity.seed for row in ledger)


def filled(path: Path, seeds: range = range(12)) -> Path:
    with Ledger(path) as ledger:
        for seed in seeds:
            ledger.add(made_row(seed))
    return path


# Games


def test_a_game_is_found_as_it_was_filed(tmp_path: Path) -> None:
    row = made_row(replay=tmp_path / "game.json")
    with Ledger(tmp_path / "a") as ledger:
        assert ledger.find(row.identity) is None
        ledger.add(row)
    with Ledger(tmp_path / "a") as ledger:
        assert ledger.find(row.identity) == row and len(ledger) == 1


def test_seed_seats_players_and_budget_make_a_game(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", range(1))
    with Ledger(path) as ledger:
        for other in (made_row(1), made_row(0, specs=("mcts", "beam")), made_row(0, specs=("beam", "mcts:c=1"))):
            assert ledger.find(other.identity) is None
        assert ledger.find(made_row(0, ranks=(2, 1)).identity) is not None


def test_a_game_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    with Ledger(filled(tmp_path / "a", range(1))) as ledger:
        assert ledger.file(made_row(0).identity, lambda: pytest.fail("made")) == made_row(0)


def test_a_row_that_is_refused_makes_room_for_another(tmp_path: Path) -> None:
    other = made_row(3, ranks=(2, 1))
    with Ledger(filled(tmp_path / "a")) as ledger:
        assert ledger.file(other.identity, lambda: other, keeps=lambda row: row.outcome.ranks == [2, 1]) == other
        assert ledger.find(other.identity) == other and len(ledger) == 12
        assert ledger.file(other.identity, lambda: made_row(3), keeps=lambda row: row.outcome.ranks == [2, 1]) == other


def test_who_is_stopped_while_replacing_a_row_has_to_play_its_game_again(tmp_path: Path) -> None:
    def stop() -> Row:
        raise KeyboardInterrupt

    with Ledger(filled(tmp_path / "a")) as ledger, pytest.raises(KeyboardInterrupt):
        ledger.file(made_row(3).identity, stop, keeps=lambda _: False)
    with Ledger(tmp_path / "a") as ledger:  # sound, its sums too
        assert ledger.find(made_row(3).identity) is None and len(ledger) == 11


def test_a_game_filed_twice_counts_once_and_the_first_stays(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a") as ledger, Ledger(tmp_path / "a") as another:
        first = another.add(made_row(ranks=(1, 2)))
        assert ledger.add(made_row(ranks=(2, 1))) == first
        assert len(ledger) == 1


def test_who_stops_reading_may_do_so_after_the_ledger_is_closed(tmp_path: Path) -> None:
    ledger = Ledger(filled(tmp_path / "games.sqlite"))
    stored = ledger._stored()
    next(stored)
    ledger.close()
    stored.close()  # type: ignore[attr-defined]


def test_the_default_is_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    assert default_ledger() == tmp_path / "ledger.sqlite"


# Merging


def test_ledgers_merge_in_any_order_and_twice_without_harm(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "one", range(0, 8)), filled(tmp_path / "other", range(5, 12))
    with Ledger(tmp_path / "a") as a, Ledger(tmp_path / "b") as b:
        assert [a.merge(path, pytest.fail) for path in (one, other, one, a.path)] == [8, 4, 0, 0]
        assert [b.merge(path, pytest.fail) for path in (other, one)] == [7, 5]
        assert list(a) == list(b) and len(a) == 12
    assert seeds_in(tmp_path / "a") == list(range(12))


def test_of_two_results_of_one_game_the_one_here_stays(tmp_path: Path) -> None:
    ours, theirs = made_row(ranks=(1, 2), finished="2026-01-02"), made_row(ranks=(2, 1), finished="2026-01-01")
    with Ledger(tmp_path / "ours") as ledger, Ledger(tmp_path / "theirs") as other:
        ledger.add(ours)
        other.add(theirs)
        assert ledger.merge(other.path, pytest.fail) == 0
        assert list(ledger) == [ours]


def with_fault(row: Row, name: str, fault: FaultCount) -> Row:
    return row._replace(outcome=msgspec.structs.replace(row.outcome, faults=[{name: fault}, {}]))


def with_faithful(row: Row, turns: list[int | None]) -> Row:
    return row._replace(outcome=msgspec.structs.replace(row.outcome, faithful_turns=turns))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (made_row(1, ranks=(1, 2, 3)), "3 ranks"),
        (made_row(1, ranks=(1, 3)), "ranks 3"),
        (made_row(1, deaths=[None, Fate(10**9, "own")]), "turns of death 1000000000"),
        (made_row(1, deaths=[None, Fate(7, "\x1b[2J")]), "cause of death '\\x1b[2J'"),
        (with_faithful(made_row(1), [None, None, 17]), "number of faithful turns 3"),
        (with_fault(made_row(1), "no answer", FaultCount(1, 3, "MOVE")), "fault 'no answer'"),
        (with_fault(made_row(1), "ahead", FaultCount(0, 3, "MOVE")), "faults 0"),
        (made_row(1, finished="yesterday"), "Invalid isoformat string"),
    ],
)
def test_a_row_that_cannot_be_is_named_and_left_out(tmp_path: Path, row: Row, reason: str) -> None:
    with Ledger(tmp_path / "ours") as ledger, Ledger(tmp_path / "theirs") as other:
        other.add(row)
        other.add(made_row(2))
        refused: list[str] = []
        assert ledger.merge(other.path, refused.append) == 1
        assert len(refused) == 1 and reason in refused[0] and str(other.path) in refused[0]
        assert [each.identity.seed for each in ledger] == [2]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE VIEW spy AS SELECT * FROM game",
        "CREATE TRIGGER spy AFTER INSERT ON game BEGIN DELETE FROM game; END",
        "CREATE TABLE more (anything)",
    ],
)
def test_a_file_that_defines_more_than_a_ledger_is_refused(tmp_path: Path, sql: str) -> None:
    path = filled(tmp_path / "theirs", range(3))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql)
    with Ledger(tmp_path / "ours") as ledger, pytest.raises(LedgerError, match="other tables, views or triggers"):
        ledger.merge(path, pytest.fail)


def test_only_the_first_rows_left_out_are_named_one_by_one(tmp_path: Path) -> None:
    refused: list[str] = []
    with Ledger(tmp_path / "ours") as ledger, Ledger(tmp_path / "theirs") as other:
        for seed in range(MOST_NAMED + 3):
            other.add(made_row(seed, finished="yesterday"))
        assert ledger.merge(other.path, refused.append) == 0
    assert len(refused) == MOST_NAMED + 1 and refused[-1].endswith("theirs: 3 more games are left out")


def test_text_that_is_none_is_left_out(tmp_path: Path) -> None:
    path = filled(tmp_path / "theirs", range(3))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE game SET finished = CAST(x'ff' AS TEXT) WHERE key = (SELECT min(key) FROM game)")
    refused: list[str] = []
    with Ledger(tmp_path / "ours") as ledger:
        assert ledger.merge(path, refused.append) == 2
    assert len(refused) == 1 and "its checksum is wrong" in refused[0]


def test_ctrl_c_within_a_merge_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path / "theirs", range(5))
    rows = iter(range(5))
    with Ledger(tmp_path / "ours") as ledger:

        def interrupted(stored: Stored) -> Row:
            if next(rows) == 3:
                signal.raise_signal(signal.SIGINT)
            return decode(stored)

        monkeypatch.setattr("hsctl.league.ledger.decode", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ledger.merge(path, pytest.fail)
        assert len(ledger) == 0 == len(list(ledger))


def test_a_long_query_hears_ctrl_c(tmp_path: Path) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with Ledger(tmp_path / "a") as ledger:
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt), named(ledger.path):
            ledger._connection.execute(endless).fetchone()
        timer.join()


# Versions


def aged(path: Path) -> Path:
    """As the first version of hsctl made it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE version")
        connection.execute("DROP TABLE claim")
        connection.execute("PRAGMA user_version = 1")
    return path


def test_a_ledger_of_an_older_version_is_upgraded(tmp_path: Path) -> None:
    path = aged(filled(tmp_path / "a", range(3)))
    assert seeds_in(path) == [0, 1, 2] == seeds_in(path)
    with closing(sqlite3.connect(path)) as connection:
        ((version, hsctl, _),) = connection.execute("SELECT * FROM version").fetchall()
        assert (version, hsctl) == (VERSION, __version__) == (version_of(connection), __version__)
    assert seeds_in(filled(path, range(3, 5))) == [0, 1, 2, 3, 4]


def former_row(seed: int, limits: Limits, *specs: str) -> Row:
    """As an hsctl filed it that knew agents by their sources."""
    seats = tuple(SeatIdentity(spec, former_digest(spec.partition(":")[0])) for spec in specs)
    return made_row(seed)._replace(identity=Identity(seed, seats, limits))


def test_games_filed_under_sources_are_found_by_behaviour(tmp_path: Path) -> None:
    limits, timed = Limits(nodes=20), Limits(100.0, 100.0)
    with Ledger(tmp_path / "a") as ledger:
        ledger.add(former_row(1, limits, "mcts", "bias:custom"))
        ledger.add(former_row(2, timed, "mcts", "still"))
        ledger.add(made_row(3))  # by agents of some other hsctl
    path = aged(tmp_path / "a")
    seats = tuple(SeatIdentity(spec, digest_agent(parse_spec(spec))) for spec in ("mcts", "bias:custom", "still"))
    today = Identity(1, seats[:2], limits)
    with Ledger(tmp_path / "other") as other:
        assert other.merge(path, pytest.fail) == 3 and other.find(today)
    for _ in range(2):
        with Ledger(path) as ledger:
            assert len(ledger) == 3 and ledger.find(today)
            assert ledger.find(Identity(2, (seats[0], seats[2]), timed, hsctl="0.1.0"))
            assert ledger.find(made_row(3).identity)


def test_games_of_agents_that_play_differently_today_are_not_taken_for_todays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = former()
    changed = msgspec.structs.replace(was, parts={**was.parts, "mcts": 0})
    monkeypatch.setattr("hsctl.league.ledger_file.former", lambda: changed)
    with Ledger(tmp_path / "a") as ledger:
        ledger.add(former_row(1, Limits(nodes=20), "mcts", "still"))
    with Ledger(aged(tmp_path / "a")) as ledger:
        (row,) = ledger
        assert row.identity.seats[0].digest == former_digest("mcts")
        assert row.identity.seats[1].digest == digest_agent(parse_spec("still"))


def test_a_player_that_this_version_cannot_read_leaves_its_row_as_it_was(tmp_path: Path) -> None:
    row = former_row(1, Limits(nodes=20), "still", "mcts:colour=red")
    with Ledger(tmp_path / "a") as ledger:
        ledger.add(row)
    path = aged(tmp_path / "a")
    with Ledger(tmp_path / "other") as other:
        assert other.merge(path, pytest.fail) == 1 and other.find(row.identity)
    with Ledger(path) as ledger:
        assert len(ledger) == 1 and ledger.find(row.identity)


def test_a_ledger_that_is_merged_stays_as_it_is(tmp_path: Path) -> None:
    path = aged(filled(tmp_path / "theirs", range(3)))
    with Ledger(tmp_path / "ours") as ledger:
        assert ledger.merge(path, pytest.fail) == 3
    with closing(sqlite3.connect(path)) as connection:
        assert version_of(connection) == 1


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", range(3))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(LedgerError, match=f"of version {VERSION + 1}"):
        Ledger(path)


def test_what_is_to_be_merged_must_be_there(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a") as ledger, pytest.raises(LedgerError, match="nothing: No such file"):
        ledger.merge(tmp_path / "nothing", pytest.fail)
    assert not (tmp_path / "nothing").exists()


# Damage


def test_what_is_no_ledger_is_named_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE game (key)")
    for path, content in (
        (tmp_path / "text", b"no database, but long enough to be one " * 50),
        (tmp_path / "empty", b""),
    ):
        path.write_bytes(content)
        with pytest.raises(LedgerError, match=f"{path.name}: the ledger is corrupt"):
            Ledger(path)
        assert path.read_bytes() == content
    with pytest.raises(LedgerError, match=r"other\.db: is not a ledger"):
        Ledger(other)
    with pytest.raises(LedgerError, match="is not a file"):
        Ledger(tmp_path)


def test_a_place_where_no_ledger_can_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LedgerError, match="another place for the ledger"):
        Ledger(tmp_path / "file" / "ledger")


def test_a_log_without_its_ledger_is_named(tmp_path: Path) -> None:
    (tmp_path / "a-wal").write_bytes(b"x")
    with pytest.raises(LedgerError, match="missing, but its log a-wal is there"):
        Ledger(tmp_path / "a")


def test_a_changed_digit_is_named(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", range(1))
    data = path.read_bytes()
    assert data.count(b'"ranks":[1,2]') == 1
    path.write_bytes(data.replace(b'"ranks":[1,2]', b'"ranks":[2,1]'))
    with (
        Ledger(path) as ledger,
        pytest.raises(LedgerError, match=r"corrupt \(game [0-9a-f]{32}: its checksum is wrong"),
    ):
        ledger.find(made_row(0).identity)


def test_a_game_taken_out_is_noticed(tmp_path: Path) -> None:
    path = filled(tmp_path / "a")
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM game WHERE key IN (SELECT key FROM game LIMIT 1)")
    with pytest.raises(LedgerError, match="it has 11 games, not those that it counted"):
        Ledger(path)


def cuts(size: int, page: int) -> list[int]:
    """Where a file is cut off: around its pages, and here and there."""
    around = {edge + off for edge in range(0, size, page) for off in (0, 31, 32)}
    return sorted(at for at in around | set(range(0, size, max(1, size // CUTS))) if at < size)


def test_a_schema_that_is_no_text_is_corrupt(tmp_path: Path) -> None:
    """SQLite's own message then is none either."""
    path = filled(tmp_path / "ledger")
    data = path.read_bytes()
    assert b"CREATE TABLE game" in data
    path.write_bytes(data.replace(b"CREATE TABLE game", b"CREATE T\xccBLE game"))
    with pytest.raises(LedgerError, match="corrupt"), Ledger(path):
        pass


def test_a_ledger_cut_off_anywhere_is_named_as_corrupt(tmp_path: Path) -> None:
    data = filled(tmp_path / "a").read_bytes()
    cut = tmp_path / "cut"
    for at in cuts(len(data), PAGE):
        cut.write_bytes(data[:at])
        with pytest.raises(LedgerError, match="corrupt"):
            Ledger(cut)


@pytest.mark.parametrize("pages", [1000, 9])  # after how many the log is copied into the file, and begins anew
def test_a_log_cut_off_anywhere_leaves_the_games_up_to_some_game_or_is_named(tmp_path: Path, pages: int) -> None:
    path = tmp_path / "a"
    with Ledger(path) as ledger:
        ledger._connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
        for seed in range(12):
            ledger.add(made_row(seed))
            shutil.copy(path, tmp_path / f"main{seed}")
            shutil.copy(f"{path}-wal", tmp_path / f"log{seed}")
    whole = set()
    for seed in (11,) if pages == 1000 else (5, 9, 11):
        main, log = (tmp_path / f"main{seed}").read_bytes(), (tmp_path / f"log{seed}").read_bytes()
        for at in cuts(len(log), FRAME):
            found = seeds_after_cut(tmp_path / "cut", main, log[:at])
            if found is not None:
                assert found == list(range(len(found))) and len(found) <= seed + 1
                whole.add(len(found))
    assert len(whole) > 3


def seeds_after_cut(path: Path, main: bytes, log: bytes) -> list[int] | None:
    """The games of such a ledger; None if it is named as corrupt."""
    path.write_bytes(main)
    Path(f"{path}-wal").write_bytes(log)
    Path(f"{path}-shm").unlink(missing_ok=True)
    try:
        return seeds_in(path)
    except LedgerError as error:
        assert f"{path}: the ledger is corrupt" in str(error)
        return None


# Kill -9


@pytest.mark.slow
def test_a_killed_writer_loses_no_game(tmp_path: Path) -> None:
    path, told = tmp_path / "a", 0
    for wanted in (1, 7, 40):
        words = [sys.executable, "-c", WRITER, str(path), str(told)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(wanted):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
            last = [line for line in writer.stdout.read().splitlines() if line]
            writer.wait(PLENTY)
        told += wanted + len(last)
        seeds = seeds_in(path)
        assert seeds == list(range(len(seeds))) and told <= len(seeds) <= told + 1
        told = len(seeds)


def test_several_processes_write_one_ledger(tmp_path: Path) -> None:
    path = tmp_path / "a"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", WRITER, str(path), "0"]
    writers = [subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for writer in writers:
        assert writer.stdout is not None
        for _ in range(6):
            assert writer.stdout.readline()
    for writer in writers:
        writer.kill()
        writer.communicate()
    seeds = seeds_in(path)
    assert seeds == list(range(len(seeds))) and len(seeds) >= 6


# Claims

ELSEWHERE = "elsewhere 1 2"  # on another machine
CLAIMER = """
import sys, time
from pathlib import Path
from hsctl.league.ledger import Ledger
print(Ledger(Path(sys.argv[1])).claim(["a"]), flush=True)
time.sleep(600)
"""


def test_a_game_is_claimed_by_one_process_until_its_lease_ends(tmp_path: Path) -> None:
    now = [1000.0]
    with Ledger(tmp_path / "a", clock=lambda: now[0]) as ours, Ledger(tmp_path / "a", clock=lambda: now[0]) as theirs:
        theirs.holder = ELSEWHERE
        assert theirs.claim(["a", "b"]) == {"a", "b"}
        assert ours.claim(["a", "c"]) == {"c"} == ours.claim(["c"])
        now[0] += LEASE_S
        assert ours.claim(["a"]) == set()
        assert theirs.claim(["d"]) == {"d"}  # which renews the others
        now[0] += LEASE_S
        assert ours.claim(["a"]) == set()
        now[0] += 1
        assert ours.claim(["a"]) == {"a"}
        assert theirs.claim(["a"]) == set()
        ours.release()
        assert theirs.claim(["a"]) == {"a"}


def test_a_clock_that_was_set_back_keeps_no_claim_for_ever(tmp_path: Path) -> None:
    now = [1e9]
    with Ledger(tmp_path / "a", clock=lambda: now[0]) as ours, Ledger(tmp_path / "a", clock=lambda: now[0]) as theirs:
        theirs.holder = ELSEWHERE
        theirs.claim(["a"])
        now[0] = 1000.0
        assert ours.claim(["a"]) == {"a"}


@pytest.mark.parametrize("process", ["", "²", "9" * 5000, "-1", "1 ²"])
def test_a_claim_of_no_process_is_no_fault(tmp_path: Path, process: str) -> None:
    now = 1000.0
    with Ledger(tmp_path / "a", clock=lambda: now) as ours, Ledger(tmp_path / "a", clock=lambda: now) as theirs:
        theirs.holder = f"{platform.node()} {process}"
        theirs.claim(["a"])
        ours.claim(["a"])
        now += LEASE_S + 1
        assert ours.claim(["a"]) == {"a"}


def test_a_filed_game_is_no_longer_claimed(tmp_path: Path) -> None:
    row = made_row(1)
    with Ledger(tmp_path / "a") as ours, Ledger(tmp_path / "a") as theirs:
        theirs.holder = ELSEWHERE
        ours.claim([row.identity.key])
        assert theirs.claim([row.identity.key]) == set()
        ours.add(row)
        assert theirs.claim([row.identity.key]) == {row.identity.key}


@pytest.mark.linux
def test_the_claim_of_a_killed_process_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    words = [sys.executable, "-c", CLAIMER, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as other, Ledger(path) as ours:
        assert other.stdout is not None and other.stdout.readline() == "{'a'}\n"
        assert ours.claim(["a"]) == set()
        other.kill()
        wait_for(lambda: ours.claim(["a"]) == {"a"})  # before anybody asked for its exit code
