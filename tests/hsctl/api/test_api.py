"""hsctl for Python: one import, nothing heavy before it is used, and the examples of the docs as printed."""

import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import hsctl
from engine.variants import ONE_TEAM_LEFT, in_teams
from tests.hsctl.run import ROOT

BLOCKS = re.compile(r"```python\n(.*?)```", re.DOTALL)
HEAVY = {"numpy", "numba", "rich", "typer", "textual", "msgspec"}
NAMES_AFTER_ALL = """
import pkgutil, hsctl
for module in pkgutil.walk_packages(hsctl.__path__, "hsctl."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
import types
wrong = [name for name in hsctl.__all__ if isinstance(getattr(hsctl, name), types.ModuleType)]
assert not wrong, wrong
assert hsctl.play_game.__module__ == "hsctl.api.playing" and hsctl.Agent.__module__ == "hsctl.match.user_agents.base"
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_import_loads_nothing_heavy() -> None:
    loaded = run("import hsctl, sys; print(*{name.split('.')[0] for name in sys.modules})").split()
    assert not HEAVY & set(loaded)


def test_no_submodule_takes_a_public_name() -> None:
    run(NAMES_AFTER_ALL)


def test_all_names_are_there_and_others_are_told() -> None:
    for name in hsctl.__all__:
        assert getattr(hsctl, name) is not None
    assert dir(hsctl) == sorted(hsctl.__all__)
    with pytest.raises(AttributeError, match=r"no attribute 'paly_game'; public are: .*play_game"):
        hsctl.paly_game  # noqa: B018


@pytest.mark.parametrize("number", range(4))
def test_the_examples_of_the_page_run_as_printed(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCKS.findall((ROOT / "docs" / "reference" / "api.md").read_text())
    assert len(blocks) == 4 and all(len(block.strip().splitlines()) <= 12 for block in blocks)
    exec(compile(blocks[number], "api.md", "exec"), {})


@pytest.mark.parametrize("name", ["hsctl", "hsctl.api.game", "hsctl.api.thinking", "hsctl.api.playing"])
def test_the_examples_in_docstrings_hold(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted and not found.failed


# Games


def test_a_game_comes_from_a_seed_a_text_and_a_replay() -> None:
    game = hsctl.Game.from_seed(4, players=3)
    assert hsctl.Game.from_text(game.text()).text() == game.text()
    replay = hsctl.play_game("still", "still", seed=4, nodes=1)
    assert hsctl.Game.from_replay(replay, 3).turn == 3


def test_the_dead_keep_their_seats_in_a_text() -> None:
    game = hsctl.Game.from_seed(1, players=3)
    game.eliminate(2)
    game.step([0, 0, 0])
    by_boxes = hsctl.Game.from_text(game.text(), game.turn, game.boxes)
    by_number = hsctl.Game.from_text(game.text(), game.turn, players=3)
    assert by_boxes.seats == by_number.seats == 3 and by_boxes.living == [0, 1]
    assert hsctl.Game.from_text(game.text()).seats == 2
    with pytest.raises(hsctl.HsctlError, match="boxes 1: expected 2 numbers"):
        hsctl.Game.from_text(game.text(), boxes=[1])
    with pytest.raises(hsctl.HsctlError, match="boxes 1,2: expected 3 numbers"):
        hsctl.Game.from_text(game.text(), boxes=[1, 2], players=3)


def test_a_turn_is_explained_when_the_last_seat_is_dead() -> None:
    game = hsctl.Game.from_seed(1, players=3)
    game.eliminate(2)
    game.step([0, 0, 0])
    explained = hsctl.explain_turn(game, player=0, agent="simple", nodes=10)
    assert explained.action in game.legal_actions(0)


def test_a_copy_goes_its_own_way() -> None:
    game = hsctl.Game.from_seed(4)
    other = game.copy()
    other.step({0: other.legal_actions(0)[-1]})
    assert (game.turn, other.turn, type(other)) == (0, 1, hsctl.Game)


@pytest.fixture(scope="module")
def team_replay() -> hsctl.Replay:
    start = hsctl.Game.of(in_teams(hsctl.Game.from_seed(3, players=4)))
    return hsctl.play_game("random", "random", "simple", "simple", seed=3, start=start, nodes=10)


def test_a_game_of_a_team_replay_has_the_ends_and_ranks_of_teams(team_replay: hsctl.Replay) -> None:
    assert (team_replay.reason, team_replay.ranks) == (ONE_TEAM_LEFT, [3, 3, 1, 1])
    assert team_replay.game_at(len(team_replay)).ranks() == team_replay.ranks
    game = hsctl.Game.from_replay(team_replay)
    for turn in team_replay.playback.replay.turns:
        game = game.copy()
        game.step([move.action or 0 if move else 0 for move in turn.moves])
    assert (game.reason, game.ranks(), game.is_over) == (team_replay.reason, team_replay.ranks, True)
    assert repr(game).startswith("<TeamGame: turn ")


def test_a_game_of_teams_is_played_on_by_teams(team_replay: hsctl.Replay) -> None:
    on = hsctl.play_game("still", "still", "random", "random", start=team_replay.game_at(5), nodes=1)
    assert on.playback.replay.start.teams == [0, 0, 1, 1] and on.ranks[0] == on.ranks[1]
    with pytest.raises(hsctl.HsctlError, match="2 players: that game has 4"):
        hsctl.play_game("still", "still", start=team_replay.game_at(5))


def test_agents_know_their_mates(team_replay: hsctl.Replay) -> None:
    game, agent = team_replay.game_at(0), hsctl.make_agent("simple")
    agent.decide(game, 3, hsctl.Budget(nodes=1))
    assert agent.agent.mates == (2,)
    agent.decide(hsctl.Game.from_text(game.text()), 3, hsctl.Budget(nodes=1))
    assert agent.agent.mates == ()
    explained = hsctl.explain_turn(game, player=0, agent="simple", nodes=10)
    assert explained.document["mates"] == [1]


def test_arrays_show_what_stands_where() -> None:
    game = hsctl.Game.from_seed(1)
    game.step({0: 5})
    planes = game.arrays()
    assert {plane.shape for plane in planes.values()} == {(11, 13)}
    assert (planes["fuses"][0, 0], planes["ranges"][0, 0], planes["players"][10, 12]) == (8, 3, 2)
    assert np.count_nonzero(planes["boxes"]) == sum(bin(int(word)).count("1") for word in game.state.boxes)


def test_errors_are_exceptions_with_the_words_of_the_command_line() -> None:
    with pytest.raises(hsctl.HsctlError, match="'smple' is neither an agent nor a program"):
        hsctl.play_game("smple", "random")
    with pytest.raises(hsctl.HsctlError, match="3 actions"):
        hsctl.Game.from_seed(1).step([0, 0, 0])
    with pytest.raises(hsctl.HsctlError, match=r"player 3 is not on the board"):
        hsctl.make_agent("still").decide(hsctl.Game.from_seed(1), 3)


def test_what_was_played_shows_itself_in_a_notebook() -> None:
    replay = hsctl.play_game("still", "random", seed=4, nodes=1)
    assert "<iframe srcdoc=" in replay._repr_html_()
    assert "<pre" in replay.game_at(0)._repr_html_() and "player 1" in str(replay.game_at(0))
    assert "first moves" in hsctl.explain_turn(replay, 0, player=0)._repr_html_()


def test_a_review_tells_of_a_file_what_it_tells_of_a_game(tmp_path: Path) -> None:
    game = hsctl.play_game("random", "still", seed=3, nodes=1)
    told = hsctl.review_game(game, 0, nodes=50)
    assert (told["player"], told["boxes"], told["rank"]) == (0, game.boxes, game.ranks[0])
    [death] = told["deaths"]
    assert death["turn"] == len(game) - 1
    from_file = hsctl.review_game(game.save(tmp_path / "game.json"), 0, nodes=50)
    assert from_file["deaths"] == told["deaths"] and from_file["mistakes"] == told["mistakes"]
    with pytest.raises(hsctl.HsctlError, match="beam"):
        hsctl.review_game(game, 0, agent="simple")
