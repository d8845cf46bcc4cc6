"""Agents of one's own: written, described, played in a worker, refused in one line when they break the contract."""

import pickle
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from engine.errors import HsctlError
from engine.game import Game
from hsctl.match.players import PlayerText, read_player
from hsctl.match.runner import play_game
from hsctl.match.seats import Seat, make_seat
from hsctl.match.user_agents import spec as target
from hsctl.match.user_agents.agent import UserAgent
from hsctl.match.user_agents.closure import Closure
from hsctl.match.user_agents.spec import Target, UserSpec, make_agent, names_own_place, read_spec, take_apart
from replays.replay import Failure, Limits
from search.agent import Agent, Budget
from search.basic.params import NoParams
from search.params import SpecError

AGENTS = Path(__file__).with_name("agents.py")


def spec_of(name: str) -> UserSpec:
    """With the defaults, without asking for them."""
    return UserSpec(f"{AGENTS.name}:{name}", name, NoParams(), target=Target(str(AGENTS), name))


@pytest.fixture(scope="module")
def good() -> Iterator[UserAgent]:
    spec = read_spec(f"{AGENTS}:Good,depth=4")
    assert isinstance(spec, UserSpec)
    agent = UserAgent(spec)
    yield agent
    agent.close()


# How they are written


@pytest.mark.parametrize(
    ("text", "place", "name", "parts"),
    [
        ("./my.py:Mine", "./my.py", "Mine", ""),
        ("/a/b/my.py:Mine,depth=3,time=5", "/a/b/my.py", "Mine", "depth=3,time=5"),
        ("mine:Mine", "mine", "Mine", ""),
        ("my.pkg.module:Mine,deep", "my.pkg.module", "Mine", "deep"),
    ],
)
def test_a_class_in_a_file_or_a_module_is_an_agent(text: str, place: str, name: str, parts: str) -> None:
    written = take_apart(text)
    assert written is not None
    assert (written.target, written.name, written.parts) == (Target(place, name), f"{place}:{name}", parts)


@pytest.mark.parametrize(
    "text", ["python bot.py", "python3 ./no such.py:Mine", "./mybot", "./my.py", "sh -c 'a:b'", ""]
)
def test_a_command_line_is_none(text: str) -> None:
    assert take_apart(text) is None


def test_the_current_folder_does_not_stand_in_for_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("site", "current"):
        (tmp_path / folder).mkdir()
        source = f'import hsctl\nclass Mine(hsctl.Agent):\n    """Of {folder}."""\n'
        (tmp_path / folder / "package_of_test.py").write_text(source)
    monkeypatch.chdir(tmp_path / "current")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    for is_installed, folder in ((True, "site"), (False, "current")):
        found = Target("package_of_test", "Mine", is_installed)
        assert target.describe(found).idea == f"Of {folder}"
        assert [path.parent.name for path in Closure(found).files.values()] == [folder]


def test_a_name_of_an_installed_package_is_written_like_a_built_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "installed", lambda: {"mine": Target(str(AGENTS), "Good")})
    written = take_apart("mine:deep,pace=2")
    assert written is not None
    assert (written.name, written.target.class_name, written.parts) == ("mine", "Good", "deep,pace=2")


def test_parameters_are_those_that_the_class_declares() -> None:
    spec = read_spec(f"{AGENTS}:Good,deep,pace=2,nodes=7")
    assert (spec.params.as_dict(), spec.nodes) == ({"depth": 8, "pace": 2.0}, 7)
    assert fields(spec.params)[0].metadata["meaning"] == "how far it would look"
    with pytest.raises(SpecError, match="parameter depth: expected 9 or less, found 10"):
        read_spec(f"{AGENTS}:Good,depth=10")
    assert pickle.loads(pickle.dumps(spec)) == spec  # to worker processes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("./nowhere.py:Mine", r"'./nowhere.py:Mine': there is no file ./nowhere.py$"),
        (f"{AGENTS}:Nobody", r"has no class Nobody; the agents in it are: Good, Still, .*Later"),
        (f"{AGENTS}:NoAgent", r"NoAgent is not an agent"),
        ("no_such_module:Mine", r"there is no module no_such_module; the agents are: beam, "),
    ],
)
def test_what_is_no_agent_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as refused:
        read_player(text)
    assert "\n" not in str(refused.value)


# The contract


def test_a_decision_comes_back_as_it_was_made(good: UserAgent) -> None:
    game = Game.start(5, 2)
    good.start_game(game.map, 1, 5)
    before = game.state.tobytes()
    decision = good.decide(game.state, 1, Budget(nodes=10))
    assert decision == good.decide(game.state, 1, decision.budget())
    assert (decision.nodes, decision.depth, decision.value, decision.stages) == (1, 4, 1.0, {"own": 1})
    assert game.state.tobytes() == before


def test_what_it_prints_goes_to_its_stderr(good: UserAgent) -> None:
    game = Game.start(5, 2)
    good.start_game(game.map, 0, 5)
    _, answer = good.decide_within(game.state, 0, Budget(nodes=1), 60.0)
    assert answer.stderr == "good evening\n"


def test_a_good_agent_is_admitted(good: UserAgent) -> None:
    good.warm_up()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Raises", r"raised ValueError: no idea \(agents.py, line \d+, in decide\) \(turn 0 of seed 0"),
        ("Illegal", r"chose action 1 \(left\), which is not legal there; legal are stay, right"),
        ("Chance", r"not deterministic: stay after \d+ nodes, then stay after \d+ nodes"),
        ("Forger", "changed the state that it was given"),
        ("NoDecision", "decide returned int"),
        ("Leaves", "exited with code 3"),
    ],
)
def test_a_breach_of_the_contract_is_refused_in_one_line(name: str, message: str) -> None:
    seat = make_seat(PlayerText(name, spec_of(name)))
    with pytest.raises(HsctlError, match=f"breaks the contract: .*{message}") as refused:
        seat.warm_up()
    assert "\n" not in str(refused.value)


# In a game


def failure_in_game(seat: Seat, limits: Limits, seed: int) -> tuple[int, Failure | None]:
    """On which turn the player was out, and why."""
    replay, _ = play_game([make_seat(read_player("still")), seat], Game.start(seed, 2), limits, seed)
    last = replay.turns[-1].moves[1]
    assert last is not None
    return len(replay.turns) - 1, last.failure


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cause", "detail"),
    [
        ("Later", "crash", "raised ValueError: no idea"),
        ("LeavesLater", "crash", "raised SystemExit: 0"),
    ],
)
def test_who_breaks_the_contract_in_a_game_is_out_and_plays_the_next(name: str, cause: str, detail: str) -> None:
    seat = make_seat(PlayerText(name, spec_of(name)))
    turn, failure = failure_in_game(seat, Limits(nodes=10), seed=12)
    assert failure is not None
    assert (turn, failure.cause) == (3, cause) and failure.detail.startswith(detail)
    assert failure_in_game(seat, Limits(nodes=10), seed=13)[1] is None


def test_who_is_late_is_killed() -> None:
    seat = make_seat(PlayerText("LateLater", spec_of("LateLater")))
    seat.warm_up()
    turn, failure = failure_in_game(seat, Limits(first_turn_ms=20_000, turn_ms=1_000), seed=12)
    assert failure is not None
    assert turn <= 3 and failure.cause == "timeout" and failure.detail.startswith("no answer within 1000 ms")


def test_what_a_record_names_is_not_run_unasked() -> None:
    assert names_own_place("./my.py:Mine") and names_own_place("os:abc")
    assert not names_own_place("beam:paper") and not names_own_place("python bot.py")


def test_any_agent_is_made_from_its_spec() -> None:
    assert isinstance(make_agent(read_spec("random")), Agent)
