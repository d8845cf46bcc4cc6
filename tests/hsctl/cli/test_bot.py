"""`hsctl bot`: an agent on the other side of the protocol."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import Game
from engine.notation import format_header, format_position, parse_order, resolve
from search import make_agent
from search.agent import Budget
from tests.hsctl.run import HSCTL, ROOT, kernels_in, run_here, run_program, with_empty_cache


@pytest.fixture(scope="module")
def bot() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*HSCTL, "bot", "simple"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.wait()


def test_it_plays_the_agents_game(bot: subprocess.Popen[str]) -> None:
    """Against somebody who stands still: each answer is what the agent would do on the arena's own state."""
    assert bot.stdin is not None and bot.stdout is not None
    game = Game.start(6, 2)
    agent = make_agent("simple")
    agent.start_game(game.map, 1, 0)
    bot.stdin.write(format_header(1))
    while not game.is_over:
        bot.stdin.write(format_position(game))
        bot.stdin.flush()
        action = resolve(game.state, 1, parse_order(bot.stdout.readline()))
        assert action == agent.decide(game.state, 1, Budget(nodes=100)).action
        game.step([0, action])
    assert game.boxes[1] > 10
    bot.stdin.close()
    assert bot.wait() == 0


def test_turns_in_one_piece_get_their_answers_in_order() -> None:
    game = Game.start(1, 2)
    text = format_header(0)
    for _ in range(3):
        text += format_position(game)
        game.step([0, 0])
    result = run_program("bot", "still", input=text)
    assert (result.returncode, result.stdout) == (0, "MOVE 0 0\n" * 3)


def test_no_input_is_a_quiet_end() -> None:
    result = run_program("bot", "still", input="")
    assert (result.returncode, result.stdout) == (0, "")


def test_a_bot_that_is_asked_though_dead_answers() -> None:
    game = Game.start(1, 3)
    game.eliminate(0)
    result = run_program("bot", "simple", input=format_header(0) + format_position(game))
    assert (result.returncode, result.stdout) == (0, "MOVE 0 0\n")


def test_bad_input_gets_one_line_with_its_number() -> None:
    text = format_header(0) + format_position(Game.start(1, 2)) + "nonsense\n"
    result = run_program("bot", "still", input=text)
    assert (result.returncode, result.stdout) == (2, "MOVE 0 0\n")
    assert (
        result.stderr.splitlines()[-1] == "hsctl: line 16: expected row 0 with 13 characters, found 'nonsense' with 8"
    )


def test_only_agents_can_be_bots() -> None:
    result = run_program("bot", "./mybot", input="")
    assert result.returncode == 2 and "'./mybot' is not an agent; the agents are: " in result.stderr


def test_a_turn_left_out_is_told() -> None:
    game = Game.start(1, 2)
    text = format_header(0)
    for turn, action in enumerate([5, 0, 0, 0, 0, 0]):
        text += format_position(game) * (turn != 3)
        game.step([action, 0])
    result = run_program("bot", "still", input=text)
    assert result.returncode == 0 and result.stdout == "MOVE 0 0\n" * 5
    assert result.stderr.splitlines()[-1].startswith("turn 3: other boxes or bombs than the rules leave")


@pytest.mark.slow
def test_a_quick_agent_starts_without_being_compiled_and_decides_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = Game.start(3, 2)
    text = format_header(0)
    for action in (6, 0, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0):
        text += format_position(game)
        game.step([action, 0])
    cold = run_program("bot", "simple", input=text, env=with_empty_cache(tmp_path))
    assert cold.returncode == 0
    assert "simple plays as plain Python: `hsctl cache --warm simple` compiles it\n" in cold.stderr
    assert not kernels_in(tmp_path)
    run_here(capsys, "cache", "--warm", "simple")
    warm = run_program("bot", "simple", input=text)
    assert cold.stdout == warm.stdout and "plain Python" not in warm.stderr


@pytest.mark.slow
def test_an_agent_with_less_time_than_plain_python_needs_is_compiled(tmp_path: Path) -> None:
    cold = run_program("bot", "random", "--time", "50", input="", env=with_empty_cache(tmp_path))
    assert "compiling" in cold.stderr and kernels_in(tmp_path)
