"""The page in a real browser: every key pressed, and every board compared with the playback.

A script put behind the page's own presses the keys as a person would and writes down what the page shows; Chromium
prints the page it ends with. Without Chromium these tests are skipped and say so.
"""

import json
import re
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.events import fire_of
from engine.game import Game
from engine.position import bombs_on, boxes_on, items_on, living_players
from replays.annotations import COLOURS
from replays.export.page import BROWSER_KEYS, NOT_ON_A_PAGE, PageFindings, format_page
from replays.keys import ON_A_PAGE
from replays.playback import Playback, load
from replays.render.overlays import overlay_of
from replays.replay import Move
from tests.browser import browse

TURN = 41
# Presses keys one after the other and notes what the page shows after each.
DRIVER = """<script>
const seen = [];
window.prompt = () => "64";
function note(name) {
  seen.push({
    name, turn: Number(document.body.dataset.turn), title: byId("title").textContent,
    things: [...byId("things").children].map((use) => [use.getAttribute("href").slice(1),
      use.getAttribute("x") / 40, use.getAttribute("y") / 40]),
    marks: [...byId("marks").children].map((mark) => [mark.dataset.cell, mark.dataset.text]),
    legend: byId("legend").textContent, status: byId("status").textContent, text: byId("text").textContent,
    state: byId("state").textContent, help: byId("help").open, caption: byId("caption").textContent,
    address: location.hash,
    pressed: [...document.querySelectorAll("[aria-pressed=true]")].map((one) => one.textContent),
    focused: [...document.querySelectorAll(".player")].findIndex((card) => card.classList.contains("focused")),
  });
}
function press(name) {
  const shiftKey = name.startsWith("Shift+");
  const key = shiftKey ? name.slice(6) : name;
  document.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, cancelable: true }));
  note(name);
}
function click(turn) {
  const x = byId("timeline").getBoundingClientRect().left + xOf(turn);
  timeline.dispatchEvent(new PointerEvent("pointerdown", { clientX: x, buttons: 1 }));
  note("click");
}
function reset() {
  stop();
  Object.assign(at, { seat: 0, overlay: "", output: false, values: false, speed: game.speed });
  if (byId("help").open) byId("help").close();
  goTo(41);
}
/*play*/
document.body.append(make("pre", { id: "seen" }, JSON.stringify(seen)));
</script>"""


@pytest.fixture(scope="module")
def playback() -> Playback:
    return load(Path(__file__).parents[1] / "golden.json")


@pytest.fixture(scope="module")
def page(playback: Playback) -> str:
    return format_page(playback)


def run(page: str, script: str, folder: Path, address: str = "") -> list[dict[str, Any]]:
    """What the page showed while the script played on it."""
    return browse(page.replace("</body>", DRIVER.replace("/*play*/", script) + "</body>"), folder, address)


KEYS = [
    (BROWSER_KEYS.get(name, name), key.action)
    for section in ON_A_PAGE
    for key in section.keys
    for name in key.names
    if key.action not in NOT_ON_A_PAGE
]
OVERLAYS = {"x": "danger", "v": "survivable", "p": "plan", "r": "reachable"}
SESSION = {  # scripts that one browser plays one after the other
    "keys": "".join(f"reset(); press({json.dumps(name)});" for name, _ in KEYS),
    "marks": "reset(); goTo(80);" + "".join(f'press("{key}");' for key in OVERLAYS) + "click(20); click(83); click(0);",
    "buttons": """reset(); const buttons = [...document.querySelectorAll("button")];
        const button = (words) => buttons.find((one) => one.textContent === words);
        for (const words of ["danger", "plan", "plan", "values", "output"]) { button(words).click(); note(words); }""",
    "heights": """reset(); goTo(0); seen.push(...game.specs.map((_, seat) =>
        Number(/^M[\\d.]+ ([\\d.]+)/.exec(timeline.querySelector(`path.s-seat${seat}`).getAttribute("d"))[1])));""",
    "findings": """reset();
        for (const one of byId("mistakes").querySelectorAll("button")) { one.click(); note("link"); }
        seen.push(byId("verdict").textContent);""",
}
FINDINGS = PageFindings("</script> lost by its own bomb", [(TURN, "played left"), (3, "played right")])


@pytest.fixture(scope="module")
def session(playback: Playback, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What the page of a review showed, by script."""
    script = "".join(f"seen.push({json.dumps(name)}); {{ {text} }}" for name, text in SESSION.items())
    parts: dict[str, list[Any]] = {}
    for shot in run(format_page(playback, FINDINGS), script, tmp_path_factory.mktemp("session")):
        if isinstance(shot, str) and shot in SESSION:
            name = shot
        else:
            parts.setdefault(name, []).append(shot)
    return parts


def things_expected(game: Game, playback: Playback, turn: int) -> list[tuple[str, int, int]]:
    """What must stand on the board, from the engine's own lists; places within a cell left out."""
    return sorted(
        [
            *(("fire", x, y) for x, y in fire_of(playback.events_before(turn))),
            *((f"box-{content}", x, y) for (x, y), content in boxes_on(game.state, game.map).items()),
            *((f"item-{item.kind}", item.x, item.y) for item in items_on(game.state, game.map)),
            *((f"bomb-{b.owner}-{b.timer}-{b.range}", b.x, b.y) for b in bombs_on(game.state)),
            *((f"player-{player.id}", player.x, player.y) for player in living_players(game.state)),
        ]
    )


def things_seen(shot: dict[str, Any]) -> list[tuple[str, int, int]]:
    names = [(re.sub(r"-s\d$", "", name), x, y) for name, x, y in shot["things"]]
    return sorted(thing for thing in names if not thing[0].startswith("death"))


@pytest.mark.slow
def test_stepping_shows_the_boards_of_the_playback_forward_and_back(
    playback: Playback, page: str, tmp_path: Path
) -> None:
    steps = playback.end_turn - playback.first_turn
    script = f"""for (let i = 0; i < {steps}; i++) press("ArrowRight");
                 for (let i = 0; i < {steps}; i++) press("h");"""
    shots = run(page, script, tmp_path)
    turns = [*range(1, steps + 1), *range(steps - 1, -1, -1)]
    assert [shot["turn"] for shot in shots] == turns
    for turn, shot in zip(turns, shots, strict=True):
        assert things_seen(shot) == things_expected(playback.game_at(turn), playback, turn)
        assert shot["title"] == playback.title_at(turn)


# What the page must show after each key, pressed on turn 41 with player 0 in focus.
EFFECTS: dict[str, dict[str, Any]] = {
    "step(1)": {"turn": 42},
    "step(-1)": {"turn": 40},
    "step(10)": {"turn": 51},
    "step(-10)": {"turn": 31},
    "start()": {"turn": 0},
    "finish()": {"turn": 83, "title": "end after turn 82, seed 3: one player left"},
    "ask_turn()": {"turn": 64},
    "play()": {"state": "▶ 4 turns/s"},
    "speed(1)": {"status": "8 turns a second"},
    "speed(-1)": {"status": "2 turns a second"},
    "seek('deaths', 1)": {"turn": 64},
    "seek('deaths', -1)": {"status": "no death before turn 41"},
    "seek('explosions', 1)": {"turn": 43},
    "seek('explosions', -1)": {"turn": 38},
    "seek('stderr', 1)": {"turn": 42},
    "seek('stderr', -1)": {"turn": 40},
    "seek('notes', 1)": {"status": "no mistake or break after turn 41"},
    "seek('notes', -1)": {"status": "no mistake or break before turn 41"},
    "way_out()": {"turn": 80, "status": "last turn on which player 0 had a way out: died on turn 82"},
    "focus_player(0)": {"focused": 0},
    "focus_player(1)": {"focused": 1},
    "focus_player(2)": {"focused": 2},
    "focus_player(3)": {"focused": 3},
    "overlay('danger')": {"legend": "danger: in how many turns a cell burns"},
    "overlay('survivable')": {"legend": "survivable: where player 0 gets away"},
    "overlay('plan')": {"legend": "plan: where player 0 meant to be when"},
    "overlay('reachable')": {"legend": "reachable: turns that player 0 needs"},
    "overlay('drawing')": {"legend": "drawing: player 0 drew nothing"},
    "chart()": {"caption": "value, as told by● 0 beam:paper,width=1000"},
    "output()": {"text": "● 0 on turn 41planright, stay, stayplan of the turn beforerightnodesopponents 345, own 12k"},
    "scroll_text(1)": {"turn": 41},
    "scroll_text(-1)": {"turn": 41},
    "help()": {"help": True},
}


def test_every_key_does_what_the_help_says(session: dict[str, list[Any]]) -> None:
    assert {action for _, action in KEYS} == EFFECTS.keys()
    for (name, action), shot in zip(KEYS, session["keys"], strict=True):
        assert {field: shot[field] for field in EFFECTS[action]} == EFFECTS[action], name


def test_marks_are_those_of_the_stepper_and_clicks_go_to_their_turn(
    playback: Playback, session: dict[str, list[Any]]
) -> None:
    shots, game, moves = session["marks"], playback.game_at(80), playback.moves_at(80)
    for name, shot in zip(OVERLAYS.values(), shots[:4], strict=True):
        overlay = overlay_of(name, game, 0, moves[0])
        assert sorted(shot["marks"]) == sorted([f"{x},{y}", mark.text] for (x, y), mark in overlay.marks.items())
        assert shot["legend"] == overlay.legend
    assert [shot["turn"] for shot in shots[4:]] == [20, 83, 0]


def test_buttons_show_overlays_and_stay_pressed(session: dict[str, list[Any]]) -> None:
    pressed = [shot["pressed"] for shot in session["buttons"]]
    assert pressed == [["danger"], ["plan"], [], ["values"], ["output", "values"]]


def test_lines_of_equal_boxes_are_all_seen(session: dict[str, list[Any]]) -> None:
    assert all(abs(one - other) > 2 for one, other in pairwise(session["heights"]))  # a line is 2 wide


def test_findings_lead_to_their_turns(session: dict[str, list[Any]]) -> None:
    *links, verdict = session["findings"]
    assert [shot["turn"] for shot in links] == [TURN, 3] and verdict == FINDINGS.verdict


def test_the_title_has_players_and_result(playback: Playback, page: str) -> None:
    [title] = re.findall("<title>(.*)</title>", page)
    assert all(f"{rank} " in title for rank in playback.replay.result.ranks) and str(playback.seed) in title


def test_an_address_names_the_turn_and_follows_it(page: str, tmp_path: Path) -> None:
    waiting = """note("open"); press("l");
        const seenLater = () => { note("later"); location.hash = "#turn=7"; setTimeout(() => {
          note("changed"); byId("seen").textContent = JSON.stringify(seen); }, 50); };
        setTimeout(seenLater, 400);"""
    shots = run(page, waiting, tmp_path, "#turn=42")
    assert [(shot["name"], shot["turn"]) for shot in shots] == [("open", 42), ("l", 43), ("later", 43), ("changed", 7)]
    assert [shot["address"] for shot in shots[1:]] == ["#turn=42", "#turn=43", "#turn=7"]


# Notes the ink of every label, that of the letters below it, and the cell; the line of a text's ink is above its base.
COLLISIONS = """const ink = (text, x, y) => {
  const size = Number(text.getAttribute("font-size")), wide = [...text.firstChild.data].length * 0.62 * size;
  const left = x + Number(text.getAttribute("x")) - wide / 2, base = y + Number(text.getAttribute("y"));
  return [left, base - size * 0.72, left + wide, base];
};
for (let turn = first; turn <= last; turn += 3) for (const name of ["danger", "survivable", "plan", "reachable"]) {
  at.overlay = name; at.seat = turn % 4; goTo(turn);
  const letters = frame().things.flatMap(([thing, x, y]) =>
    [...byId(game.things[thing]).querySelectorAll("text")].map((text) => ink(text, x * 40, y * 40)));
  const labels = [...byId("labels").querySelectorAll("text")].map((text) => [text.dataset.cell, ink(text, 0, 0)]);
  seen.push({ turn, name, letters, labels });
}"""


@pytest.mark.slow
def test_no_label_covers_a_letter_or_leaves_its_cell(page: str, tmp_path: Path) -> None:
    shots = run(page, COLLISIONS, tmp_path)
    assert sum(len(shot["labels"]) for shot in shots) > 1000
    for shot in shots:
        for cell, (left, top, right, bottom) in shot["labels"]:
            x, y = (40 * int(number) for number in cell.split(","))
            assert x <= left < right <= x + 40 and y <= top < bottom <= y + 40, (shot["turn"], shot["name"], cell)
            for other in shot["letters"]:
                apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
                assert apart, (shot["turn"], shot["name"], cell)


def test_a_phone_shows_all_of_it_without_scrolling_sideways(page: str, tmp_path: Path) -> None:
    phone = f'<body><iframe id="phone" width="390" height="844" srcdoc="{escape(page)}"></iframe>'
    measure = """<script>byId = (id) => document.getElementById(id);
        byId("phone").onload = () => {
          const inside = byId("phone").contentDocument, seen = document.createElement("pre");
          const parts = [...inside.querySelectorAll("button, #board, #timeline, .player")];
          const places = parts.map((one) => one.getBoundingClientRect().toJSON());
          seen.id = "seen"; document.body.append(seen);
          seen.textContent = JSON.stringify([inside.documentElement.scrollWidth, ...places]);
        };</script>"""
    width, *places = browse(phone + measure, tmp_path)
    assert width == 390 and len(places) > 15
    for place in places:
        assert place["left"] >= 0 and place["right"] <= 390 and place["height"] >= 30, place


# What bots draw


def test_the_page_holds_what_a_bot_drew(drawn: Playback) -> None:
    data = re.search(r'id="data">(.*?)</script>', format_page(drawn), re.DOTALL)
    assert data
    told = json.loads(data[1])
    assert told["drawings"] == [20, 22]
    frame = told["frames"][20]
    assert frame["drawings"][1] == {
        "cells": [[8, 0, "12.5", COLOURS["red"]]],
        "paths": [[COLOURS["green"], [[6, 0], [7, 0], [8, 0]]]],
        "texts": ["<b>box</b>"],
        "legend": "drawing: player 1: <b>box</b>",
    }
    assert [frame["players"][seat]["worth"] for seat in range(2)] == [0.731, 7.25]
    assert "cannot read '@cell 4 4 </script> blue'" in " ".join(frame["notes"])


def test_the_browser_shows_what_a_bot_drew(drawn: Playback, tmp_path: Path) -> None:
    script = """at.seat = 1; goTo(20); note("drawn");
        seen.push([...byId("paths").children].map((path) => [path.getAttribute("stroke"), path.getAttribute("d")]));
        press("t"); press("y"); seen.push(timeline.querySelector("path.s-seat1").getAttribute("d"));"""
    shown, paths, hidden, _, line = run(format_page(drawn), script, tmp_path)
    assert shown["marks"] == [["8,0", "12.5"]] and shown["pressed"] == ["drawing"]
    assert "<b>box</b>" in shown["text"] and shown["legend"] == "drawing: player 1: <b>box</b>"
    ((colour, path),) = paths
    assert colour == COLOURS["green"] and path.startswith("M275.0 20.0L300.0 20.0L340.0 20.0M340 20l")
    assert hidden["marks"] == [] and "<b>" not in hidden["text"]
    assert line.count("M") == 2  # a point for each turn with a value


# Without a browser


def test_the_page_needs_nothing_from_outside(page: str) -> None:
    assert not re.findall(r'(?:src|href)\s*=\s*"[^"]*"|url\(|@import|fetch\(|import\(', page)
    assert set(re.findall(r"https?://[^\s\"']+", page)) <= {"http://www.w3.org/2000/svg"}


def test_what_a_bot_writes_cannot_break_the_page(playback: Playback) -> None:
    bad = "</script><script>alert(1)</script><!-- \u2028 /*data*/"
    move = playback.replay.turns[0].moves[1]
    assert isinstance(move, Move)
    kept, move.stderr = move.stderr, bad
    try:
        page = format_page(playback)
    finally:
        move.stderr = kept
    assert page.count("</script>") == 2
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert data and "alert(1)" in json.loads(data[1])["frames"][0]["output"][1][-1][1]
