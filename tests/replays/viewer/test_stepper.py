"""The stepper in a terminal that Textual's pilot drives: every key of the help, the mouse, sizes, whole games."""

import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

import pytest
from textual.pilot import Pilot

from replays.keys import SECTIONS, SPEEDS, format_keys
from replays.opening import files_in, read_short
from replays.playback import Playback, load
from replays.render.board import BoardView
from replays.replay import Parent, write
from replays.viewer.app import Stepper
from replays.viewer.dialogs import Help
from replays.viewer.screen import Timeline
from tests.replays.recorded import record_game, stand_still_from
from tests.replays.viewer.driving import LARGE, SIZES, SMALL, TURN, Seen, board_lines, drive, has, shown

# What the screen must show after each key of the help, pressed on turn 41 with player 0 in focus.
EFFECTS: dict[str, Seen] = {
    "step(1)": has("turn 42 of 82"),
    "step(-1)": has("turn 40 of 82"),
    "step(10)": has("turn 51 of 82"),
    "step(-10)": has("turn 31 of 82"),
    "start()": has("turn 0 of 82"),
    "finish()": has("end after turn 82"),
    "ask_turn()": has("go to turn (0 to 82, 83 is the end, Esc: stay):"),
    "play()": has("▶ 4 turns/s"),
    "speed(1)": has("8 turns a second"),
    "speed(-1)": has("2 turns a second"),
    "seek('deaths', 1)": lambda app: has("turn 64 of 82")(app) and app.seat == 2,
    "seek('deaths', -1)": has("no death before turn 41"),
    "seek('explosions', 1)": has("turn 43 of 82"),
    "seek('explosions', -1)": has("turn 38 of 82"),
    "seek('stderr', 1)": has("turn 42 of 82"),
    "seek('stderr', -1)": has("turn 40 of 82"),
    "seek('notes', 1)": has("no mistake or break after turn 41"),
    "seek('notes', -1)": has("no mistake or break before turn 41"),
    "way_out()": has("last turn on which player 0 had a way out: died on turn 82"),
    "focus_player(0)": lambda app: app.seat == 0,
    "focus_player(1)": lambda app: app.seat == 1,
    "focus_player(2)": lambda app: app.seat == 2,
    "focus_player(3)": lambda app: app.seat == 3,
    "overlay('danger')": has("danger: in how many turns a cell burns"),
    "overlay('survivable')": has("survivable: where player 0 gets away"),
    "overlay('plan')": has("plan: where player 0 meant to be when"),
    "overlay('reachable')": has("reachable: turns that player 0 needs"),
    "overlay('drawing')": has("drawing: player 0 drew nothing"),
    "chart()": has("values, each player's from lowest to highest; y: boxes"),
    "sight()": has("everybody saw the whole board"),
    "output()": has("● 0 on turn 41"),
    "help()": has("the player's last way out"),
    "pair()": has("no file, no other game"),
    "game(1)": has("no older game"),
    "game(-1)": has("no newer game"),
    "lost_only()": has("] and [ go to"),
    "ask()": has("there is nobody to ask here"),
    "ask_another()": has("there is nobody to ask here"),
    "explain()": has("there is nobody to ask here"),
    "play_on()": has("there is nobody to ask here"),
}
ELSEWHERE = {"quit()", "scroll_text(1)", "scroll_text(-1)"}  # tested on their own below


def reset(app: Stepper) -> None:
    """Back to where every key is tried."""
    app.stop()
    app.seat, app.overlay_name, app.speed_at, app.lost_by = 0, "", SPEEDS.index(4), ""
    app.go_to(TURN)


def test_every_key_has_an_effect_to_check() -> None:
    actions = {key.action for section in SECTIONS for key in section.keys}
    assert actions == set(EFFECTS) | ELSEWHERE
    names = [name for section in SECTIONS for key in section.keys for name in key.names]
    assert len(names) == len(set(names))


@pytest.mark.slow
@SIZES
def test_every_key_does_what_the_help_says(playback: Playback, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        for key in (key for section in SECTIONS for key in section.keys if key.action in EFFECTS):
            for name in key.names:
                reset(app)
                await pilot.press(name)
                assert EFFECTS[key.action](app), (name, key.words, shown(app))
                if key.action in ("ask_turn()", "help()"):
                    await pilot.press("escape")
                if key.action == "output()":
                    await pilot.press(name)
                    assert has("■ 1 python bot.py")(app) and has("● 0 on turn 41")(app) == app.is_large

    drive(Stepper(playback, TURN), size, play)


@SIZES
def test_focus_shows_on_the_screen(playback: Playback, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        for seat, symbol in enumerate("●■▲◆"):
            await pilot.press(str(seat))
            app = pilot.app
            assert isinstance(app, Stepper)
            assert has(f"━ {symbol} {seat}" if app.is_large else f"▌{symbol} {seat}")(app)

    drive(Stepper(playback, TURN), size, play)


def test_an_overlay_goes_with_the_same_key(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        plain = board_lines(app)
        await pilot.press("x")
        assert board_lines(app) != plain
        await pilot.press("x")
        assert board_lines(app) == plain

    drive(Stepper(playback, TURN), SMALL, play)


def test_going_to_a_turn_asks_until_there_is_such_a_turn(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("g", "9", "9", "enter")
        assert has("no such turn")(app)
        await pilot.press("backspace", "backspace", "6", "4", "enter")
        assert has("turn 64 of 82")(app) and has("? help")(app)
        await pilot.press("g", "1", "escape", "right")
        assert has("turn 65 of 82")(app)

    drive(Stepper(playback, TURN), SMALL, play)


def test_playing_goes_on_by_itself_and_stops_at_the_end(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("plus", "plus", "space")
        for _ in range(100):
            if not app.is_playing:
                break
            await pilot.pause(0.1)
        assert app.turn == playback.end_turn and not app.is_playing

    drive(Stepper(playback, playback.end_turn - 3), SMALL, play)


def test_space_pauses(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("space", "space")
        turn = app.turn
        await pilot.pause(0.4)
        assert app.turn == turn and not has("▶")(app)

    drive(Stepper(playback, TURN), SMALL, play)


def test_q_quits_and_leaves_the_help_first(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, Help)
        await pilot.press("q")
        assert not isinstance(pilot.app.screen, Help) and pilot.app.is_running
        await pilot.press("q")
        assert pilot.app.return_code == 0

    drive(Stepper(playback, TURN), SMALL, play)


def test_i_shows_what_the_player_in_focus_saw_and_all_again() -> None:
    replay = record_game(3, 2)
    replay.limits.vision = 2
    playback = Playback(replay)

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("0")
        whole = board_lines(app)
        assert any("(1)" in line for line in whole)
        await pilot.press("i")
        assert has("as player 0 saw it")(app) and not any("(1)" in line for line in board_lines(app))
        await pilot.press("1")
        assert any("(1)" in line for line in board_lines(app)) and not any("(0)" in line for line in board_lines(app))
        await pilot.press("0", "i")
        assert board_lines(app) == whole

    drive(Stepper(playback), SMALL, play)


def test_the_dead_see_nothing() -> None:
    replay = record_game(3, 2)
    replay.limits.vision = 2
    playback = Playback(replay)
    dead = next(seat for seat in range(2) if seat not in playback.game_at(playback.end_turn).living)

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("end", str(dead), "i")
        assert has(f"player {dead} is dead and sees nothing")(app)

    drive(Stepper(playback), SMALL, play)


def test_long_stderr_scrolls() -> None:
    replay = record_game(3, 2)
    move = replay.turns[0].moves[1]
    assert move is not None
    move.stderr = "\n".join(f"line {number}" for number in range(100))

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("1", "o")
        assert has("line 0")(app) and not has("line 30")(app)
        await pilot.press(*["down"] * 15)
        assert not has("line 0")(app) and has("line 30")(app)
        await pilot.press(*["k"] * 15)
        assert has("line 0")(app)

    drive(Stepper(Playback(replay)), SMALL, play)


@SIZES
def test_a_click_on_the_timeline_goes_to_its_turn(playback: Playback, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        timeline = app.query_one(Timeline)
        view = timeline.view()
        for turn in (0, 20, 64, 83):
            column = view.label_width + view.column_of(turn)
            await pilot.click(Timeline, offset=(column, 2))
            assert app.turn == view.turn_at(column)
            assert abs(app.turn - turn) <= len(view.landmarks.turns) / view.columns

    drive(Stepper(playback, TURN), size, play)


def test_a_small_terminal_gets_a_clear_word(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        assert has("This terminal has 79x24 characters;")(app) and has("the stepper needs 80x24.")(app)
        assert not has("turn 41")(app)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert has("turn 41 of 82")(app) and not has("needs")(app)
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        assert app.is_large and has("turn 41 of 82")(app)

    drive(Stepper(playback, TURN), (79, 24), play)


@pytest.mark.parametrize("size", [SMALL, (107, 60), (108, 34), LARGE], ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_fits(playback: Playback, size: tuple[int, int]) -> None:
    """Players, board, timeline and keys are all there, whole."""

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        game, events = playback.game_at(TURN), playback.events_before(TURN)
        view = BoardView(game.state, game.map, events, scale=2 if app.is_large else 1)
        assert board_lines(app) == [line.plain.rstrip() for line in view.lines()]
        text = "\n".join(shown(app))
        output = app.seat if app.is_large else -1
        panels = {seat: text.count(f"{symbol} {seat} ") for seat, symbol in enumerate("●■▲◆")}
        assert panels == {seat: 1 + (seat == output) for seat in range(4)}
        assert all(text.count(f"{symbol}{seat} ") == 1 for seat, symbol in enumerate("●■▲◆"))  # timeline
        assert text.count("▲") >= 3 and shown(app)[-1].endswith("? help")

    drive(Stepper(playback, TURN), size, play)


@pytest.mark.slow
def test_a_long_game_looks_the_same_forward_and_back() -> None:
    playback = Playback(record_game(5, 4, care=1.0))
    assert playback.end_turn == 200 and playback.seats == 4
    expected = {}
    for turn in range(201):
        game = playback.game_at(turn)
        view = BoardView(game.state, game.map, playback.events_before(turn))
        expected[turn] = [line.plain.rstrip() for line in view.lines()]

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        for turn in [*range(201), *range(197, -1, -3)]:
            app.action_step(turn - app.turn)
            assert board_lines(app) == expected[turn]

    drive(Stepper(playback), SMALL, play)


@SIZES
def test_b_shows_the_game_it_was_played_on_from_beside_it(tmp_path: Path, size: tuple[int, int]) -> None:
    replay = record_game(6, 2)
    write(tmp_path / "old.json", replay)
    child = stand_still_from(replay, 20)
    digest = blake2b((tmp_path / "old.json").read_bytes(), digest_size=8).hexdigest()
    child.parent = Parent("/nowhere/old.json", digest, 20, replay.players)  # found beside the child
    write(tmp_path / "new.json", child)

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("b")
        differs = app.turn
        assert differs >= 20 and has(f"they differ from turn {differs} on")(app)
        assert has("recorded, turn")(app) and has("played on, turn")(app) and not has("on turn")(app)
        await pilot.press("right")
        assert has(f"played on, turn {differs + 1} of")(app)
        await pilot.press("b")
        assert not has("recorded, turn")(app) and board_lines(app)
        write(tmp_path / "old.json", child)
        await pilot.press("b")
        assert has("is not there any more, or changed")(app)

    drive(Stepper(Playback(child), 3, tmp_path / "new.json"), size, play)


@pytest.mark.slow
@SIZES
def test_brackets_go_to_other_games_and_f_to_those_that_the_player_lost(tmp_path: Path, size: tuple[int, int]) -> None:
    seeds = {3: 2, 5: 4, 6: 2, 7: 3}  # with players
    for age, (seed, seats) in enumerate(seeds.items()):
        write(tmp_path / f"{seed}.json", record_game(seed, seats))
        os.utime(tmp_path / f"{seed}.json", (1000 - age, 1000 - age))
    (tmp_path / "notes.txt").write_text("nothing to see")
    games = files_in(tmp_path)
    opened = [path for path in games if read_short(path)]
    assert [path.name for path in opened] == ["3.json", "5.json", "6.json", "7.json"]
    lost = [path.name for path in opened if read_short(path).has_lost(0)]  # type: ignore[union-attr]
    assert 0 < len(lost) < len(opened)

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("right", "right_square_bracket")
        assert has("5.json")(app) and has("seed 5")(app) and has("◆ 3")(app) and app.turn == 0
        await pilot.press("g")
        assert has(f"(0 to {app.record.end_turn - 1}, {app.record.end_turn} is the end")(app)
        await pilot.press("escape", "3", "left_square_bracket")
        assert has("seed 3")(app) and app.seat == 1 and not has("◆ 3")(app)
        await pilot.press("left_square_bracket")
        assert has("no newer game")(app)
        await pilot.press("0", "f")
        found = [app.path.name] if app.path and app.path.name in lost else []
        while not has("no older game that beam:paper,width=1000 lost")(app):
            await pilot.press("right_square_bracket")
            found += [app.path.name] if app.path and app.path.name not in found else []
        assert [name for name in found if name != "3.json"] == [name for name in lost if name != "3.json"]

    drive(Stepper(load(tmp_path / "3.json"), None, tmp_path / "3.json", games), size, play)


class Reviewer:
    """An adviser that finds one mistake."""

    agents: ClassVar = ["beam"]

    def review(self, record: Playback, seat: int, on_turns: Callable[[float], None]) -> Playback:
        on_turns(1)
        marked = Playback(record.replay)
        marked.notes_before = lambda turn: ["a mistake"] if turn == 50 else []  # type: ignore[method-assign]
        return marked


def test_n_reviews_the_game_and_goes_to_the_mistake(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("n")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.turn == 50 and has("a mistake")(app)

    drive(Stepper(playback, TURN, adviser=Reviewer()), SMALL, play)  # type: ignore[arg-type]


def test_the_command_palette_lists_every_key_and_runs_it(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        commands = {command.title: command for command in app.get_system_commands(app.screen)}
        assert commands.keys() == {key.words for section in SECTIONS for key in section.keys}
        await commands["ten turns forward"].callback()
        assert app.turn == TURN + 10
        await pilot.press("ctrl+p")
        assert type(app.screen).__name__ == "CommandPalette"

    drive(Stepper(playback, TURN), SMALL, play)


def test_a_large_terminal_shows_events_output_and_plan_together(playback: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("0")
        assert has(f"on turn {TURN - 1}")(app) and has(f"0 on turn {TURN}")(app) and has("plan")(app)

    drive(Stepper(playback, TURN), LARGE, play)


def test_the_keys_can_be_printed() -> None:
    text = format_keys()
    assert all(key.words in text for section in SECTIONS for key in section.keys if key.shown)
