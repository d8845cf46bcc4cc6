"""The report of a league: what it tells, in which bytes, and in a browser that every number leads to its games."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from hsctl.league.standings import Standings
from hsctl.match.result import Fate, GameResult, ThinkingTime
from hsctl.report.league_page import format_report, games_of, write_report
from tests.browser import browse
from tests.hsctl.run import refusal, run_here

GOLDEN = Path(__file__).parents[2] / "replays" / "golden.json"
BAD = "</script><img src=x onerror=alert(1)>\x1b[2J"
# Follows every link with a number in a table or a plot and notes how many games it leads to.
DRIVER = """<script>
const seen = [];
for (const one of document.querySelectorAll("#players a, #pairs a, #places a")) {
  const filter = Object.fromEntries(new URLSearchParams(one.getAttribute("href").slice(1)));
  seen.push({ words: one.textContent, games: gamesOf(filter).length, filter });
}
const all = { title: byId("title").textContent, rows: byId("list").rows.length, wrong: document.images.length };
location.hash = "#player=0&result=lost";
setTimeout(() => {
  const pages = [...document.querySelectorAll("#list a")].map((one) => one.getAttribute("href"));
  const chosen = byId("filters").elements.result.value;
  document.body.append(make("pre", { id: "seen" }, JSON.stringify(
    { seen, all, lost: byId("list").rows.length - 1, pages, chosen, count: byId("count").textContent })));
}, 200);
</script>"""


def finished(number: int, seats: tuple[int, ...], ranks: list[int], fate: Fate | None = None) -> GameResult:
    """A game of which the last seat died, or nobody."""
    count = len(seats)
    deaths = [None] * (count - 1) + [fate]
    thinking = [ThinkingTime(9, 1.0, 1.0)] * count
    replay = GOLDEN if number == 1 else None
    return GameResult(
        number, seats, ranks, [number] * count, [1] * count, deaths, thinking, 9, "end", 1.0, replay=replay,
        block_number=number,
    )  # fmt: skip


@pytest.fixture
def standings() -> Standings:
    found = Standings(["beam", BAD, "mcts"])
    games = [
        finished(0, (0, 1), [1, 2], Fate(4, "own")),
        finished(1, (1, 0), [1, 2], Fate(7, "error", "timeout", "slow")),
        finished(2, (0, 2), [1, 1]),
        finished(3, (2, 1, 0), [1, 2, 3], Fate(8, "others")),
        finished(4, (1, 2), [1, 2]),
    ]
    for game in reversed(games):  # the order in which they finished
        found.add(game)
    return found


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert match
    return json.loads(match[1])


def test_the_report_holds_every_game_and_number(standings: Standings) -> None:
    told = data_of(format_report(standings, {GOLDEN: "games/1.html"}))
    assert told["names"][1] == "</script><img src=x onerror=alert(1)>\\x1b[2J"
    assert [game["seed"] for game in told["games"]] == [0, 1, 2, 3, 4]
    assert [game["page"] for game in told["games"]] == [None, "games/1.html", None, None, None]
    beam = told["players"][0]
    assert (beam["games"], beam["won"], beam["drawn"], beam["lost"]) == (4, 1, 1, 2)
    assert (beam["causes"], beam["places"]) == ({"error": 1, "others": 1}, [2, 1, 1, 0])
    pair = told["pairs"][0][1]
    assert (pair["above"], pair["level"], pair["below"]) == (1, 0, 2)
    assert told["pairs"][0][0] is None
    assert told["games"][1]["deaths"] == ["", "timeout"]
    rated = told["ratings"][0]
    assert set(rated) == {"note", "elo", "low", "high"}


def test_nothing_comes_from_outside_and_strangers_write_no_tags(standings: Standings) -> None:
    page = format_report(standings, {})
    assert page.count("</script>") == 2 and "<img" not in page
    assert set(re.findall(r"https?://[^\s\"']+", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"url\(|@import|fetch\(|import\(|innerHTML", page)


def test_the_same_games_give_the_same_bytes(standings: Standings) -> None:
    other = Standings(standings.names)
    for game in standings.in_order():
        other.add(game)
    assert format_report(standings, {}) == format_report(other, {})


def test_games_with_a_replay_have_a_page_and_bad_replays_are_told(standings: Standings, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    game = finished(9, (0, 1), [1, 2])
    standings.add(GameResult(**{**game.__dict__, "replay": bad}))
    (refused,) = write_report(standings, tmp_path / "report")
    assert refused.startswith(f"{bad}: not a replay")
    files = sorted(str(path.relative_to(tmp_path / "report")) for path in (tmp_path / "report").rglob("*.html"))
    assert files == ["games/1-golden.html", "index.html"]
    told = data_of((tmp_path / "report" / "index.html").read_text(encoding="utf-8"))
    assert [game["page"] for game in told["games"] if game["page"]] == ["games/1-golden.html"]


def test_pages_of_an_earlier_report_go_and_other_files_stay(standings: Standings, tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for name in ("1-golden.html", "2-old.html", "mine.html"):
        (games / name).touch()
    (tmp_path / "index.html").write_text('<title>mine</title>"page":"games/2-old.html"')
    write_report(standings, tmp_path)
    assert (games / "2-old.html").exists()  # whatever index.html was, it was no report
    earlier = (tmp_path / "index.html").read_text(encoding="utf-8")
    (tmp_path / "index.html").write_text(earlier.replace("1-golden", "2-old"), encoding="utf-8")
    write_report(standings, tmp_path)
    assert {path.name for path in games.iterdir()} == {"1-golden.html", "mine.html"}


def test_a_folder_that_cannot_be_made_is_refused_before_the_first_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    ledger = tmp_path / "ledger"
    told = refusal(capsys, "league", "still", "random", "--ledger", ledger, "--html", tmp_path / "file" / "report")
    assert told.startswith(f"{tmp_path}/file/report: Not a directory")
    assert not ledger.exists()


def test_every_number_leads_to_exactly_its_games(standings: Standings, tmp_path: Path) -> None:
    page = format_report(standings, {GOLDEN: "games/1-golden.html"})
    told = browse(page.replace("</body>", DRIVER + "</body>"), tmp_path)
    assert told["all"] == {"title": "hsctl league: 5 games of 3 players", "rows": 6, "wrong": 0}
    counts = [link for link in told["seen"] if link["words"].isdecimal()]
    assert len(counts) > 25
    for link in counts:
        assert link["games"] == int(link["words"]), link
    places = [link for link in told["seen"] if "place" in link["filter"]]
    assert {link["words"] for link in places} >= {f"place 1: {2} of {4} games"}
    for link in places:
        assert link["words"].split(": ")[1].startswith(f"{link['games']} of"), link
    assert (told["lost"], told["chosen"]) == (2, "lost")
    assert "games/1-golden.html" in told["pages"]
    assert told["count"].startswith("2 of 5 games; 1 without a page")


@pytest.mark.linux
@pytest.mark.timeout(60)
def test_an_earlier_report_is_not_read_from_a_pipe_or_without_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "index.html")
    (tmp_path / "zero.html").symlink_to("/dev/zero")
    assert games_of(tmp_path / "index.html") == games_of(tmp_path / "zero.html") == set()


WIDTHS = """<script>
const wide = [...document.querySelectorAll(".wide")].map((one) => [one.scrollWidth, one.clientWidth]);
const names = () => [...byId("players").rows].slice(1).map((one) => one.cells[0].textContent);
const rated = names();
byId("players").querySelector("button").click();
document.body.append(make("pre", { id: "seen" }, JSON.stringify({ wide, rated, named: names() })));
</script>"""


def test_eight_players_fit_sorted_by_rating_or_by_a_click(tmp_path: Path) -> None:
    names = [f"./bots/player-{8 - at} --with options" for at in range(8)]
    standings = Standings(names)
    for number, pair in enumerate((one, other) for one in range(8) for other in range(one)):
        standings.add(finished(number, pair, [1, 2], Fate(9, "own")))
    elos = {rating.name: -1e9 if rating.elo is None else rating.elo for rating in standings.ratings()}
    seen = browse(format_report(standings, {}).replace("</body>", f"{WIDTHS}</body>"), tmp_path)
    assert all(content <= place for content, place in seen["wide"][:2]), seen["wide"]
    assert [elos[name] for name in seen["rated"]] == sorted(elos.values(), reverse=True)
    assert seen["named"] == sorted(names)


def test_a_page_saves_the_games_that_it_shows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    words = ("still", "random", "--games", "2", "--nodes", "1", "--jobs", "1", "--ledger", tmp_path / "ledger")
    run_here(capsys, "league", *words, "--html", tmp_path / "page")
    assert len(list((tmp_path / "page" / "games").iterdir())) == 2
