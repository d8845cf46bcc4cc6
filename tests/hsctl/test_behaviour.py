"""Behaviour: what the rules and all agents did when they were last meant to change.

`behaviour.json` is what `hsctl bench --signature --json` prints. To write it anew, run
`pytest --snapshot-update tests/hsctl/test_behaviour.py` in a commit that says why it changes and ends with the new
number, `Bench: N`.
"""

import json

import pytest

from hsctl import behaviour
from hsctl.behaviour import DATA as STORED
from hsctl.behaviour import behaviour_of, digest_agent, make_signature, part_of, play_scenario
from search.spec import AGENTS, parse_spec
from tests.hsctl.run import run_here

ADVICE = """the behaviour of {moved} has changed, and with it the signature, from {old} to {new}.
A refactoring may not do that. Where it is meant, run `pytest --snapshot-update tests/hsctl/test_behaviour.py` and end
the commit with `Bench: {new}`."""


def test_everything_behaves_as_stored(request: pytest.FixtureRequest) -> None:
    parts = behaviour.compute_parts()
    number = make_signature(parts.items())
    if request.config.getoption("--snapshot-update"):
        STORED.write_text(json.dumps({"signature": number, "parts": parts}, indent=1) + "\n")
    stored = json.loads(STORED.read_text())
    moved = sorted({name for name, _number in parts.items() ^ stored["parts"].items()})
    assert not moved, ADVICE.format(moved=", ".join(moved), old=stored["signature"], new=number)
    assert number == stored["signature"]


def test_it_is_printed_as_one_number_or_with_its_parts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = json.loads(STORED.read_text())
    monkeypatch.setattr(behaviour, "compute_parts", lambda: stored["parts"])
    assert run_here(capsys, "bench", "--signature") == (0, f"{stored['signature']}\n", "")
    assert run_here(capsys, "bench", "--signature", "--json") == (0, STORED.read_text(), "")


def test_any_part_that_changes_moves_it() -> None:
    parts = {"one": 1, "two": 2}
    numbers = {
        make_signature(changed.items()) for changed in (parts, {**parts, "two": 3}, {"one": 1}, {"two": 2, "one": 1})
    }
    assert len(numbers) == 4


@pytest.mark.parametrize("change", ["ends=0", "settled=0", "models=0", "hunt=0", "threats=0", "trap=0", "phase=0"])
def test_a_switch_of_the_beam_is_noticed(change: str) -> None:
    assert behaviour_of(f"beam:{change}") != behaviour.stored().parts["beam"]


def test_every_agent_and_preset_has_a_part() -> None:
    presets = [f"{name}:{preset}" for name, agent in AGENTS.items() for preset in agent.params.PRESETS]
    assert behaviour.stored().parts.keys() == {"rules", *AGENTS, *presets}


def test_parameters_that_no_preset_has_depend_on_all_parts_of_the_agent() -> None:
    parts = dict(behaviour.stored().parts)
    paper, other, mcts = map(parse_spec, ("beam:paper", "beam:paper,width=77", "mcts"))
    before = [part_of(spec, parts) for spec in (paper, other, mcts)]
    parts["beam:third"] += 1
    after = [part_of(spec, parts) for spec in (paper, other, mcts)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True]


def test_a_player_is_its_parameters_behaviour_and_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = {digest_agent(parse_spec(text)) for text in ("beam", "beam:width=77", "beam:width=78", "mcts")}
    assert len(digests) == 4
    assert digest_agent(parse_spec("beam:nodes=500")) == digest_agent(parse_spec("beam"))  # the seat's text tells
    beam = digest_agent(parse_spec("beam"))
    monkeypatch.setitem(behaviour.REVISIONS, "beam", 1)
    assert digest_agent(parse_spec("beam")) != beam
    rules = {**behaviour.stored().parts, "rules": 0}
    mcts = digest_agent(parse_spec("mcts"))
    monkeypatch.setattr(behaviour, "stored", lambda: behaviour.StoredBehaviour(0, rules))
    assert digest_agent(parse_spec("mcts")) != mcts


def test_scenarios_cover_all_numbers_of_players_decided_races_and_both_ends() -> None:
    games = [scenario.begin() for scenario in behaviour.SCENARIOS]
    assert {len(game.living) for game in games} == {2, 3, 4} and {game.ends for game in games} == {"arena", "survival"}
    assert {scenario.turn for scenario in behaviour.SCENARIOS} >= {0, 60, 192}
    from search import make_agent

    agents = [make_agent("beam") for _ in range(2)]
    races = set()
    for scenario in behaviour.SCENARIOS:
        if len(scenario.begin().living) == 2:
            for number, _ in enumerate(play_scenario(scenario, agents)):
                races.add(agents[number % 2].race)  # type: ignore[attr-defined]
    assert races == {0, 1, 2, 3}
