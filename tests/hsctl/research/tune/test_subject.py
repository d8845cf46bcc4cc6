"""Who is tuned: agents and templates of bots, and what is refused."""

import sys
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.players import read_player
from hsctl.research.tune.subject import read_agent, read_template, starts_of
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
    decay, box = read_agent("simple", "decay,box").space
    assert (decay.low, decay.high, decay.is_stretched) == (0, 1, False)
    assert box.is_stretched


def test_a_template_names_its_parameters_in_braces() -> None:
    subject = read_template(BOT + " --w {w} -n{n:d} {{x}} {w:.2f}", "w=0..2,n=1..3..9")
    assert subject.start == f"{BOT} --w 1 -n3 {{x}} 1.00"
    assert subject.write({"w": 0.125, "n": 7}) == f"{BOT} --w 0.125 -n7 {{x}} 0.12"


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ("weight", "'weight' is not a parameter of simple that can be tuned, expected of: box, item, decay"),
        ("decay=0..2", "--params decay=0..2: expected a range within 0..1"),
        ("box=0..1..2", "--params box=0..1..2: expected LOW..HIGH; the search starts from what simple has now"),
    ],
)
def test_wrong_parameters_of_an_agent_are_refused(params: str, told: str) -> None:
    with pytest.raises(HsctlError) as error:
        read_agent("simple", params)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("agent", "params", "told"),
    [
        ("beam", "width=1.5..9", "expected whole numbers"),
        ("beam", "op=0..1", "op of beam is a switch, expected no range"),
        ("bias", "heuristic", "heuristic of bias is a word (constant), expected numbers and switches"),
        ("random", "box", "expected of: none"),
        ("./mybot", "box", "'./mybot' is not an agent"),
    ],
)
def test_what_cannot_be_tuned_is_refused(agent: str, params: str, told: str) -> None:
    with pytest.raises(HsctlError) as error:
        read_agent(agent, params)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("template", "params", "told"),
    [
        ("{w}", "w", "w has no range, expected w=LOW..HIGH or w=LOW..START..HIGH"),
        ("{w} {v}", "w=0..1", "--template has {v}, expected --params to give its range, such as v=0..1"),
        ("{w}", "w=0..1,v=0..1", "v is not in --template, expected a {v} there"),
        ("{w", "w=0..1", "a brace that is meant as such is written twice"),
        ("{}", "w=0..1", "expected the name of a parameter in braces"),
        ("{w.x}", "w=0..1", "expected the name of a parameter in braces"),
        ("{w:q}", "w=0..1", "--template"),
        ("{w:d}", "w=0..1.5", "expected whole numbers in its range"),
    ],
)
def test_wrong_templates_are_refused(template: str, params: str, told: str) -> None:
    with pytest.raises(HsctlError) as error:
        read_template(f"{BOT} {template}", params)
    assert told in str(error.value)


def test_a_template_whose_program_does_not_exist_is_refused() -> None:
    with pytest.raises(HsctlError, match="neither an agent nor a program"):
        read_template("./no-such-bot --w {w}", "w=0..1")
