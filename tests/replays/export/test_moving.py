"""Pictures that move: which turns of an animated SVG show what, and what a terminal recording holds."""

import json
import re
import xml.etree.ElementTree as ET
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from replays.export.animation import AROUND, END_S, TURN_S, Element, Span, format_animation, group_spans
from replays.export.cast import WIDTH, format_cast, format_changes, screen_of
from replays.playback import Playback, load

ROOT = Path(__file__).parents[3]
MOST_BYTES_OF_100_TURNS = 1_000_000
SVG = "{http://www.w3.org/2000/svg}"
KEYFRAMES = re.compile(r"@keyframes (t[\d-]+)\{(.*?)\}\}\n?", re.DOTALL)
STEP = re.compile(r"([\d.]+)%\{visibility:(\w+)")


@pytest.fixture(scope="module")
def playback() -> Playback:
    return load(Path(__file__).parents[1] / "golden.json")


@pytest.fixture
def console() -> Console:
    return Console(file=StringIO(), force_terminal=True, color_system="truecolor", width=WIDTH, markup=False)


def test_what_stays_is_one_element_and_what_returns_is_two() -> None:
    box, fire, title = Element(1, "box"), Element(0, "fire"), Element(AROUND, "turn")
    groups = group_spans([[box, fire], [box, title], [box, fire]])
    assert groups == {
        (1, Span(0, 3)): ["box"],
        (0, Span(0, 1)): ["fire"],
        (AROUND, Span(1, 2)): ["turn"],
        (0, Span(2, 3)): ["fire"],
    }


def titles_at(text: str, second: float, total: float) -> list[str]:
    """The titles that show at a time, by the rules of the style sheet."""
    frames = {name: [(float(at), seen) for at, seen in STEP.findall(steps)] for name, steps in KEYFRAMES.findall(text)}
    at, shown = 100 * second / total, []
    for group in ET.fromstring(text).iter(f"{SVG}g"):
        name = group.get("style", "").removeprefix("animation-name:")
        words = [child.text or "" for child in group.findall(f"{SVG}text") if child.get("font-size") == "16"]
        if words and [seen for start, seen in frames[name] if start <= at][-1] == "visible":
            shown += words
    return shown


def test_each_moment_shows_one_turn(playback: Playback) -> None:
    turns = range(60, 84)
    text = format_animation(playback, turns)
    total = (len(turns) - 1) * TURN_S + END_S
    for at, turn in enumerate(turns):
        assert titles_at(text, (at + 0.5) * TURN_S, total) == [playback.title_at(turn)]
    assert titles_at(text, total - 0.01, total) == [playback.title_at(83)]


def test_without_motion_one_turn_shows(playback: Playback) -> None:
    root = ET.fromstring(format_animation(playback, range(0, 40)))
    posters = [group for group in root.iter(f"{SVG}g") if group.get("class") == "turn poster"]
    titles = [child.text for group in posters for child in group if child.get("font-size") == "16"]
    assert titles == [playback.title_at(10)]


def test_an_animation_is_small_and_needs_nothing_else(playback: Playback) -> None:
    turns = range(playback.first_turn, playback.end_turn + 1)
    text = format_animation(playback, turns)
    assert len(text.encode()) * 100 / len(turns) < MOST_BYTES_OF_100_TURNS
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "") and "<script" not in text
    drawn = {element.get("id") for element in ET.fromstring(text).iter(f"{SVG}g")}
    used = {element.get("href", "").removeprefix("#") for element in ET.fromstring(text).iter(f"{SVG}use")}
    assert used <= drawn


def test_an_animation_has_what_a_bot_drew(drawn: Playback) -> None:
    text = format_animation(drawn, [19, 20, 21])
    ET.fromstring(text)
    assert 'points="260,20 300,20 340,20"' in text and ">12.5</text>" in text


def test_the_readme_opens_with_a_moving_picture() -> None:
    readme = (ROOT / "README.md").read_text()
    [picture] = re.findall(r"!\[[^\]]*\]\((docs/[\w.]+)\)", readme)
    text = (ROOT / picture).read_text()
    assert "@keyframes" in text and len(text.encode()) < MOST_BYTES_OF_100_TURNS
    assert picture in (ROOT / ".ci" / "picture").read_text()


def test_a_recording_is_an_asciicast(playback: Playback, console: Console) -> None:
    header, *events = map(json.loads, format_cast(playback, range(80, 84), console).splitlines())
    assert (header["version"], header["width"]) == (2, 80) and header["height"] >= 20
    assert [kind for _, kind, _ in events] == ["o"] * 5
    assert [time for time, _, _ in events] == [0.0, 0.3, 0.6, 0.9, 2.9]


def test_a_recorded_screen_becomes_the_next(playback: Playback, console: Console) -> None:
    """Lines that are not sent again are those that stay."""
    before, after = (screen_of(playback, turn, console) for turn in (70, 71))
    screen = [*before, *[""] * (len(after) - len(before))]
    for row, line in re.findall(r"\x1b\[(\d+)H(.*?)\x1b\[K(?=\x1b\[\d+H|$)", format_changes(before, after)):
        screen[int(row) - 1] = line
    assert screen[: len(after)] == after and not any(screen[len(after) :])
