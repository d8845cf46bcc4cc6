"""How users write a player, and how a wrong one is refused."""

from dataclasses import fields

import pytest

from engine.errors import HsctlError
from search import make_agent
from search.beam.params import BeamParams
from search.common.params import EvaluationParams
from search.mcts.params import MctsParams
from search.negamax.strategies import STRATEGIES
from search.params import SpecError
from search.rhea.params import RheaParams
from search.spec import AGENTS, former_names, is_agent, parse_spec


def test_a_name_alone_is_the_agent_with_its_defaults():
    for name, info in AGENTS.items():
        spec = parse_spec(name)
        assert (spec.text, spec.name, spec.params, spec.ms, spec.nodes) == (name, name, info.params(), None, None)


def test_parts_are_presets_and_parameters():
    spec = parse_spec("beam:zh,width=800")
    assert spec.params.as_dict() == {**parse_spec("beam:zh").params.as_dict(), "width": 800}


def test_a_later_part_overrules_an_earlier_one():
    assert parse_spec("beam:width=800,zh").params == parse_spec("beam:zh").params
    assert parse_spec("beam:width=1,width=2").params == BeamParams(width=2)


def test_empty_parts_say_nothing():
    assert parse_spec("beam:").params == parse_spec("beam:,,").params == BeamParams()


@pytest.mark.parametrize(
    ("text", "ms", "nodes"),
    [
        ("mcts:time=50", 50, None),
        ("mcts:time=0.5", 0.5, None),
        ("rhea:nodes=300", None, 300),
        ("still:time=3", 3, None),
    ],
)
def test_a_player_may_have_a_budget_of_its_own(text, ms, nodes):
    spec = parse_spec(text)
    assert (spec.ms, spec.nodes) == (ms, nodes)


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("true", True), ("ON", True), ("0", False), ("false", False), ("off", False)]
)
def test_a_switch_is_on_or_off(text, value):
    assert parse_spec(f"beam:sc={text}").params == BeamParams(sc=value)


def test_a_parameter_has_the_type_of_its_default():
    params = parse_spec("rhea:population=20,mutation=1,crossover=uniform").params.as_dict()
    assert (params["population"], params["mutation"], params["crossover"]) == (20, 1.0, "uniform")
    assert isinstance(params["mutation"], float)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("bream", "did you mean 'beam'?"),
        ("", ", ".join(AGENTS)),
        ("Beam:width=3", "did you mean 'beam'?"),
        ("simple:speed=3", "'speed'"),
        ("simple:=3", "''"),
        ("still:box=3", "'box'; the nearest are nodes, time"),
        ("beam:width=wide", "width: expected int, found 'wide'"),
        ("beam:width=1.5", "width: expected int, found '1.5'"),
        ("beam:gamma=", "gamma: expected float, found ''"),
        ("beam:sc=perhaps", "sc: expected bool, found 'perhaps'"),
        ("beam:width=0", "width: expected 1 or more"),
        ("beam:width=-1", "width: expected 1 or more"),
        ("mcts:capacity=0", "capacity: expected 2 or more"),
        ("rhea:mutation=-1", "mutation: expected 0 or more"),
        ("rhea:mutation=2", "mutation: expected 1 or less"),
        ("rhea:length=0", "length: expected 1 or more"),
        ("mcts:c=nan", "c: expected a finite number"),
        ("mcts:time=0", "time: expected more than 0, at most 86400000"),
        ("mcts:time=nan", "time: expected a finite number"),
        ("mcts:time=inf", "time: expected a finite number"),
        ("mcts:nodes=-5", "nodes: expected more than 0, at most 1000000000"),
        ("mcts:nodes=1e3", "nodes: expected int"),
        ("still:paper", "'paper' is neither key=value nor a preset of still (presets: none)"),
        ("beam:fast", f"(presets: {', '.join(BeamParams.PRESETS)})"),
        ("rhea:crossover=two-point", "one of one-point, uniform, not"),
        ("rhea:replacement=minus", "one of plus, comma, not"),
        ("rhea:population=60", "offspring"),
        ("negamax:strategy=hope", f"one of {', '.join(['auto', *STRATEGIES])}, not"),
        ("hybrid:search=dfs", "one of heuristic, bfs, mcts, fmcs, not"),
        ("hybrid:select=best", "one of random, ucb1, exploit, explore, not"),
        ("hybrid:least=4", "`most`, 3"),
        ("bias:heuristic=luck", "one of constant, value, not"),
        ("bias:decays=all", "one of rewards, value, not"),
        ("bias:choose=any", "one of mean, visits, not"),
        ("mcts:distance=far", "one of sum, mean, clip, not"),
    ],
)
def test_a_wrong_player_is_refused_with_what_would_be_right(text, named):
    with pytest.raises(SpecError) as error:
        make_agent(text)
    assert named in str(error.value) and isinstance(error.value, HsctlError)


def test_whatever_begins_with_an_agents_name_is_one():
    assert is_agent("beam") and is_agent("beam:nonsense")
    assert not is_agent("beamer") and not is_agent("./beam")


def test_the_presets_of_beam_switch_what_their_names_say():
    for preset in ("paper", "scaled", "zh", "zh+op", "zh+lb", "zh+fmp", "all", "all+sc"):
        params = parse_spec(f"beam:{preset}").params
        assert isinstance(params, BeamParams)
        switched_on = {name for name in ("zh", "op", "lb", "fmp", "sc") if getattr(params, name)}
        whole = preset in ("paper", "scaled", "all+sc")
        named = {"zh", "op", "lb", "fmp", "sc"} if whole else set(preset.split("+"))
        assert switched_on == (named if preset != "all" else {"zh", "op", "lb", "fmp"})
        assert params.width == (1000 if preset == "zh" else 500)
        assert (params.box, params.first) == ((10.0, True) if preset == "scaled" else (1.0, False))


def test_presets_and_sparring_partners_are_what_the_agents_know():
    for name, info in AGENTS.items():
        assert set(info.params.SPARRING) <= set(info.params.PRESETS)
        for preset, changes in info.params.PRESETS.items():
            params = parse_spec(f"{name}:{preset}").params
            assert set(changes) <= set(params.as_dict())
            assert params.recorded(changes) == params, "within its own bounds"


def test_every_parameter_tells_its_meaning_and_source():
    for info in AGENTS.values():
        for each in fields(info.params):
            assert each.metadata["meaning"] and each.metadata["source"]
            assert isinstance(getattr(info.params(), each.name), bool | int | float | str)


def test_the_papers_numbers():
    weights = EvaluationParams().as_dict()
    beyond = {weights.pop(name) for name in ("first", "sum_boxes", "out")}
    assert list(weights.values()) == [1.0, 0.9, 0.4, 3.4, 1.7, 0.7, 0.95, 0.05, -0.04, -0.1, 20, -1000.0]
    assert not any(beyond)
    mcts, rhea = MctsParams(), RheaParams()
    assert (mcts.c, mcts.rollout, mcts.gamma, mcts.bombs, mcts.op_share) == (1.0, 15, 0.98, 4, 0.1)
    assert (mcts.reward, mcts.base, mcts.scale, mcts.dead) == (50.0, 200.0, 400.0, 0.0)
    assert (rhea.population, rhea.offspring, rhea.length, rhea.mutation, rhea.op_share) == (50, 50, 17, 0.5, 0.1)
    beam = parse_spec("beam:paper").params
    assert isinstance(beam, BeamParams)
    assert (beam.width, beam.local, beam.op_share, beam.horizon, beam.rivals) == (500, 12, 0.15, 0, 0.0)


def test_the_preset_paper_is_the_text_of_each_paper():
    printed = EvaluationParams().as_dict()
    for agent in ("beam", "rhea"):
        params = parse_spec(f"{agent}:paper").params.as_dict()
        assert {name: params[name] for name in printed} == printed  # one point a box, bombs as printed
    told = {
        "beam:paper": {"op": True, "lb": True, "fmp": True, "sc": True, "zh": True, "models": False, "trap": 0.0},
        "mcts:paper": {"distance": "sum", "horizon": 0, "whole": False},
        "rhea:paper": {"punishment": 10.0, "length": 17, "population": 50},
        "bias:paper": {"iterations": 200, "rollout": 12, "gamma": 0.8},
        "negamax:paper": {"depth": 2, "reach": 0, "killers": False},
        "hybrid:paper": {"danger": 5.0, "danger_each": 2.0, "fuse": 8.0, "select": "exploit"},
        "duel:paper": {"keep": False, "share": False, "dead_end": 0.0, "space": 0.0},
    }
    for spec, values in told.items():
        params = parse_spec(spec).params.as_dict()
        assert {name: params[name] for name in values} == values


def test_sparring_partners_stay_on_the_scale_they_were_made_on():
    for name in ("scaled", "hunter", "turtle"):
        params = parse_spec(f"beam:{name}").params
        assert isinstance(params, BeamParams) and (params.box, params.first) == (10.0, True)


def test_a_preset_that_was_renamed_still_works_and_its_name_today_is_known():
    for former, name in (
        ("beam:literal", "beam:paper"),
        ("mcts:literal", "mcts:paper"),
        ("negamax:report", "negamax:paper"),
    ):
        assert parse_spec(former).params == parse_spec(name).params
        assert former_names(f"play {former},time=5 {former}+still") == {former: name}
    assert former_names("play beam:paper mybot:literal") == {}


def test_every_number_among_the_tunables_has_bounds() -> None:
    for name, info in AGENTS.items():
        for each in fields(info.params):
            if isinstance(each.default, int | float) and not isinstance(each.default, bool):
                assert each.metadata["least"] is not None and each.metadata["most"] is not None, (name, each.name)
                assert each.metadata["least"] <= each.default <= each.metadata["most"], (name, each.name)
