"""`hsctl paper` and `hsctl scale` from the outside, with players that cost nothing."""

import json
from pathlib import Path

import pytest

from hsctl.league.ledger import Ledger
from hsctl.research.experiments import EXPERIMENTS, MAIN, OTHERS, beam, negamax
from tests.hsctl.run import refusal, run_here

Capture = pytest.CaptureFixture[str]
QUICK = ("--nodes", "5", "--jobs", "1")
CHEAP = {"mcts": "random", "rhea": "still", "beam": "simple"}


@pytest.fixture(autouse=True)
def cheap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The ledger; and nobody thinks."""
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(beam, "PLAYERS", CHEAP)
    return tmp_path / "ledger.sqlite"


def games_in(ledger: Path) -> int:
    with Ledger(ledger) as opened:
        return len(opened)


def test_without_a_name_it_tells_what_each_asks(capsys: Capture) -> None:
    out = run_here(capsys, "paper").out
    assert [line for line in out.splitlines() if line.endswith(":")] == [f"{MAIN}:", f"{OTHERS}:"]
    assert [line.split()[0] for line in out.splitlines() if line.startswith("  ")] == list(EXPERIMENTS)
    assert max(map(len, out.splitlines())) <= 80
    asked = json.loads(run_here(capsys, "paper", "--json").out)
    assert asked == {name: entry.question for name, entry in EXPERIMENTS.items()}


def test_a_table_stands_beside_the_papers_and_is_not_played_twice(capsys: Capture, cheap: Path) -> None:
    code, out, _ = run_here(capsys, "paper", "table3", "--games", "4", *QUICK)
    assert code == 0 and max(map(len, out.splitlines())) <= 80
    assert " 67.8 " in out and "4 games a pair, 5 nodes a turn" in out
    assert games_in(cheap) == 12
    cells = json.loads(run_here(capsys, "paper", "table3", "--games", "4", *QUICK, "--json").out)["cells"]
    assert games_in(cheap) == 12
    assert [(cell["row"], cell["column"]) for cell in cells][:2] == [("mcts", "rhea"), ("mcts", "beam")]
    by_pair = {(cell["row"], cell["column"]): cell["ours"] for cell in cells}
    assert by_pair["beam", "mcts"]["share"] > 0.5 > by_pair["mcts", "beam"]["share"]
    assert all(ours["games"] == 4 for ours in by_pair.values())


def test_a_page_gets_what_the_command_in_it_prints(capsys: Capture, cheap: Path, tmp_path: Path) -> None:
    words = ("table3", "--games", "2", "--nodes", "5")
    page = tmp_path / "page.md"
    page.write_text(f"before\n<!-- hsctl paper {' '.join(words)} -->\n<!-- end -->\nafter\n")
    code, out, _ = run_here(capsys, "paper", "--pages", tmp_path, "--jobs", "1")
    assert (code, out) == (0, f"{page}: hsctl paper {' '.join(words)}\n") and games_in(cheap) == 6
    printed = run_here(capsys, "paper", *words, "--markdown", "--jobs", "1").out
    assert page.read_text() == f"before\n<!-- hsctl paper {' '.join(words)} -->\n{printed}<!-- end -->\nafter\n"


def test_three_in_a_game_are_seated_both_ways_round(capsys: Capture, cheap: Path) -> None:
    out = run_here(capsys, "paper", "table4", "--games", "6", *QUICK).out
    assert "6 games, 5 nodes a turn" in out
    with Ledger(cheap) as ledger:
        orders = {tuple(seat_identity.spec for seat_identity in row.identity.seats) for row in ledger}
    assert len(orders) == 6


def test_more_games_add_only_what_is_lacking(capsys: Capture, cheap: Path) -> None:
    for games in (2, 4):
        assert run_here(capsys, "paper", "table4", "--games", str(3 * games), *QUICK).code == 0
        assert games_in(cheap) == 3 * games


def test_table_2_is_played_on_two_scales_and_zh_alone_meets_another_zh(
    capsys: Capture, cheap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beam, "BEAMS", ("zh", "zh+op"))
    record = json.loads(
        run_here(capsys, "paper", "table2", "--games", "2", "--nodes", "60", "--jobs", "1", "--json").out
    )
    assert all(len(record[scale]["cells"]) == 4 for scale in beam.SCALES) and "fits better" in record["verdict"]
    with Ledger(cheap) as ledger:
        pairs = {frozenset(seat_identity.spec for seat_identity in row.identity.seats) for row in ledger}
    scaled = "beam:zh,box=10,first=1"
    assert pairs == {
        frozenset(("beam:zh", "beam:zh,width=900")),
        frozenset(("beam:zh+op", "beam:zh")),
        frozenset((scaled, f"{scaled},width=900")),
        frozenset(("beam:zh+op,box=10,first=1", scaled)),
    }


def test_readings_are_compared_with_the_printed_one_and_plotted(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(beam, "readings_of_mcts", lambda: ["simple:box=1", "simple:box=2"])
    plot = tmp_path / "readings.png"
    code, out, _ = run_here(capsys, "paper", "readings", "--games", "2", *QUICK, "--plot", plot)
    assert code == 0 and max(map(len, out.splitlines())) <= 80
    assert "simple:box=2" in out and "over first" in out
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_words_of_a_report_are_judged(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(negamax, "AGENT", "simple")
    monkeypatch.setattr(negamax, "NOISE", "still")
    monkeypatch.setattr(negamax, "BEATEN", {"random": "beats random", "still": "beats still"})
    record = json.loads(run_here(capsys, "paper", "negamax", "--games", "4", *QUICK, "--json").out)
    assert [each["claim"] for each in record["claims"][:2]] == ["beats random", "beats still"]


def test_strength_against_budget(capsys: Capture, cheap: Path, tmp_path: Path) -> None:
    words = ("scale", "simple", "random", "--nodes", "7,3", "--against", "still:nodes=1", "--games", "2", "--jobs", "1")
    code, out, _ = run_here(capsys, *words, "--plot", tmp_path / "scale.svg")
    assert code == 0 and "Score against still:nodes=1" in out
    assert games_in(cheap) == 8 and (tmp_path / "scale.svg").exists()
    scores = json.loads(run_here(capsys, *words, "--json").out)["scores"]
    assert [entry["nodes"] for entry in scores["simple"]] == [3, 7]
    assert scores["simple"][0]["score"]["games"] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("paper", "table9"), "'table9' is not an experiment"),
        (("paper", "table1", "--games", "3"), "table1 plays no games"),
        (("paper", "table3", "--plot", "plot.txt"), "--plot plot.txt: expected a file name that ends in"),
        (("paper", "table3", "--plot", "nowhere/plot.png"), "expected a file in a folder that exists"),
        (("paper", "--full"), "--full needs --pages"),
        (("paper", "--pages", "nowhere"), "nowhere: no page (*.md) has a section"),
        (("paper", "table9", "--pages", "nowhere"), "'table9' is not an experiment"),
        (("paper", "--pages", "docs", "--games", "3"), "--pages cannot be combined with --games"),
        (("scale", "simple:time=5"), "has a budget already"),
        (("scale", "cat"), "is an external bot"),
        (("scale", "simple", "--time", "5,x"), "--time 5,x: "),
        (("scale", "simple", "--nodes", "0"), "--nodes 0: "),
        (("scale", "simple", "--time", "5", "--nodes", "5"), "--time cannot be combined with --nodes"),
        (("scale", "simple", "--against", "still"), "give it a budget"),
    ],
)
def test_wrong_words_are_refused(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    assert message in refusal(capsys, *words)


def test_a_stopped_experiment_tells_how_it_goes_on(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hsctl.research.experiments.frame.run_blocks", interrupted)
    monkeypatch.setattr("sys.argv", ["hsctl", "paper", "table3", "--games", "4"])
    code, out, err = run_here(capsys, "paper", "table3", "--games", "4", *QUICK)
    assert (code, out) == (130, "")
    assert err.endswith("this resumes it: hsctl paper table3 --games 4\n")


def test_an_answer_as_csv_has_a_line_for_every_number(capsys: Capture) -> None:
    import csv

    code, out, _ = run_here(capsys, "paper", "table3", "--games", "2", *QUICK, "--csv")
    head, *rows = csv.reader(out.splitlines())
    assert (code, head) == (0, ["key", "value"])
    assert len(rows) == len(dict(rows)) > 3
    assert "cannot be combined" in refusal(capsys, "paper", "table3", "--csv", "--json")
