"""Positions as pictures: what is drawn where, in SVG and GIF."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from engine.position import bombs_on, boxes_on, items_on, living_players
from replays.annotations import COLOURS
from replays.export.gif import write_gif
from replays.export.shapes import PALETTE, Placed, TextShape, Thing, draw, share_cells, things_on
from replays.export.svg import format_turn
from replays.playback import Playback, load
from replays.replay import ReplayError
from tests.replays.render.test_views import position


@pytest.fixture(scope="module")
def playback() -> Playback:
    return load(Path(__file__).parents[1] / "golden.json")


def test_every_thing_of_a_position_is_drawn_once(playback: Playback) -> None:
    for turn in range(playback.first_turn, playback.end_turn + 1, 5):
        game = playback.game_at(turn)
        placed = things_on(game.state, game.map)
        assert len(placed) == len(set(placed))
        things = [(thing.kind, thing.number, x, y) for thing, x, y in placed]
        assert sorted(things) == sorted(
            [
                *(("box", content, x, y) for (x, y), content in boxes_on(game.state, game.map).items()),
                *(("item", item.kind, item.x, item.y) for item in items_on(game.state, game.map)),
                *(("bomb", bomb.owner, bomb.x, bomb.y) for bomb in bombs_on(game.state)),
                *(("player", player.id, player.x, player.y) for player in living_players(game.state)),
            ]
        )


def test_a_name_says_all_about_a_thing() -> None:
    things = [Thing("fire"), Thing("box", 1), Thing("bomb", 0, 4, 8), Thing("player", 3), Thing("player", 3, slot=2)]
    assert [thing.name for thing in things] == ["fire", "box-1", "bomb-0-4-8", "player-3", "player-3-s2"]


def test_those_who_share_a_cell_get_a_quarter_each() -> None:
    game = position("." * 13, "0 0 0 0 1 3", "0 1 0 0 1 3", "0 2 4 0 1 3", "1 0 0 0 7 3")
    names = [placed.thing.name for placed in things_on(game.state, game.map)]
    assert names == ["bomb-0-7-3-s0", "player-0-s1", "player-1-s2", "player-2"]
    crowd = [Placed(Thing("player", seat), 0, 0) for seat in range(4)] + [Placed(Thing("bomb", 0, 8, 3), 0, 0)]
    assert [placed.thing.slot for placed in share_cells(crowd)] == [0, 1, 2, 3, 0]


def test_a_bomb_shows_fuse_and_range() -> None:
    labels = [shape.text for shape in draw(Thing("bomb", 2, 5, 12)) if isinstance(shape, TextShape)]
    assert labels == ["5", "12"]


def test_every_colour_is_named_in_the_palette() -> None:
    things = [
        Thing(kind, number, 5, 3) for kind in ("fire", "box", "item", "death", "bomb", "player") for number in (1, 2)
    ]
    colours = {getattr(shape, field, "") for thing in things for shape in draw(thing) for field in ("fill", "stroke")}
    assert colours - {""} <= set(PALETTE)


def test_a_turn_is_a_whole_svg_document(playback: Playback, snapshot: SnapshotAssertion) -> None:
    text = format_turn(playback, 80)
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words[0] == "turn 80 of 82, seed 3" and words[-1] == "boxes 12"
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")  # nothing from outside
    assert text == snapshot


def test_a_turn_has_what_a_bot_drew_on_it(drawn: Playback, playback: Playback) -> None:
    text = format_turn(drawn, 20)
    ET.fromstring(text)
    new = [line for line in text.splitlines() if line not in format_turn(playback, 20).splitlines()]
    mark, path, end, label = new
    assert mark.startswith('<rect x="321" y="1" ') and COLOURS["red"] in mark
    assert 'points="260,20 300,20 340,20"' in path and COLOURS["green"] in path and 'cx="340" cy="20"' in end
    assert label.endswith(">12.5</text>")


def test_a_span_is_an_animation_with_a_frame_per_turn(playback: Playback, tmp_path: Path) -> None:
    image_module = pytest.importorskip("PIL.Image", reason="--gif needs Pillow")
    write_gif(playback, range(78, 84), tmp_path / "span.gif")
    with image_module.open(tmp_path / "span.gif") as image:
        assert (image.n_frames, image.info["loop"]) == (6, 0)
        image.seek(2)
        pixels = image.convert("RGB")
    scale = 0.75
    x, y = (22 + 2 * 40 + 20 - 10) * scale, (22 + 24 + 3 * 40 + 20) * scale  # left of the digit of player 0 at 2,3
    assert close(pixels.getpixel((round(x), round(y))), PALETTE["seat0"].dark)


def close(pixel: tuple[int, ...], colour: str) -> bool:
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return all(abs(found - want) < 12 for found, want in zip(pixel, wanted, strict=True))


def test_without_pillow_it_says_how_to_get_it(
    playback: Playback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ReplayError, match=r"--gif needs Pillow"):
        write_gif(playback, range(2), tmp_path / "no.gif")
