"""Pages of docs that commands fill in."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from rich.text import Text

from engine.errors import HsctlError
from hsctl.behaviour import REVISIONS
from hsctl.league.ledger import Ledger
from hsctl.research.experiments import EXPERIMENTS, beam, data
from hsctl.research.experiments.frame import Effort
from hsctl.research.experiments.pages import PageSection, check_pages, fill_pages, parse_section, sections_of
from tests.hsctl.run import run_here

PAPERS = Path(__file__).parents[4] / "docs" / "papers"
PAGE = """# A page

<!-- hsctl paper table3 --games 4 --nodes 500 -->
old
<!-- end -->

Words between.

<!-- hsctl paper fig3 --time 20 --plot fig3.svg -->
<!-- end -->
"""


class Told:
    """An answer that says what was asked."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort

    def view(self) -> Text:
        return Text(f"{self.effort.games} games, {self.effort.budget}")

    def as_dict(self) -> dict[str, object]:
        return {}

    def draw(self) -> "Told":
        return self

    def savefig(self, file: BytesIO, metadata: object, format: str) -> None:
        file.write(b"a plot")


def ask(section: PageSection) -> Told:
    return Told(section.effort)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def filled(page: Path, name: str | None = None, is_full: bool = False) -> Iterator[tuple[Path, str]]:
    return fill_pages(page.parent, name, is_full, ask)  # type: ignore[arg-type]


def test_each_section_is_what_its_command_prints(page: Path) -> None:
    commands = ["hsctl paper table3 --games 4 --nodes 500", "hsctl paper fig3 --time 20"]
    assert list(filled(page)) == [(page, command) for command in commands]
    assert page.read_text() == PAGE.replace(
        "old\n", "`hsctl paper table3 --games 4 --nodes 500`:\n\n4 games, 500 nodes a turn\n"
    ).replace(
        "fig3.svg -->\n",
        "fig3.svg -->\n`hsctl paper fig3 --time 20`:\n\n0 games, 20 ms of CPU time a turn\n\n![fig3](fig3.svg)\n",
    )
    assert (page.parent / "fig3.svg").read_text() == "a plot"
    once = page.read_text()
    assert len(list(filled(page))) == 2 and page.read_text() == once


def test_what_was_filled_in_stays_if_the_next_one_is_stopped(page: Path) -> None:
    next(filled(page))
    assert "4 games, 500 nodes a turn" in page.read_text() and "20 ms a turn" not in page.read_text()


def test_the_full_size_is_the_experiments_own(page: Path) -> None:
    assert [command for _, command in filled(page, "table3", is_full=True)] == [
        "hsctl paper table3 --games 500 --nodes 290000"
    ]
    assert "<!-- hsctl paper table3 --games 500 --nodes 290000 -->" in page.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("table3 --games", "write a name, then any of --games"),
        ("table3 --rows 3", "write a name, then any of --games"),
        ("table3 --games many", "write numbers after --games"),
        ("table9", "'table9' is not an experiment"),
    ],
)
def test_a_section_that_asks_for_nothing_known_is_refused(page: Path, words: str, message: str) -> None:
    page.write_text(PAGE.replace("table3 --games 4 --nodes 500", words))
    with pytest.raises(HsctlError, match=message):
        list(filled(page))
    assert "`hsctl" not in page.read_text()


def test_pages_without_sections_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HsctlError, match="a section of table3"):
        list(fill_pages(tmp_path, "table3", False, ask))  # type: ignore[arg-type]


def test_a_section_is_read_from_its_words() -> None:
    found = parse_section("table2 --nodes 50 --seed 9 --plot a.png", "x.md:1")
    assert found == PageSection("table2", nodes=50, seed=9, plot="a.png")
    assert found.command == "hsctl paper table2 --games 500 --nodes 50 --seed 9"


def test_the_docs_have_every_table_of_the_papers_as_a_command_made_it() -> None:
    sections = [(match, section) for page in sorted(PAPERS.glob("*.md")) for match, section in sections_of(page)]
    assert {section.name for _, section in sections} == set(EXPERIMENTS)
    for match, section in sections:
        is_filled = match["body"].startswith(f"`{section.command}`:\n")
        assert is_filled or match["body"] == "Not played yet.\n", match["words"]


# Games kept as data


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A page with its data, both written by `hsctl paper --pages DIR --keep`, with players that cost nothing."""
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data folder"))
    monkeypatch.setattr(beam, "PLAYERS", {"mcts": "random", "rhea": "still", "beam": "simple"})
    monkeypatch.setattr(data, "FOLDER", tmp_path / "data")
    page = tmp_path / "page.md"
    page.write_text("<!-- hsctl paper table3 --games 4 --nodes 5 -->\nNot played yet.\n<!-- end -->\n")
    assert check_pages(tmp_path) == {}
    assert run_here(capsys, "paper", "--pages", tmp_path, "--keep", "--jobs", "1").code == 0
    return page


def test_a_page_follows_from_its_data_without_a_game(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(data.read_rows("table3")) == 12
    assert run_here(capsys, "paper", "--check").code == 0
    words = ("paper", "table3", "--games", "4", "--nodes", "5", "--ledger", kept.parent / "new", "--json")
    assert run_here(capsys, *words).code == 0
    with Ledger(kept.parent / "new") as ledger:
        assert len(ledger) == 0  # all of them were kept


def test_a_number_that_was_edited_is_found(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept.write_text(kept.read_text().replace("67.8", "67.9"))
    code, out, _ = run_here(capsys, "paper", "--check")
    assert code == 1 and "hsctl paper table3" in out


def test_a_page_is_stale_once_a_player_behaves_differently(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REVISIONS, "still", 9)
    assert list(check_pages(kept.parent)) == ["page.md: hsctl paper table3 --games 4 --nodes 5"]
    assert data.write_rows("table3", []) == 4  # random against simple


def test_the_pages_in_docs_follow_from_their_data() -> None:
    assert check_pages(PAPERS) == {}
    assert sum(path.stat().st_size for path in (PAPERS / "data").glob("*")) < 5_000_000
