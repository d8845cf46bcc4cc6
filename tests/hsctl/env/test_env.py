"""The environments keep to PettingZoo's and Gymnasium's interfaces, as their own tests ask, and to the arena's game."""

import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test

from engine.batch import PLANES, TERMS
from engine.errors import HsctlError
from engine.game import Game
from engine.rules import legal_actions
from hsctl.env import hypersonic_v0
from hsctl.env.hypersonic_v0 import REWARDS
from hsctl.env.single import HypersonicEnv

SEED_OF_THE_PAGE = 0


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", "Observation (space .* probably|is not)")  # an array, but a dict
        yield


def planes_of(observation: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return dict(zip(PLANES, observation["observation"], strict=True))


# The tests of the interfaces


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_parallel_env_passes_pettingzoos_test(players: int) -> None:
    parallel_api_test(hypersonic_v0.parallel_env(players), num_cycles=250)


def test_the_parallel_env_passes_pettingzoos_test_of_seeds() -> None:
    parallel_seed_test(hypersonic_v0.parallel_env, num_cycles=100)


@pytest.mark.parametrize("players", [2, 4])
def test_the_aec_env_passes_pettingzoos_test(players: int) -> None:
    api_test(hypersonic_v0.env(players=players), num_cycles=200)


def test_the_aec_env_passes_pettingzoos_test_of_rendering() -> None:
    render_test(hypersonic_v0.env)


def test_both_pass_pettingzoos_test_of_max_cycles() -> None:
    max_cycles_test(hypersonic_v0)


def test_the_single_env_passes_gymnasiums_test() -> None:
    check_env(gymnasium.make("Hypersonic-v0", opponents=("simple", "random")).unwrapped)


# The game


def test_a_seed_gives_the_arenas_board() -> None:
    env = hypersonic_v0.parallel_env(players=3)
    observations, infos = env.reset(seed=12)
    game = Game.start(12, 3)
    assert env.position[0] == game.state and env.position[1] == game.map
    assert infos["player_0"]["seed"] == 12
    boxes = planes_of(observations["player_0"])["boxes"]
    assert boxes.sum() == sum(int(word).bit_count() for word in game.state.boxes)


def test_each_agent_sees_itself_first() -> None:
    observations, _ = hypersonic_v0.parallel_env(players=2).reset(seed=0)
    for agent, corner in (("player_0", (0, 0)), ("player_1", (10, 12))):
        assert planes_of(observations[agent])["player 0"][corner] == 3


def test_the_mask_is_in_the_observation_and_in_the_info() -> None:
    env = hypersonic_v0.parallel_env()
    observations, infos = env.reset(seed=1)
    legal = int(legal_actions(env.position[0], 1))
    assert observations["player_1"]["action_mask"].tolist() == [legal >> action & 1 for action in range(10)]
    assert np.array_equal(infos["player_1"]["action_mask"], observations["player_1"]["action_mask"])


def test_a_masked_action_means_stay() -> None:
    env = hypersonic_v0.parallel_env()
    observations, _ = env.reset(seed=1)
    assert not observations["player_0"]["action_mask"][[1, 3, 6, 8]].any()  # left and up of the corner
    observations, *_ = env.step({"player_0": 6, "player_1": 5})  # left, with a bomb
    assert planes_of(observations["player_0"])["stock 0"][0, 0] == 1
    assert not planes_of(observations["player_0"])["own bombs"].any()
    assert planes_of(observations["player_1"])["own bombs"][10, 12] == 1


def play_to_death(env: Any) -> list[tuple[Any, ...]]:
    """player_0 drops a bomb and stays on it; everybody else stays."""
    env.reset(seed=1)
    told = [env.step({"player_0": 5, "player_1": 0, "player_2": 0})]
    while "player_0" in env.agents:
        told.append(env.step(dict.fromkeys(env.agents, 0)))
    return told


def test_who_dies_leaves_and_has_lost() -> None:
    env = hypersonic_v0.parallel_env(players=3)
    *before, (_, rewards, terminated, truncated, _) = play_to_death(env)
    assert all(step[1]["player_0"] == 0 for step in before)
    assert rewards == {"player_0": -1, "player_1": 0, "player_2": 0}
    assert terminated == {"player_0": True, "player_1": False, "player_2": False} and not any(truncated.values())
    assert env.agents == ["player_1", "player_2"]


def test_who_is_left_has_won() -> None:
    env = hypersonic_v0.parallel_env(players=2)
    env.reset(seed=1)
    env.step({"player_0": 5})
    for _ in range(8):
        _, rewards, terminated, _, infos = env.step({})
    assert rewards == {"player_0": -1, "player_1": 1} and all(terminated.values()) and env.agents == []
    assert infos["player_1"]["ending"] == "one player left"
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_a_reward_is_a_name_or_weights_of_terms() -> None:
    env = hypersonic_v0.parallel_env(3, reward={"deaths": -3.0, "turns": 0.5, "bombs": 0.25})
    first, *_, last = play_to_death(env)
    assert first[1] == {"player_0": 0.75, "player_1": 0.5, "player_2": 0.5} and last[1]["player_0"] == -3.0
    assert all(set(weights) <= set(TERMS) for weights in REWARDS.values())


def test_max_cycles_truncates() -> None:
    env = hypersonic_v0.parallel_env(max_cycles=3)
    env.reset(seed=0)
    for _ in range(3):
        _, _, terminated, truncated, _ = env.step({})
    assert all(truncated.values()) and not any(terminated.values()) and env.agents == []


def test_observations_stay_as_they_were() -> None:
    env = hypersonic_v0.parallel_env()
    observations, _ = env.reset(seed=0)
    kept = observations["player_0"]["observation"].copy()
    env.step({"player_0": 5})
    assert np.array_equal(observations["player_0"]["observation"], kept)


# Opponents


def test_opponents_are_built_in_agents_by_name() -> None:
    env = gymnasium.make("Hypersonic-v0", opponents=("simple", "still"), seat=1)
    _, info = env.reset(seed=3)
    assert info["seed"] == 3
    for _ in range(12):
        observation, *_ = env.step(0)
    planes = planes_of(observation)
    assert planes["player 0"][10, 12] == planes["player 1"][0, 12] == 3  # the agent's, `still`: both where they began
    assert planes["player 2"][0, 0] == 0 and planes["player 2"].any()  # `simple` went away


def test_an_agents_own_nodes_count_before_those_of_all() -> None:
    env = HypersonicEnv(("simple:nodes=7", "random"), nodes=50)
    assert [budget.nodes for budget in env.budgets.values()] == [7, 50]


def test_the_same_seed_and_actions_give_the_same_game() -> None:
    seen = []
    for _ in range(2):
        env = gymnasium.make("Hypersonic-v0", opponents=("random", "simple"))
        first, _ = env.reset(seed=9)
        seen.append([first["observation"], *(env.step(0)[0]["observation"] for _ in range(8))])
    assert np.array_equal(*seen)


# What is shown


def test_pictures_show_the_fire_and_the_dead() -> None:
    shown = {}
    for mode in ("ansi", "rgb_array"):
        env = hypersonic_v0.parallel_env(players=3, render_mode=mode)
        play_to_death(env)
        shown[mode] = env.render()
    assert "▒" in shown["ansi"] and "†" in shown["ansi"] and "turn 9" in shown["ansi"]
    assert shown["rgb_array"].shape == (363, 423, 3) and len(np.unique(shown["rgb_array"])) > 20


def test_human_prints_every_turn(capsys: pytest.CaptureFixture[str]) -> None:
    env = hypersonic_v0.parallel_env(render_mode="human")
    env.reset(seed=0)
    env.step({})
    printed = capsys.readouterr().out
    assert "turn 0" in printed and "turn 1" in printed and "(0)" in printed


# The page


def read_page() -> str:
    return (Path(__file__).parents[3] / "docs" / "guides" / "learning.md").read_text()


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", read_page(), re.DOTALL))
def test_an_example_of_the_page_runs_as_printed(example: str) -> None:
    exec(example, {})


def test_the_page_has_every_plane_and_term() -> None:
    page = read_page()
    assert [name for name in (*REWARDS, *TERMS) if f"`{name}`" not in page and f'"{name}"' not in page] == []
    named = re.findall(r"^\| \d+(?:, \d+| to \d+)? \| ([^|]*) \|", page, re.MULTILINE)
    expected = [f"{name} to 3" if name.endswith(" 0") else name for name in PLANES if name[-1] not in "123"]
    assert ", ".join(named) == ", ".join(expected)


def test_the_page_draws_the_planes_of_a_corner() -> None:
    env = hypersonic_v0.parallel_env()
    observations, _ = env.reset(seed=SEED_OF_THE_PAGE)
    for action in (9, 4, 0):  # a bomb and down, down, stay
        observations, *_ = env.step({"player_0": action})
    planes = planes_of(observations["player_0"])
    rows = re.search(r"7 danger\n((?:     .*\n){4})", read_page())
    assert rows
    for y, row in enumerate(rows[1].splitlines()):
        drawn = re.findall(r"[.\d](?: [.\d]){3}", row[20:])
        seen = [planes[name][y, :4] for name in ("boxes", "fuse", "blast", "danger")]
        assert drawn == [" ".join(str(value or ".") for value in values.tolist()) for values in seen]


# What is refused


def start_and_do(agent: str, action: int) -> None:
    env = hypersonic_v0.parallel_env()
    env.reset(seed=0)
    env.step({agent: action})


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: hypersonic_v0.parallel_env(5), "5 players"),
        (lambda: hypersonic_v0.parallel_env(reward="fun"), "win, boxes, shaped"),
        (lambda: hypersonic_v0.parallel_env(reward={"fun": 1}), "term 'fun'"),
        (lambda: hypersonic_v0.parallel_env(max_cycles=201), "1 to 200"),
        (lambda: hypersonic_v0.parallel_env(render_mode="film"), "human, ansi, rgb_array"),
        (lambda: HypersonicEnv(("beem",)), "'beem' is not an agent"),
        (lambda: HypersonicEnv("beam"), r"as in \('beam',\)"),
        (lambda: HypersonicEnv(("still",), seat=2), "seat 2"),
        (lambda: start_and_do("player_0", 11), "0 to 9"),
        (lambda: start_and_do("player_7", 0), "agent 'player_7'"),
    ],
)
def test_wrong_options_are_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(HsctlError, match=said):
        make()


def test_what_is_missing_is_told_in_one_line() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import hsctl; import hsctl.env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "ImportError: hsctl.env needs pettingzoo: pip install 'hsctl[env]'"
