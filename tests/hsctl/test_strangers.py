"""Every way to print is fed what must never reach a terminal: as text it may come, as a command or markup never."""

import io
import json
import random
import re
from pathlib import Path

import pytest
from rich.table import Table

from engine.game import Game
from hsctl.cli.playing import Lines
from hsctl.league.ledger import Ledger
from hsctl.match.result import Fate
from hsctl.report.console import announce, progress
from hsctl.report.league_page import format_report
from hsctl.report.live import bar, live_view, turn_bar
from hsctl.report.safe_console import SafeConsole
from hsctl.report.standings import cross_table, error_lines, league_view, series_view
from replays.playback import Playback, play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, Failure, Limits, Move, PlayerInfo, Replay, Thought, Turn, encode, write
from replays.viewer.app import Stepper
from tests.browser import browse
from tests.fuzz.mutate import EVIL, MARKUP, as_word
from tests.fuzz.watch import COMMANDS, MadeUpBot, Verdict, made_up_world, watch
from tests.hsctl.games import made_game, standings_of
from tests.hsctl.league.rows import made_row
from tests.replays.recorded import record_game
from tests.replays.viewer.driving import drive, shown

TEXTS = [*EVIL, *MARKUP]
evil = pytest.mark.parametrize("text", TEXTS, ids=[repr(text)[1:11] for text in TEXTS])


def evil_game(text: str) -> Replay:
    """A game in which everything that a stranger may write is this text."""
    text = text.encode(errors="replace").decode()
    replay = record_game(3, 2, failures=0.05, care=0.7)
    replay.hsctl = text
    replay.players[1].spec = text
    for turn in replay.turns:
        for seat, move in enumerate(turn.moves):
            if move is not None:
                turn.moves[seat] = Move(
                    move.action, text, text, 1.0, 1.0, Thought(5, 1, 0.5, [0], {text: 3}, [0]), text,
                    None if move.action is not None else Failure(text, text),
                )  # fmt: skip
    return replay


def fine(verdict: Verdict, *codes: int) -> Verdict:
    assert not verdict.fault and verdict.code in codes, verdict
    return verdict


@pytest.mark.slow
@evil
def test_a_replay(tmp_path: Path, text: str) -> None:
    file, page = tmp_path / "game.json", tmp_path / "page.html"
    file.write_bytes(encode(evil_game(text)))
    for words in ([], ["--turn", "1"], ["--json"], ["--frames"], ["--html", str(page)]):
        fine(watch(["replay", str(file), *words]), 0)
    fine(watch(["replay", str(file), "--frames", "--player", as_word(text)]), 0, 2)
    fine(watch(["explain", f"{file}@1", "--player", "1"]), 2)
    found = COMMANDS.search(page.read_text())
    assert not found, found
    assert "<script>x" not in page.read_text()


# Pages in a browser: whatever would run, or load something, or change the page, if it were taken for more than text

HOSTILE = [
    "<script>pwned=1</script>", "</script><script>pwned=1</script>", "<img src=x onerror=pwned=1>",
    "<svg onload=pwned=1>", '"><script>pwned=1</script>', "'-(pwned=1)-'", "javascript:pwned=1", "<!--<script>",
    "]]><script>pwned=1</script>", "</title><script>pwned=1</script>", "</style><style>*{display:none}", "${pwned=1}",
    "{{pwned=1}}", "&lt;script&gt;pwned=1&lt;/script&gt;", "<iframe srcdoc='<script>parent.pwned=1</script>'>",
    "<a href=javascript:pwned=1>x</a>", "<base href=//x>", "<meta http-equiv=refresh content=0>", "__proto__", *EVIL,
]  # fmt: skip
DRAWN = "@cell 3 4 {0:.8} red\n@cell 3 5 x {0}\n@cell 1 1 <u>x</u>\n@path 0,0 1,0 {0}\n@value 1e400\n@text {0}\n{0}"
LOOK_ROUND = """<script>
if (typeof goTo === "function") {
  for (const key of ["o", "y"]) document.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  for (let seat = 0; seat < 2; seat++) for (let turn = 0; turn < TURNS; turn++) { at.seat = seat; goTo(turn); }
}
setTimeout(() => {
  const all = [...document.querySelectorAll("*")];
  const attributes = all.flatMap((one) => [...one.attributes]);
  document.body.append(make("pre", { id: "seen" }, JSON.stringify({
    pwned: typeof pwned, scripts: document.scripts.length, styles: document.querySelectorAll("style").length,
    foreign: all.map((one) => one.localName).filter((name) => /^(img|iframe|object|embed|base|u)$/.test(name)),
    handlers: attributes.filter((one) => one.name.startsWith("on")).length,
    links: attributes.filter((one) => /^(href|src)$/.test(one.name) && !one.value.startsWith("#")).length,
    loaded: performance.getEntriesByType("resource").length,
    hidden: getComputedStyle(document.body).display === "none",
    polluted: Object.keys(Object.prototype).length, text: document.body.textContent,
  })));
}, 300);
</script>"""


def hostile_game() -> Replay:
    """Every hostile text as message, output, stderr and drawing of some turn; the players are called so, too."""
    replay = record_game(3, 2, care=0.97)
    assert len(replay.turns) > len(HOSTILE)
    for number, turn in enumerate(replay.turns):
        text = HOSTILE[number % len(HOSTILE)].encode(errors="replace").decode()
        for seat, move in enumerate(turn.moves):
            if move is not None:
                turn.moves[seat] = Move(move.action, text, text, stderr=DRAWN.format(text))
    for info, text in zip(replay.players, HOSTILE, strict=False):
        info.spec = text
    return replay


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["replay", "review", "report"])
def test_pages_in_a_browser(kind: str, tmp_path: Path) -> None:
    replay = hostile_game()
    file, page = tmp_path / f"{HOSTILE[0].replace('/', '_')}.json", tmp_path / "page.html"
    write(file, replay)
    if kind == "report":
        names = [text.encode(errors="replace").decode() for text in HOSTILE]
        games = [
            made_game(seating=(at, at + 1), seed=at, deaths=[None, Fate(3, "error", name, name)])
            for at, name in enumerate(names[:-1])
        ]
        page.write_text(format_report(standings_of(*games, names=names), {}))
    elif kind == "review":
        fine(watch(["review", str(file), "--player", "1", "--deaths", "--html", str(page)]), 0)
    else:
        fine(watch(["replay", str(file), "--html", str(page)]), 0)
    text = page.read_text()
    look = LOOK_ROUND.replace("TURNS", str(len(replay.turns)))
    seen = browse(text.replace("</body>", look + "</body>"), tmp_path)
    shown = seen.pop("text")
    assert seen == {
        "pwned": "undefined", "foreign": [], "handlers": 0, "links": 0, "loaded": 0, "hidden": False, "polluted": 0,
        "scripts": 3, "styles": 1,
    }  # fmt: skip
    assert HOSTILE[0] in shown and HOSTILE[1] in shown


@evil
def test_files_and_words_that_are_refused(tmp_path: Path, text: str) -> None:
    document = json.loads(encode(record_game(3, 2, care=0.7)))
    file, name = tmp_path / "game.json", as_word(text)
    for field in ("", "start", "limits", "result"):
        changed = json.loads(json.dumps(document))
        (changed[field] if field else changed)[text] = 1
        file.write_text(json.dumps(changed))
        fine(watch(["replay", str(file)]), 2)
    for words in (["replay", name], [name], ["play", name, "random"], ["play", "random", "simple", "--time", name]):
        fine(watch(words), 2)
    for content in (f"seed={text}\n", f"{text}\nStandard Output Stream:\n{text}\n", text):
        fine(watch(["import", "-", "--out", str(tmp_path)], content.encode(errors="replace")), 2)
        fine(watch(["explain", "--state", "-"], content.encode(errors="replace")), 2)


@evil
def test_bots(tmp_path: Path, text: str) -> None:
    chance = random.Random(1)
    MadeUpBot.lines = staticmethod(lambda: chance.choice([f"MOVE 0 0 {text}", "BOMB 0 0", text]))
    with made_up_world():
        for words in ([], ["--games", "2"], ["--json"]):
            fine(watch(["play", "true", "false", "--no-save", "--jobs", "1", *words]), 0, 1)


@evil
def test_a_ledger(tmp_path: Path, text: str) -> None:
    text = text.encode(errors="replace").decode()
    with Ledger(tmp_path / "theirs") as ledger:
        ledger.add(made_row(1, finished=text))
        ledger.add(made_row(2, deaths=[None, Fate(3, "error", text, text)]))
    told = fine(watch(["league", "--merge", str(tmp_path / "theirs"), "--ledger", str(tmp_path / "ours")]), 0)
    assert "is left out" in told.err and "1 games added" in told.err


@evil
def test_tables_and_lines(text: str) -> None:
    names = [text, f"{text}:{text}"]
    game = made_game(deaths=[None, Fate(3, "error", text, text)])
    standings = standings_of(game, names=names)
    console = terminal()
    for view in (
        league_view(standings),
        series_view(standings),
        cross_table(standings, has_intervals=False),
        *error_lines(standings),
    ):
        console.print(view)
    console.print(Table(text, title=text, caption=text))
    check(console)


@evil
def test_live_views(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    names, console = [text, text], terminal()
    game = Game.start(1, 2)
    after = game.copy()
    moves: list[Move | None] = [Move(0, message=text), Move(failure=Failure(text, text))]
    play_moves(after, moves)
    players = [PlayerInfo(text, False)] * 2
    replay = Replay(FORMAT, VERSION, "0", 1, start_of(game), players, Limits(), [], result_of(game))
    lines = Lines()
    with turn_bar(console, names) as on_turn:
        on_turn(replay, game)
        lines.show(replay, game)
        replay.turns.append(Turn("0" * 16, moves))
        on_turn(replay, after)
        lines.show(replay, after)
    with bar(console, "game", 2) as update:
        update(1, text)
    with live_view(console, 2, lambda: Table(text)) as update_games:
        update_games(1)
    check(console)
    announce(text)
    with progress("doing", 2) as advance:
        advance(1)
    assert not COMMANDS.search(capsys.readouterr().err.replace("\x1b[", ""))


def test_no_text_becomes_another_message(capsys: pytest.CaptureFixture[str]) -> None:
    announce("left out: unknown field `a\nhsctl: everything is fine`")
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.slow
@evil
def test_the_stepper(text: str) -> None:
    async def look(pilot: object) -> None:
        for key in ("", "o", "right", "end", "p", "question_mark"):
            if key:
                await pilot.press(key)  # type: ignore[attr-defined]
            screen = "\n".join(shown(app))
            assert not COMMANDS.search(screen), (key, screen)

    app = Stepper(Playback(evil_game(text)))
    drive(app, (120, 40), look)


def terminal() -> SafeConsole:
    return SafeConsole(file=io.StringIO(), force_terminal=True, width=100, legacy_windows=False)


# What rich itself sends: styles, the cursor up or hidden, lines that are cleared.
OWN = re.compile(r"\x1b\[(\d+(;\d+)*)?m|\x1b\[\?25[lh]|\x1b\[2K|\x1b\[1A|\r")


def check(console: SafeConsole) -> None:
    left = OWN.sub("", console.file.getvalue())  # type: ignore[attr-defined]
    assert not COMMANDS.search(left), COMMANDS.search(left)
