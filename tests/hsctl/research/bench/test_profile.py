"""The profile: marks change no decision, calls are counted exactly, and what is shown adds up."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from engine.compile.cache import JIT_DISABLED
from engine.errors import HsctlError
from hsctl.research.bench.profile import marks, measure
from hsctl.research.bench.profile.measure import (
    LEAST_SAMPLES,
    Answer,
    Place,
    Profile,
    Sampled,
    Timing,
    check_samples,
    cost_of_mark,
    cost_of_sample,
    share_out,
    sums_of_starts,
    worker,
)
from hsctl.research.bench.profile.phases import DECISION, ROUND, Phases
from hsctl.research.bench.profile.report import (
    check_view,
    format_flames,
    format_speedscope,
    profile_record,
    profile_view,
)
from tests.browser import browse
from tests.hsctl.run import refusal, run_here

PLACE = "2 middle"
NODES = 20_000


def profile_of(agent: str, places: list[Place]) -> Profile:
    return Profile(agent, 0.5, 15_000.0, [0.99, 1.01], [Sampled("2 early", 100, 1000.0, 1100.0, places)])


@pytest.fixture
def beam() -> Profile:
    search = ("prediction", "search")
    return profile_of(
        "beam",
        [
            Place((), ns=10.0),
            Place(("prediction",), 1, ns=20.0),
            Place(search, 2, ns=30.0),
            Place((*search, "forecast"), 10, ns=100.0),
            Place((*search, "forecast", "forecast"), 4, ns=40.0),
            Place((*search, "selection"), 1, ns=200.0),
            Place((*search, "selection", "copies"), 5, ns=50.0),
            Place(("own search",), 1),
            Place(("own search", "search"), 1, ns=150.0),
            Place(("own search", "search", "forecast"), 20, ns=300.0),
            Place(("own search", "search", "rollout"), 8, ns=60.0),
            Place(("own search", "search", "rollout", "step"), 16, ns=40.0),
        ],
    )


# What samples come to


def test_samples_share_out_the_time_without_samples_and_marks() -> None:
    usual = Timing([[Answer(1000.0, [0, 7], [])]] * 3)
    marked = Timing([[Answer(1200.0, [0, 7], [([], 0, 1), (["search"], 100, 3)], 1400.0)]] * 3)
    sampled = share_out("2 early", usual, marked, mark_ns=2.0)
    root, search = sampled.places
    assert (root.samples, search.samples, search.calls) == (3, 9, 100)
    assert (root.ns, search.ns) == pytest.approx((1200 / 4 - 100, 3 * 1200 / 4 - 100))
    assert sampled.sum == pytest.approx(1.0)
    assert (sampled.nodes, sampled.marked_ns) == (7, 1400.0)
    assert cost_of_sample([marked]) == 50.0
    assert sums_of_starts({"2 early": {"usual": usual, "marked": marked}}, 2.0) == [1.0] * 3


def test_a_pair_of_marks_costs_what_the_build_with_twice_as_many_takes_longer() -> None:
    marked = Timing([[Answer(1000.0, [], [(["search"], 50, 2)])]])
    extra = Timing([[Answer(1150.0, [], [(["search"], 50, 3), (["search", "extra mark"], 50, 0)])]])
    assert cost_of_mark([(marked, extra)]) == pytest.approx(150 / 50)


def test_a_slow_round_does_not_count_and_starts_are_averaged() -> None:
    starts = [[Answer(ns, [0, 7], []) for ns in times] for times in ((9.0, 1.0, 1.0, 1.0), (3.0, 3.0, 3.0, 8.0))]
    assert Timing(starts).ns == 2.0


def test_stages_add_up_to_the_decision_and_phases_to_its_searches(beam: Profile) -> None:
    rows = {(row.is_stage, row.names): row for row in beam.rows()}
    stages = {names[0]: row.share for (is_stage, names), row in rows.items() if is_stage}
    assert stages == pytest.approx({"own search": 0.55, "prediction": 0.44, "between stages": 0.01})
    phases = {names: row.share for (is_stage, names), row in rows.items() if not is_stage}
    assert phases == pytest.approx(
        {
            ("forecast",): 0.44,
            ("selection",): 0.2,
            ("rollout",): 0.1,
            ("rollout", "step"): 0.04,
            ("copies",): 0.05,
            ("the rest",): 0.18,
        }
    )
    assert rows[False, ("forecast",)].calls == 30  # not those of one forecast within another
    assert rows[False, ("rollout",)].ns_per_call == pytest.approx(100 / 8)
    assert beam.share_of("copies") == pytest.approx(0.05)
    assert beam.sum == pytest.approx(1.0)


def test_a_profile_of_few_samples_is_refused(beam: Profile) -> None:
    beam.positions[0].places[0].samples = LEAST_SAMPLES
    check_samples(beam)
    beam.positions[0].places[0].samples = LEAST_SAMPLES - 1
    with pytest.raises(HsctlError) as raised:
        check_samples(beam)
    assert "beam" in str(raised.value) and "\n" not in str(raised.value)


def test_builds_that_decide_differently_are_an_error() -> None:
    measure.check_outcomes("beam", PLACE, [[1, 5], [1, 5]])
    with pytest.raises(RuntimeError):
        measure.check_outcomes("beam", PLACE, [[1, 5], [2, 5]])


# How functions are changed


def halve(number: int) -> int:
    if number % 2:
        return -1
    total = 0
    total += number // 2
    return total


@pytest.fixture
def places() -> Iterator[None]:
    marks.MEMORY[:] = 0
    yield
    marks.MEMORY[:] = 0
    marks.NAMES.clear()


def changed(phases: Phases, **options: Any) -> Any:
    """`halve` with marks, as plain Python."""
    names = {"profile_enter": marks.enter_plainly, "profile_leave": marks.leave_plainly}
    globals().update(names)
    marker = marks.Marker(phases, **options)
    return marks.rebuild(
        halve, "halve", lambda tree: marker.add_marks(tree, *marker.of_function.values(), {"total +=": "inner"})
    )


@pytest.mark.usefixtures("places")
def test_marks_leave_results_alone_and_count_every_call_and_statement() -> None:
    function = changed({"outer": (f"{__name__}.halve",), "inner": ()})
    assert [function(number) for number in range(5)] == [0, -1, 1, -1, 2]
    assert {path: calls for path, calls, _ in marks.read_places()} == {(): 0, ("outer",): 5, ("outer", "inner"): 3}
    assert marks.MEMORY[marks.HERE] == 0


@pytest.mark.usefixtures("places")
def test_an_extra_pair_follows_every_mark() -> None:
    changed({"outer": (f"{__name__}.halve",), "inner": ()}, has_extra=True)(4)
    found = {path: calls for path, calls, _ in marks.read_places()}
    assert [path for path, calls in found.items() if path[-1:] == ("extra mark",) and calls == 1] == [
        ("outer", "extra mark"),
        ("outer", "inner", "extra mark"),
    ]


@pytest.mark.usefixtures("places")
def test_a_statement_that_is_not_there_is_an_error() -> None:
    marker = marks.Marker({"inner": ()})
    with pytest.raises(ValueError, match="nothing like it"):
        marks.rebuild(halve, "halve", lambda tree: marker.add_marks(tree, None, {"nothing like it": "inner"}))


def test_every_place_of_a_phase_is_a_function_of_ours() -> None:
    from importlib import import_module

    for phases in (DECISION, ROUND):
        for place in (place for found in phases.values() for place in found):
            module, _, name = place.partition(": ")[0].rpartition(".")
            assert hasattr(import_module(module), name), place


# The builds


def decide(agent: str, **settings: Any) -> tuple[list[Any], dict[tuple[str, ...], int]]:
    """What a build decides, and how often it came to which place."""
    with worker(**settings) as process:
        process.ask("load", agent=agent, nodes=NODES)
        answer = Answer(**process.ask("run", position=PLACE, is_sampled_first=False))
    return answer.outcome, {tuple(path): calls for path, calls, _ in answer.places}


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_marked_beam_decides_the_same_and_doubled_work_doubles_its_calls_alone() -> None:
    usual, nothing = decide("beam")
    assert set(nothing.values()) == {0}
    marked, calls = decide("beam", phases="decision")
    doubled, twice = decide("beam", phases="decision", doubled=["search.common.forecast.survives"])
    assert usual == marked == doubled
    assert {path[0] for path in calls if path} >= {
        "prediction",
        "models",
        "first-move pruning",
        "threats",
        "own search",
    }
    inside = {path[-1]: count for path, count in calls.items() if path[:2] == ("own search", "search")}
    assert inside.keys() >= {"legal moves", "burn", "forecast", "scoring terms", "survivability", "duplicates"}
    assert inside.keys() >= {"selection", "copies"}
    survived = {path: count for path, count in calls.items() if path[1:] == ("search", "children", "survivability")}
    assert survived and all(twice[path] == 2 * count for path, count in survived.items())
    others = {path: count for path, count in calls.items() if path not in survived}
    assert {path: twice[path] for path in others} == others


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_marked_tree_search_steps_once_a_node() -> None:
    usual, _ = decide("mcts")
    marked, calls = decide("mcts", phases="decision")
    assert usual == marked
    inside = [path for path in calls if "search" in path]
    assert sum(calls[path] for path in inside if path[-1] == "step") == marked[1] == NODES
    walks = sum(calls[path] for path in inside if path[-1] == "rollout")
    assert walks == sum(calls[path] for path in inside if path[-1] == "selection") > 1000
    assert {path[-1] for path in inside} >= {"selection", "expansion", "rollout", "evaluation", "backup"}


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_marked_step_plays_the_same_rounds_phase_by_phase() -> None:
    usual, _ = decide("step")
    marked, calls = decide("step", phases="round")
    assert usual == marked
    assert calls["step", "choose"] == calls["step", "act"] == calls["step", "copy"] == NODES
    burns = calls["step", "burn"]
    assert 0 < burns < NODES
    assert calls["step", "burn", "boxes and items"] == burns
    assert calls["step", "burn", "chains"] >= burns
    assert calls["step", "burn", "arms"] >= calls["step", "burn", "chains"]


# What is shown


def test_the_table_fits_80_columns(beam: Profile) -> None:
    console = Console(width=80)
    with console.capture() as captured:
        console.print(profile_view([beam]))
    lines = captured.get().splitlines()
    assert max(map(len, lines)) <= 80
    cells = [line.split() for line in lines]
    assert ["forecast", "44.0", "44.0", "14.7", "ns", "30"] in cells
    assert ["step", "4.0", "4.0", "2.5", "ns", "16"] in cells


def test_the_record_has_every_figure(beam: Profile) -> None:
    told = json.loads(json.dumps(profile_record(beam)))
    assert (told["agent"], told["nodes"], told["ns"], told["sum"]) == ("beam", 100, 1000.0, pytest.approx(1.0))
    assert told["overhead"] == {"share": pytest.approx(0.1), "mark_ns": 0.5, "sample_ns": 15_000.0, "samples": 0}
    assert [row["names"] for row in told["stages"]] == [["own search"], ["prediction"], ["between stages"]]
    forecast = told["phases"][0]
    assert (forecast["names"], forecast["calls"], forecast["shares"]) == (["forecast"], 30, [pytest.approx(0.44)])


def test_speedscope_gets_every_place_with_its_own_time(beam: Profile) -> None:
    told = json.loads(json.dumps(format_speedscope([beam])))
    assert told["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = [frame["name"] for frame in told["shared"]["frames"]]
    assert [profile["name"] for profile in told["profiles"]] == ["beam", "beam, 2 early"]
    for profile in told["profiles"]:
        assert (profile["type"], profile["unit"], profile["startValue"]) == ("sampled", "nanoseconds", 0)
        assert profile["endValue"] == pytest.approx(1000.0) == sum(profile["weights"])
        stacks = [[frames[index] for index in stack] for stack in profile["samples"]]
        assert len(stacks) == len(profile["weights"])
        assert profile["weights"][stacks.index(["beam", "own search", "search", "rollout", "step"])] == 40.0


DRIVER = """<script>
const bars = () => [...document.querySelectorAll("#flames button")];
const widths = () => Object.fromEntries(bars().map((bar) => [bar.textContent, parseFloat(bar.style.width)]));
const whole = widths();
const find = (name) => bars().find((bar) => bar.textContent === name);
find("rollout").click();
const inner = widths();
const told = document.getElementById("told").textContent;
document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
const again = bars().length;
document.getElementById("profile").value = "1";
document.getElementById("profile").onchange();
const pre = document.createElement("pre");
pre.id = "seen";
const counts = { again, other: bars().length, wrong: document.images.length };
pre.textContent = JSON.stringify({ whole, zoomed: inner, told, ...counts });
document.body.append(pre);
</script>"""


def test_the_page_draws_a_flame_graph_that_can_be_looked_into(beam: Profile, tmp_path: Path) -> None:
    beam.positions[0].name = "</script><img src=x onerror=alert(1)>"
    page = format_flames([beam])
    assert "http" not in page.replace("http://www.w3.org", "")
    seen = browse(page.replace("</body>", f"{DRIVER}</body>"), tmp_path)
    assert seen["whole"]["beam"] == 100
    assert seen["whole"]["own search"] == pytest.approx(55, abs=0.1)
    assert seen["whole"]["rollout"] == pytest.approx(10, abs=0.1)
    assert seen["zoomed"]["rollout"] == 100
    assert seen["zoomed"]["step"] == pytest.approx(40, abs=0.1)
    assert "prediction" not in seen["zoomed"]
    assert seen["told"].startswith("rollout: 10.0 %")
    assert seen["again"] == seen["other"] > len(seen["zoomed"])
    assert seen["wrong"] == 0


def test_checks_are_shown_as_shares() -> None:
    console = Console(width=80)
    with console.capture() as captured:
        console.print(check_view([measure.ProfileCheck("time saved", 0.063, 0.068)]))
    assert ["time", "saved", "6.3", "6.8"] in [line.split() for line in captured.get().splitlines()]


# The command


def test_wrong_requests_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert refusal(capsys, "bench", "beam") == "AGENT is for profiles: add --profile"
    assert refusal(capsys, "bench", "--html", tmp_path / "a.html") == "--html is for profiles: add --profile"
    assert refusal(capsys, "bench", "--profile", "--signature").startswith("--profile cannot be combined with")
    assert refusal(capsys, "bench", "--profile", "beam", "--check").startswith("--check cannot be combined with")


@pytest.mark.skipif(JIT_DISABLED, reason="refused for that")
def test_agents_and_files_are_checked_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert refusal(capsys, "bench", "--profile", "bean").startswith("'bean' is not an agent")
    same = ("--html", tmp_path / "same", "--speedscope", tmp_path / "same")
    assert refusal(capsys, "bench", "--profile", *same).startswith("--html and --speedscope")
    nowhere = tmp_path / "none" / "profile.html"
    assert (
        refusal(capsys, "bench", "--profile", "--html", nowhere)
        == f"{nowhere}: can't be written: No such file or directory"
    )


def test_the_command_writes_all_forms(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, beam: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(measure, "check_agents", lambda agents: None)
    monkeypatch.setattr(measure, "measure_profile", lambda *arguments: asked.append(arguments[:3]) or beam)
    html, speedscope = tmp_path / "p.html", tmp_path / "p.json"
    words = ("--nodes", "500", "--quick", "--json", "--html", html, "--speedscope", speedscope)
    code, out, _ = run_here(capsys, "bench", "--profile", "beam", "step", "beam", *words)
    assert code == 0
    assert asked == [("beam", 500, measure.QUICK_STARTS), ("step", 500, measure.QUICK_STARTS)]
    assert [profile["agent"] for profile in json.loads(out)["profiles"]] == ["beam", "beam"]
    assert len(json.loads(speedscope.read_text())["profiles"]) == 4
    assert "own search" in html.read_text()
