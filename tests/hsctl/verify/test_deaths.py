"""The hunt for avoidable deaths: what counts as one, and where they are looked for."""

import json
import re

from engine.board import LEFT, RIGHT
from engine.notation import parse_position
from hsctl.review.deaths import holding_moves
from hsctl.verify.deaths import Choice, Death, Hunt, describe, find_mistake, play
from tests.engine.draw import board
from tests.hsctl.run import run_here
from tests.replays.arena.writer import write_console, write_frames, write_json, write_options
from tests.replays.recorded import record_game

# A dead end to the left; the opponent stands at its mouth and can shut it by a bomb, but not while we walk past them.
DEAD_END = """
    .......
    0X0X.X.
    .......
    0 0 3 0 1 3
    0 1 4 0 1 5
    """


def choice(action: int) -> Choice:
    return Choice(parse_position(board(DEAD_END)), action)


def test_a_move_that_an_opponent_s_bomb_makes_deadly_is_not_safe():
    safe = holding_moves(choice(LEFT).game, 0)
    assert RIGHT in safe and LEFT not in safe


def test_the_last_unsafe_choice_is_the_mistake():
    early, late = choice(LEFT), choice(LEFT)
    assert find_mistake([early, late, choice(RIGHT)], 0) is late
    assert find_mistake([choice(RIGHT)], 0) is None


def test_a_death_that_won_the_game_is_no_mistake():
    lost, won = (Death(1, 2, 0, 9, is_won, choice(LEFT)) for is_won in (False, True))
    assert Hunt(2, [lost, won]).mistakes == [lost]
    assert "chose left, safe:" in describe(lost) and "--boxes 0,0" in describe(lost)


def test_a_game_is_played_to_its_end(monkeypatch):
    monkeypatch.setattr("hsctl.verify.deaths.NODES", 50)
    death = play(3, 2, 0)
    assert death is None or 0 <= death.turn < 200


def test_deaths_are_found_in_replays(tmp_path, capsys):
    games = tmp_path / "games"
    run_here(capsys, "play", "random", "still", "--games", "6", "--nodes", "1", "--jobs", "1", "--out", games)
    code, out, _ = run_here(capsys, "verify", "--deaths-in", games, "--player", "random")
    count = int(re.search(r"6 games: random died (\d) times, won 0 of these games", out)[1])
    assert count > 0 and code == int(", safe: " in out)
    refused = run_here(capsys, "verify", "--deaths-in", games, "--player", "nobody")
    assert refused[0] == 2 and "none of 6 files is a game with a player 'nobody'" in refused[2]


def test_games_of_the_arena_are_looked_through_and_differences_told(tmp_path, capsys):
    replay = record_game(3, 3, care=0.9)
    result = write_json(replay, write_frames(replay), ["ann", "bob", "eve"])
    (tmp_path / "console.txt").write_text(
        write_options(replay) + write_console(write_frames(replay), ["ann", "bob", "eve"])
    )
    result["ranks"] = [0, 0, 0]
    (tmp_path / "game").write_text(json.dumps(result))
    (tmp_path / "note").write_text("no game")
    _, out, err = run_here(capsys, "verify", "--deaths-in", tmp_path, "--player", "bob")
    assert "2 games: bob died " in out
    assert "game: MISMATCH frame " in err and "the arena has ranks 0, 0, 0" in err
    assert "passed over: " in err and "note: no game found" in err
