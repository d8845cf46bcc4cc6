"""`hsctl review`: verdict, mistakes and deaths on the screen and as JSON, proofs that open, wrong input in one line."""

import json
import re
import shlex
from pathlib import Path

import msgspec
import pytest

from hsctl.analysis.review.document import FORMAT, VERSION, Review
from hsctl.analysis.review.view import MarkedGame
from hsctl.analysis.suite import read_inputs, read_suite
from replays.landmarks import Landmarks
from replays.playback import load
from replays.replay import Replay, write
from replays.schema import format_schema
from replays.viewer.app import Stepper
from tests.hsctl.run import ROOT, refusal, run_here
from tests.replays.arena.writer import write_console, write_frames, write_json, write_options
from tests.replays.recorded import record_game
from tests.replays.viewer.driving import SMALL, drive, shown

Capture = pytest.CaptureFixture[str]
NODES = ("--nodes", "60")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two players; player 0 dies by a bomb of their own."""
    path = tmp_path_factory.mktemp("games") / "game.json"
    write(path, record_game(0, 2, care=0.9))
    return path


@pytest.fixture(scope="module")
def replay(path: Path) -> Replay:
    return load(path).replay


def dead_seat(path: Path) -> tuple[int, int]:
    ((seat, (turn, _)),) = list(load(path).deaths().items())[:1]
    return seat, turn


def reviewed(capsys: Capture, *words: str | Path) -> dict:
    code, out, _ = run_here(capsys, "review", *words, *NODES, "--json")
    assert code == 0
    msgspec.json.decode(out, type=Review)
    return json.loads(out)


def test_a_review_has_verdict_mistakes_and_deaths(capsys: Capture, path: Path) -> None:
    seat, turn = dead_seat(path)
    review = reviewed(capsys, path, "--player", str(seat))
    (death,) = review["deaths"]
    assert (death["turn"], death["is_avoidable"]) == (turn, True)
    first = review["mistakes"][0]
    assert (first["kind"], first["turn"], first["played"]) == ("death", death["last_turn"], death["played"])
    assert first["better"] in death["safe"] and death["played"] not in death["safe"]
    assert f"dead on turn {turn}" in review["verdict"] and death["why"] in first["why"]
    costs = [mistake["cost"] for mistake in review["mistakes"][1:]]
    assert costs == sorted(costs, reverse=True) and all(cost > review["threshold"] for cost in costs)
    assert len(review["values"][seat]) == review["turns"]


def test_the_screen_tells_the_same(capsys: Capture, path: Path) -> None:
    seat, turn = dead_seat(path)
    review = reviewed(capsys, path, "--player", str(seat))
    code, out, _ = run_here(capsys, "review", path, "--player", str(seat), *NODES)
    words = " ".join(out.split())
    assert code == 0 and review["verdict"] in words
    death = review["deaths"][0]
    assert f"death on turn {turn}: " in words and f"safe on turn {death['last_turn']}: " in words
    assert f"on turn {death['held_turn']} {', '.join(death['held'])} held for 1 round" in words
    assert "†" in out and "!" in out
    head = words[: words.index(review["verdict"])]
    assert str(path) in "".join(out.split("\n")) and review["saved"].replace("T", " ") in head
    assert all(name in head for name in review["names"]) and f"{review['turns']} turns" in head


def test_a_proof_is_a_game_in_which_the_player_lives(
    capsys: Capture, path: Path, replay: Replay, tmp_path: Path
) -> None:
    seat, turn = dead_seat(path)
    death = reviewed(capsys, path, "--player", str(seat), "--proof", tmp_path)["deaths"][0]
    proof = load(Path(death["proof"]))
    assert proof.replay.result.death_rounds[seat] is None
    same = [one == other for one, other in zip(proof.replay.turns, replay.turns, strict=False)]
    assert same.index(False) == death["last_turn"]
    assert proof.end_turn > turn


def test_deaths_alone_need_no_search(capsys: Capture, path: Path) -> None:
    seat, _ = dead_seat(path)
    code, out, _ = run_here(capsys, "review", path, "--player", str(seat), "--deaths", "--json")
    review = msgspec.json.decode(out, type=Review)
    assert code == 0 and review.agent is None and review.values == []
    assert msgspec.to_builtins(review.deaths) == reviewed(capsys, path, "--player", str(seat))["deaths"]
    screen = run_here(capsys, "review", path, "--player", str(seat), "--deaths").out
    assert review.verdict[:40] in screen and "by turn" not in screen


def test_strict_makes_an_avoidable_death_an_answer(capsys: Capture, path: Path) -> None:
    seat, _ = dead_seat(path)
    assert run_here(capsys, "review", path, "--player", str(seat), *NODES, "--strict").code == 1
    assert run_here(capsys, "review", path, "--player", str(1 - seat), *NODES, "--strict").code == 0


def test_games_played_on_tell_what_a_mistake_was_worth(capsys: Capture, path: Path) -> None:
    seat, _ = dead_seat(path)
    mistake = reviewed(capsys, path, "--player", str(seat), "--rollouts", "2")["mistakes"][0]
    for chance in (mistake["chance_played"], mistake["chance_better"]):
        assert 0 <= chance["wins"] <= chance["games"] == 2 and 0 <= chance["low"] <= chance["high"] <= 1
    assert mistake["chance_better"]["wins"] >= mistake["chance_played"]["wins"]


def test_a_mistake_becomes_a_test_for_a_bot(capsys: Capture, path: Path, tmp_path: Path) -> None:
    """It holds all that the bot read, and asks for an answer that can be survived."""
    seat, _ = dead_seat(path)
    review = reviewed(capsys, path, "--player", str(seat), "--write-suite", tmp_path)
    entries = read_suite(tmp_path)
    assert all(re.fullmatch(rf"game-[0-9a-f]{{12}}-player{seat}-turn\d+", name) for name in entries)
    assert sorted(entry.turn for entry in entries.values()) == sorted(each["turn"] for each in review["mistakes"])
    death = review["deaths"][0]
    (entry,) = (entry for entry in entries.values() if entry.turn == death["last_turn"])
    read = run_here(capsys, "replay", path, "--frames", "--player", str(seat), "--to", str(entry.turn)).out
    assert "\n".join(entry.inputs) + "\n" == read and read_inputs(entry).seat == seat
    assert entry.demands == ["must survive", "within 100 ms"] and entry.why == review["mistakes"][0]["why"]
    others = [entry.demands[0] for entry in entries.values() if entry.turn != death["last_turn"]]
    assert all(demand.startswith("must not ") for demand in others)


def test_a_folder_is_a_table_of_causes(capsys: Capture, path: Path, tmp_path: Path) -> None:
    seat, _ = dead_seat(path)
    for number in range(3):
        (tmp_path / f"{number}.json").write_bytes(path.read_bytes())
    (tmp_path / "note.txt").write_text("no game")
    name = load(path).specs[seat]
    code, out, err = run_here(capsys, "review", tmp_path, "--player", name, *NODES)
    cause = reviewed(capsys, path, "--player", str(seat))["deaths"][0]["cause"]
    assert code == 0 and cause in out and "100 %" in out
    assert f"{cause}, worst first:" in out.splitlines()
    words = " ".join(out.split())
    assert f"3 games: {name} died 3 times. 3 avoidable deaths, all of them cost the win." in words
    assert "skipped: " in err and "note.txt" in err
    record = json.loads(run_here(capsys, "review", tmp_path, "--player", name, *NODES, "--json").out)
    assert record["games"] == 3 and len(record["reviews"]) == 3
    assert record["causes"][0]["cause"] == cause and len(record["causes"][0]["worst"]) == 3
    assert run_here(capsys, "review", tmp_path, "--player", name, *NODES, "--strict").code == 1
    assert "--player P" in refusal(capsys, "review", tmp_path)
    assert "player 'nobody'" in run_here(capsys, "review", tmp_path, "--player", "nobody", *NODES).err


def test_what_a_folder_names_can_be_pasted_behind_hsctl_replay(
    capsys: Capture, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "40")
    folder = Path("many games", "of a player whose name is long")
    folder.mkdir(parents=True)
    (folder / "0.json").write_bytes(path.read_bytes())
    words = ("review", folder, "--player", load(path).specs[dead_seat(path)[0]], "--deaths")
    lines = [line for line in run_here(capsys, *words).out.splitlines() if "0.json@" in line]
    assert len(lines) == 2  # the worst game, and the avoidable death
    for line in lines:
        place = shlex.split(line)[0].removesuffix(":")
        assert run_here(capsys, "replay", place).code == 0
    (worst,) = json.loads(run_here(capsys, *words, "--json").out)["causes"][0]["worst"]
    assert worst == shlex.split(lines[0])[0]


def test_avoidable_deaths_are_looked_for_in_games_of_the_arena(capsys: Capture, tmp_path: Path) -> None:
    names, replay = ["ann", "bob", "eve"], record_game(3, 3, care=0.9)
    result = write_json(replay, write_frames(replay), names)
    console = write_options(replay) + write_console(write_frames(replay), names)
    (tmp_path / "console.txt").write_text(console)
    (tmp_path / "game").write_text(json.dumps({**result, "ranks": [0, 0, 0]}))
    code, out, err = run_here(capsys, "review", tmp_path, "--player", "bob", "--deaths", "--strict")
    assert "2 games: bob died 2 times" in " ".join(out.split()) and code == int("avoidable deaths that" in out)
    assert "game: MISMATCH frame " in err and "the arena has ranks 0, 0, 0" in err


@pytest.mark.parametrize("own", range(3))
def test_the_code_in_the_editor_is_reviewed_if_nobody_is_named(capsys: Capture, tmp_path: Path, own: int) -> None:
    replay = record_game(3, 3, care=0.9)
    result = write_json(replay, write_frames(replay), ["ann", "bob", "eve"])
    result["agents"][own]["agentId"] = -1
    (tmp_path / "game").write_text(json.dumps(result))
    out = run_here(capsys, "review", tmp_path / "game", "--deaths", "--json").out
    assert json.loads(out)["player"] == own


def test_the_page_marks_mistakes(capsys: Capture, path: Path, tmp_path: Path) -> None:
    seat, _ = dead_seat(path)
    page = tmp_path / "page.html"
    review = reviewed(capsys, path, "--player", str(seat), "--html", page)
    data = re.search(r'"notes":(\[[\d,]*\])', page.read_text())
    assert data is not None
    assert json.loads(data[1]) == sorted({mistake["turn"] for mistake in review["mistakes"]})
    assert f"played {review['mistakes'][0]['played']}, better" in page.read_text()
    drawn = [found != "null" for found in re.findall(r'"better":(null|\{"marks":\[\[\d+,\d+,)', page.read_text())]
    assert [turn for turn, is_drawn in enumerate(drawn) if is_drawn] == json.loads(data[1])


def test_the_stepper_goes_from_mistake_to_mistake(capsys: Capture, path: Path) -> None:
    seat, _ = dead_seat(path)
    review = msgspec.convert(reviewed(capsys, path, "--player", str(seat)), Review)
    turns = sorted({mistake.turn for mistake in review.mistakes})
    stepper = Stepper(MarkedGame(load(path), review))

    async def look(pilot) -> None:
        assert stepper.seat == seat
        await pilot.press("end", "N")
        assert stepper.turn == turns[-1]
        words = " ".join("\n".join(shown(stepper)).split())
        assert f"turn {turns[-1]}: played" in words
        assert f"better: {review.mistakes[0].better}, then turn by turn" in words
        await pilot.press("right")
        assert "better: " not in " ".join("\n".join(shown(stepper)).split())

    drive(stepper, SMALL, look)


def test_a_log_is_reviewed_as_a_game_and_its_lost_way_out_is_named(capsys: Capture, path: Path, tmp_path: Path) -> None:
    seat, death = dead_seat(path)
    log = tmp_path / "log.txt"
    log.write_text(run_here(capsys, "replay", path, "--frames", "--player", str(seat), "--to", str(death)).out)
    _, out, err = run_here(capsys, "review", log, "--quick", "--json")
    assert f"{log}: inputs of one player; turns 0 to {death - 1}, actions inferred" in err
    review = json.loads(out)
    assert (review["player"], review["is_finished"], review["deaths"]) == (seat, False, [])
    known = Landmarks(load(path)).last_way_out(seat)
    lost = review["mistakes"][0]
    assert (lost["turn"], lost["kind"]) == (known, "death") and "before the death" in lost["why"]
    assert f"when the game was stopped: no way out after turn {known} (" in review["verdict"]


def log_of_the_doomed(capsys: Capture, path: Path, folder: Path) -> Path:
    """What the player that dies was sent, up to the turn before."""
    seat, death = dead_seat(path)
    log = folder / "log.txt"
    log.write_text(run_here(capsys, "replay", path, "--frames", "--player", str(seat), "--to", str(death)).out)
    return log


def test_a_log_that_ends_before_the_death_becomes_a_test_for_a_bot(capsys: Capture, path: Path, tmp_path: Path) -> None:
    log = log_of_the_doomed(capsys, path, tmp_path)
    words = ("review", log, "--deaths", "--write-suite", tmp_path / "suite", "--json")
    (lost,) = json.loads(run_here(capsys, *words).out)["mistakes"]
    (entry,) = read_suite(tmp_path / "suite").values()
    assert (entry.turn, entry.demands[0]) == (lost["turn"], "must survive")


def test_the_verdict_names_as_many_safe_moves_as_fit(capsys: Capture, path: Path, tmp_path: Path) -> None:
    review = json.loads(run_here(capsys, "review", log_of_the_doomed(capsys, path, tmp_path), "--deaths", "--json").out)
    (lost,) = review["mistakes"]
    assert len(lost["safe"]) > 3 and lost["better"] == lost["safe"][0] and lost["played"] not in lost["safe"]
    assert f"; safe: {', '.join(lost['safe'][:3])}, ...)" in review["verdict"]


def test_games_with_long_or_equal_names_keep_their_own_entries_and_proofs(
    capsys: Capture, path: Path, replay: Replay, tmp_path: Path
) -> None:
    """Two games of one name, in two folders; two whose names differ at their ends; and the first once more."""
    seat, other, long = dead_seat(path)[0], load(path).replay, "x" * 200
    other.players[1 - seat].spec = "somebody else"
    places = [(replay, "one/game"), (other, "two/game"), (replay, f"one/{long}1"), (other, f"one/{long}2")]
    for game, place in [*places, places[0]]:
        file = tmp_path / f"{place}.json"
        write(file, game)
        wanted = ("--proof", tmp_path / "proofs", "--write-suite", tmp_path / "suite")
        assert run_here(capsys, "review", file, "--player", str(seat), "--deaths", *wanted).code == 0
    assert len(list((tmp_path / "proofs").iterdir())) == len(read_suite(tmp_path / "suite")) == 4


def test_what_cannot_be_reviewed_gets_one_line(capsys: Capture, path: Path, tmp_path: Path) -> None:
    frames = tmp_path / "inputs.txt"
    frames.write_text(run_here(capsys, "replay", path, "--frames", "--turn", "0").out)
    assert "no input follows from the one before it" in refusal(capsys, "review", frames)
    assert "@3" in refusal(capsys, "review", f"{path}@3")
    assert "player 'nobody'" in refusal(capsys, "review", path, "--player", "nobody")
    assert "is not an agent" in refusal(capsys, "review", path, "--agent", "nobody")
    assert "--step needs a terminal" in refusal(capsys, "review", path, "--step")
    assert "--nodes cannot be combined with --quick" in refusal(capsys, "review", path, "--nodes", "5", "--quick")
    assert "--quick cannot be combined with --deaths" in refusal(capsys, "review", path, "--deaths", "--quick")
    assert "--agent mcts: " in refusal(capsys, "review", path, "--agent", "mcts")


def test_the_kept_schema_is_that_of_the_code() -> None:
    kept = (ROOT / "docs" / "reference" / "schemas" / "review.schema.json").read_bytes()
    assert kept == format_schema(Review, FORMAT, VERSION), (
        "write it anew: python -m hsctl.analysis.review.document > docs/reference/schemas/review.schema.json"
    )


def test_the_command_that_opens_a_proof_is_one_line_and_a_suite_is_told(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    folder, seat = tmp_path / ("a long name " * 8), str(dead_seat(path)[0])
    code, out, err = run_here(
        capsys, "review", path, "--player", seat, *NODES, "--proof", folder, "--write-suite", folder / "suite"
    )
    [line] = [line for line in out.splitlines() if line.startswith("the proof: hsctl replay ")]
    assert code == 0 and shlex.split(line)[-1] == str(next(folder.glob("*.json")))
    count = len(list((folder / "suite").iterdir()))
    assert f"suite: {count} position" in err


def test_nothing_is_compiled_for_a_file_that_is_not_there(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hsctl.analysis.review.mistakes.ReferenceBeam.warm_up", lambda _: pytest.fail("warmed up"))
    assert "nofile.json" in refusal(capsys, "review", "nofile.json")


@pytest.mark.parametrize(("words", "nodes"), [((), 2000), (("--write-suite", "suite"), 12_000)])
def test_a_folder_is_looked_at_briefly_unless_a_suite_is_written(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], nodes: int
) -> None:
    asked = []
    monkeypatch.setattr(
        "hsctl.analysis.review.mistakes.ReferenceBeam.__init__", lambda _self, _agent, count: asked.append(count)
    )
    monkeypatch.setattr("hsctl.analysis.review.mistakes.ReferenceBeam.warm_up", lambda _: None)
    run_here(capsys, "review", tmp_path, "--player", "x", *words)  # there is no game in it
    assert asked == [nodes]
