"""Ghosts follow the recording while that is legal and can be survived; where not, an agent plays."""

import json
from pathlib import Path

import pytest

from engine.game import Game
from engine.position import player_of
from hsctl.league.games import Block, League, read_league
from hsctl.league.ledger import Ledger
from hsctl.league.runner import look_up, play_here, run_blocks
from hsctl.match.ghosts import GhostSeat, can_survive
from hsctl.match.identity import digest_of
from hsctl.match.players import read_player
from hsctl.match.runner import play as play_task
from hsctl.match.runner import play_game
from hsctl.match.seats import make_seat, varied
from replays.playback import Playback, game_from
from replays.replay import Limits, Replay, write
from tests.hsctl.run import refusal, run_here
from tests.replays.arena.recorded_files import RECORDED, needs_recorded
from tests.replays.recorded import record_game

NODES = Limits(nodes=50)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Replay]:
    """Three players; one is lost for an error, one dies."""
    path = tmp_path_factory.mktemp("recorded") / "game.json"
    replay = record_game(3, 3, failures=0.01, care=0.95)
    write(path, replay)
    return path, replay


def play(texts: list[str], replay: Replay) -> tuple[Replay, list[int | None]]:
    seats = [make_seat(read_player(text)) for text in texts]
    played, finished = play_game(seats, game_from(replay.start), NODES, 1)
    return played, finished.faithful_turns


def done_in(replay: Replay) -> list[object]:
    """All positions, with what everybody did, said and failed by."""
    return [
        (turn.hash, [move and (move.action, move.line, move.message, move.failure) for move in turn.moves])
        for turn in replay.turns
    ]


def test_a_game_of_ghosts_is_the_recorded_game(recorded: tuple[Path, Replay]) -> None:
    path, replay = recorded
    played, faithful = play([f"ghost:{path}#{seat}" for seat in range(3)], replay)
    assert done_in(played) == done_in(replay)
    assert played.result == replay.result
    lived = [sum(turn.moves[seat] is not None for turn in replay.turns) for seat in range(3)]
    assert faithful == [info.faithful_turns for info in played.players] == lived
    assert any(move and move.failure for turn in played.turns for move in turn.moves)
    Playback(played)


@needs_recorded
@pytest.mark.parametrize("name", ["game0.json", "game3.json", "console0.txt"])
def test_a_game_of_the_arena_is_repeated_by_its_ghosts(name: str) -> None:
    texts = [f"ghost:{RECORDED / name}#player{seat}" for seat in range(4)]
    from replays.opening import open_game

    replay = open_game(RECORDED / name)[0].replay
    played, _ = play(texts, replay)
    assert done_in(played) == done_in(replay) and played.result == replay.result


def actions_of(replay: Replay, seat: int) -> list[int | None]:
    return [move.action if (move := turn.moves[seat]) else None for turn in replay.turns]


def test_a_ghost_follows_the_recording_though_the_board_differs(recorded: tuple[Path, Replay]) -> None:
    path, replay = recorded
    played, followed = play(["still", f"ghost:{path}#1", f"ghost:{path}#2,then=simple"], replay)
    pairs = zip(played.turns, replay.turns, strict=False)
    same = next(at for at, (one, other) in enumerate(pairs) if one.hash != other.hash)
    assert 0 < same < len(replay.turns) and followed[0] is None
    assert all(turns is not None and turns > same for turns in followed[1:])
    thoughts = [bool(move and move.thought) for move in (turn.moves[2] for turn in played.turns)]
    for at, (ours, theirs) in enumerate(zip(actions_of(played, 2), actions_of(replay, 2), strict=False)):
        assert thoughts[at] or ours == theirs or played.turns[at].moves[2] is None or at > same


@pytest.mark.parametrize("blocked", ["deadly", "elsewhere"])
def test_a_ghost_leaves_the_recording_only_where_it_must_and_returns(blocked: str, tmp_path: Path) -> None:
    seats = [make_seat(read_player("simple")), make_seat(read_player("still"))]
    replay, _ = play_game(seats, Game.start(5, 2), NODES, 5)
    write(path := tmp_path / "walk.json", replay)
    playback, turn = Playback(replay), 4
    game = playback.game_at(turn)
    ghost = GhostSeat(read_player(f"ghost:{path}#0,then=simple"))
    ghost.begin(game_from(replay.start), 0, 5, NODES)
    if blocked == "elsewhere":  # one step off the path: the ghost walks back to it
        recorded = replay.turns[turn].moves[0]
        assert recorded is not None and recorded.action is not None
        other = next(step for step in range(5) if step != recorded.action % 5 and can_survive(game, 0, step))
        game.step([other, 0])
        cells = []
        while game.turn < turn + 6:
            cells.append(player_cell(game) == player_cell(playback.game_at(game.turn)))
            game.step([ghost.act(game, NODES, False).move.action or 0, 0])
        assert True in cells and cells[cells.index(True) :] == [True] * (len(cells) - cells.index(True))
    else:  # whatever the board: no action of a ghost that can live leads to its death
        for turn in range(playback.first_turn, playback.end_turn, 7):
            game = playback.game_at(turn)
            game.boxes[1] += 1  # not the recorded position
            if 0 in game.living and any(can_survive(game, 0, action) for action in range(10)):
                action = ghost.act(game, NODES, False).move.action
                assert action is not None and can_survive(game, 0, action)


def player_cell(game: Game) -> tuple[int, int] | None:
    player = player_of(game.state, 0)
    return None if player is None else player.cell


@pytest.mark.parametrize("at", range(3))
def test_in_another_seat_or_among_others_a_ghost_repeats_nothing(recorded: tuple[Path, Replay], at: int) -> None:
    path, replay = recorded
    texts = ["random"] * 3
    texts[at] = f"ghost:{path}#{(at + 1) % 3},then=random"
    assert play(texts, replay)[1][at] == 0


def test_play_takes_the_board_of_its_ghosts_and_reports_the_turns_they_followed(
    recorded: tuple[Path, Replay], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, replay = recorded
    texts = [f"ghost:{path}#{seat}" for seat in range(3)]
    table = run_here(capsys, "play", *texts, "--nodes", "50", "--out", tmp_path)
    assert f"● 0 followed the recording for {len(replay.turns)} of {len(replay.turns)} turns" in table.out
    assert f"seed {replay.seed}, " in table.out
    (saved,) = tmp_path.glob("*.json")
    assert f'"faithful_turns": {len(replay.turns)}' in saved.read_text()
    shown = " ".join(run_here(capsys, "replay", saved).out.split())
    assert f"followed {len(replay.turns)} turns" in shown
    record = json.loads(run_here(capsys, "play", *texts, "--nodes", "50", "--no-save", "--json").out)
    assert max(record["games"][0]["faithful_turns"]) == len(replay.turns)
    assert record["games"][0]["boxes"] == replay.result.boxes
    two = run_here(capsys, "play", "random", texts[2], "--nodes", "50", "--no-save")
    assert "can't follow the recording: it was recorded in seat 2 of 3, and here it sits in 1 of 2" in two.err
    assert "followed the recording for 0 of " in two.out


# Leagues


def test_a_ghost_is_known_by_its_file_and_by_who_goes_on(recorded: tuple[Path, Replay], tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(recorded[0].read_bytes())
    original = digest_of(read_player(f"ghost:{recorded[0]}#1,then=random"))
    assert digest_of(read_player(f"ghost:{copy}#1,then=random")) == original
    assert digest_of(read_player(f"ghost:{copy}#1,then=simple")) != original
    write(copy, record_game(4, 3))
    assert digest_of(read_player(f"ghost:{copy}#1,then=random")) != original


def test_a_ledger_keeps_the_turns_that_a_ghost_followed(recorded: tuple[Path, Replay], tmp_path: Path) -> None:
    path, replay = recorded
    texts = [f"ghost:{path}#0,then=random", f"ghost:{path}#1,then=random", f"ghost:{path}#2,then=random"]
    league, block = League(tuple(read_league(texts)), NODES), Block(replay.seed or 0, (0, 1, 2))
    with Ledger(tmp_path / "ledger") as ledger:
        games = list(run_blocks(league, [block], ledger, play_here(league, 1, print)))
        known, lacking = look_up(league, ledger, 0, block)
    assert not lacking
    assert [game.faithful_turns for game in known] == [game.faithful_turns for game in games]
    assert known[0].boxes == replay.result.boxes and max(filter(None, known[0].faithful_turns)) == len(replay.turns)
    assert known[1].faithful_turns == [0, 0, 0]


def test_a_ghost_of_a_file_that_is_gone_is_refused(recorded: tuple[Path, Replay], tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(recorded[0].read_bytes())
    league = League(tuple(read_league([f"ghost:{copy}#0", "random"])), NODES)
    with Ledger(tmp_path / "ledger") as ledger:
        _, (task, *_) = look_up(league, ledger, 0, Block(1, (0, 1)))
    copy.unlink()
    with pytest.raises(Exception, match=r"copy.json: No such file or directory"):
        play_task(task)


def test_compare_tells_it_too(
    recorded: tuple[Path, Replay], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ghost = f"ghost:{recorded[0]}#1,then=random"
    options = ("--games", "2", "--nodes", "5", "--jobs", "1", "--ledger", tmp_path / "ledger", "--json")
    assert json.loads(run_here(capsys, "compare", ghost, "still", *options).out)["faithful_turns"] == {
        f"ghost of {recorded[1].players[1].spec}"[:40]: 0.0
    }


# Wrong input


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ghost:", "ghost:FILE#PLAYER"),
        ("ghost:{path}", "ghost:FILE#PLAYER"),
        ("ghost:{path}#", "ghost:FILE#PLAYER"),
        ("ghost:{path}#7", "player '7'"),
        ("ghost:nowhere.json#1", "nowhere.json: No such file or directory; name a file with a game"),
        ("ghost:{path}#1,then=nobody", "'nobody' is not an agent; the agents are: beam"),
        ("ghost:{path}#1,then=./mybot", "'./mybot' is not an agent"),
        ("ghost:{text}#1", "no game found"),
    ],
)
def test_what_is_no_ghost_gets_one_line(
    recorded: tuple[Path, Replay], capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "text").write_text("hello\n")
    assert message in refusal(capsys, "play", "beam", text.format(path=recorded[0], text=tmp_path / "text"))


def test_the_agent_that_takes_over_varies_as_others_do(recorded: tuple[Path, Replay]) -> None:
    seats = [make_seat(read_player(text)) for text in (f"ghost:{recorded[0]}#0", "still")]
    ghost = seats[0]
    assert isinstance(ghost, GhostSeat)
    with varied(seats, 0.25):
        assert [ghost.agent.spread, getattr(seats[1], "spread", None)] == [0.25, 0.25]
    assert [ghost.agent.spread, getattr(seats[1], "spread", None)] == [0.0, 0.0]
