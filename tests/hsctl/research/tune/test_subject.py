"""The player that is tuned: agents and templates of bots, their ranges, and what is refused."""

import sys
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.players import read_player
from hsctl.research.tune.subject import format_value, new_tunable, read_agent, read_ranges, read_template, starts_of
from tests.hsctl.match.user_agents import agents

BOT = f"{sys.executable} bot.py"


def test_an_agent_keeps_what_is_not_tuned() -> None:
    subject = read_agent("beam:paper,box=3,time=20", "box=0..10,width,op")
    assert subject.start == "beam:paper,box=3,time=20"
    assert starts_of(subject.space) == {"box": 3, "width": 500, "op": True}
    text = subject.write({"box": 2.5, "width": 640, "op": False})
    assert text == "beam:paper,time=20,box=2.5,width=640,op=off"
    spec = read_player(text).spec
    assert spec is not None and spec.ms == 20 and spec.params.as_dict()["width"] == 640


def test_an_agent_of_ones_own_is_written_with_commas() -> None:
    agent = f"{Path(agents.__file__)}:Good"
    subject = read_agent(f"{agent},pace=2,nodes=5", "depth=1..8")
    assert subject.write({"depth": 4}) == f"{agent},pace=2,nodes=5,depth=4"
    assert starts_of(subject.space) == {"depth": 3}


def test_a_range_that_is_not_named_is_that_of_the_parameter() -> None:
    decay, width = read_agent("beam:paper", "gamma,width").space
    assert (decay.low, decay.high, decay.is_stretched) == (0, 1, False)
    assert width.low == 1 and width.is_stretched


def test_a_weight_without_bounds_needs_a_range_and_the_error_suggests_one() -> None:
    with pytest.raises(HsctlError, match=r"--params box: .* such as box=0\.\.2"):
        read_agent("simple", "decay,box")
    assert read_agent("simple", "decay,box=0..2").space[1].high == 2


def test_a_template_names_its_parameters_in_braces() -> None:
    subject = read_template(BOT + " --w {w} -n{n:d} {{x}} {w:.2f}", "w=0..2,n=1..3..9")
    assert subject.start == f"{BOT} --w 1 -n3 {{x}} 1.00"
    assert subject.write({"w": 0.125, "n": 7}) == f"{BOT} --w 0.125 -n7 {{x}} 0.12"


@pytest.mark.parametrize(
    ("agent", "params", "culprit"),
    [
        ("simple", "weight", "'weight' is not a parameter of simple"),
        ("simple", "decay=0..2", "within 0..1"),
        ("simple", "box=0..1..2", "--params box=0..1..2"),
        ("beam", "width=1.5..9", "width is a whole number"),
        ("beam", "op=0..1", "op of beam is a switch"),
        ("bias", "heuristic", "heuristic of bias is a word"),
        ("random", "box", "'box' is not a parameter of random"),
        ("./mybot", "box", "'./mybot' is not an agent"),
    ],
)
def test_what_cannot_be_tuned_is_refused(agent: str, params: str, culprit: str) -> None:
    with pytest.raises(HsctlError) as error:
        read_agent(agent, params)
    assert culprit in str(error.value)


@pytest.mark.parametrize(
    ("template", "params", "culprit"),
    [
        ("{w}", "w", "w has no range"),
        ("{w} {v}", "w=0..1", "{v} without a range"),
        ("{w}", "w=0..1,v=0..1", "v is not in --template"),
        ("{w", "w=0..1", "write {{"),
        ("{}", "w=0..1", "{} is not the name"),
        ("{w.x}", "w=0..1", "{w.x} is not the name"),
        ("{w:q}", "w=0..1", "--template"),
        ("{w:d}", "w=0..1.5", "w is a whole number"),
    ],
)
def test_wrong_templates_are_refused(template: str, params: str, culprit: str) -> None:
    with pytest.raises(HsctlError) as error:
        read_template(f"{BOT} {template}", params)
    assert culprit in str(error.value)


def test_a_template_whose_program_does_not_exist_is_refused() -> None:
    with pytest.raises(HsctlError, match="neither an agent nor a program"):
        read_template("./no-such-bot --w {w}", "w=0..1")


# Ranges and coordinates


def test_ranges_are_read_with_and_without_numbers() -> None:
    assert read_ranges("width=100..2000,box") == {"width": [100, 2000], "box": []}
    assert read_ranges("a=-1..-0.5, b=0..1e-3..2") == {"a": [-1, -0.5], "b": [0, 1e-3, 2]}


@pytest.mark.parametrize(
    "text",
    [
        "box=3..1",
        "box=1..1",
        "box=1",
        "box=1..x",
        "box=0..inf",
        "box=0..nan",
        "box=2..1..3",
        "box,,item",
        "=1..2",
        "box,box=1..2",
    ],
)
def test_wrong_ranges_are_refused(text: str) -> None:
    with pytest.raises(HsctlError, match="--params"):
        read_ranges(text)


def test_the_start_is_0_and_the_ends_are_the_ends() -> None:
    each = new_tunable("box", 0, 3, 1, float, has_range=True)
    assert each.value(0.0) == 1
    assert [each.value(end) for end in each.ends] == [0, 3]
    assert each.value(-99) == 0 and each.value(99) == 3


def test_a_start_out_of_the_range_is_moved_to_its_middle() -> None:
    assert new_tunable("width", 100, 2000, 32000, int, has_range=True).value(0.0) == 1050


def test_far_bounds_are_reached_though_the_first_step_is_small() -> None:
    each = new_tunable("box", -1e6, 1e6, 2.0, float, has_range=False)
    assert each.is_stretched and 0 < each.value(-1.0) < 2 < each.value(1.0) < 4
    assert [each.value(end) for end in each.ends] == [-1e6, 1e6]
    assert each.coordinate(float(each.value(1.7))) == pytest.approx(1.7, abs=1e-3)


def test_whole_numbers_and_switches_keep_their_kind() -> None:
    width = new_tunable("width", 1, 9, 4, int, has_range=True)
    assert {type(width.value(at / 10)) for at in range(-40, 40)} == {int}
    assert {width.value(at / 10) for at in range(-40, 40)} == set(range(1, 10))
    switch = new_tunable("op", 0, 1, True, bool, has_range=True)
    assert switch.value(0.0) is True and switch.value(switch.ends[0]) is False


def test_values_are_written_without_exponent() -> None:
    written = [format_value(value) for value in (True, False, 7, 2.0, 0.25, 1e-05, 1e6, -3.5)]
    assert written == ["on", "off", "7", "2", "0.25", "0.00001", "1000000", "-3.5"]
