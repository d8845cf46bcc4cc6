"""Links, anchors, line lengths and words of the documentation; words of help and errors."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.style import TICS, find_tics

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
UNWRITTEN = {"ARCHITECTURE.md", "CONTRIBUTING.md"}  # whose words are still to be revised
PAGES = [*DOCS, *sorted(ROOT.glob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]
LONGEST = 120  # characters of a line of prose
MOST_WORDS = {
    "README.md": 700,
    "CHANGELOG.md": 600,
    "docs/lab/strength.md": 1200,
}
MOST_WORDS_OF_GUIDES_AND_REFERENCE = 25_000  # written by hand
GENERATED = {"docs/reference/rules.md", "docs/reference/export.md"}

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
FILLED_IN = re.compile(r"^<!-- hsctl .*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?: {4,}.*\n(?:\n(?= {4}))?)+")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def count_words(page: Path) -> int:
    """Words, without the bars of tables and the dashes of lists."""
    return sum(any(map(str.isalnum, word)) for word in page.read_text().split())


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text without what the pattern finds, each line where it was."""
    return pattern.sub(lambda match: "\n" * match[0].count("\n"), text)


@cache
def prose_of(page: Path) -> str:
    """A page without code and without what commands fill in."""
    text = page.read_text()
    for pattern in (FILLED_IN, FENCED, INDENTED):
        text = blank(pattern, text)
    return text


@cache
def anchors_of(page: Path) -> set[str]:
    """What GitHub makes of the headings."""
    found: set[str] = set()
    for heading in HEADING.findall(blank(FENCED, page.read_text())):
        plain = LINK.sub(lambda link: link[0].split("]")[0].lstrip("!["), heading)
        anchor = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found)
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


def broken_links(page: Path) -> Iterator[str]:
    for target in LINK.findall(blank(FENCED, page.read_text())):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors_of(file)):
            yield target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken_links(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_lines_of_prose_are_short(page: Path) -> None:
    lines = enumerate(prose_of(page).splitlines(), 1)
    assert [number for number, line in lines if len(line) > LONGEST and not line.startswith(("|", "!["))] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_nobody_would_have_to_read_it_twice(page: Path) -> None:
    assert name_of(page) in UNWRITTEN or find_tics(prose_of(page)) == []


@pytest.mark.parametrize("pattern", TICS)
def test_every_phrase_to_avoid_has_a_replacement(pattern: str) -> None:
    assert re.compile(pattern) and TICS[pattern]


def test_phrases_are_found_with_their_line_but_not_in_code() -> None:
    [tic] = find_tics("all is well\nbelow stands the result\n`rival` and [a link](rival.md)\n")
    assert (tic.line, tic.phrase) == (2, "below stands")


# Help and errors. The pages of commands hold their help, so that is checked with the pages.

TOPICS = sorted((ROOT / "hsctl" / "topics").glob("*.txt"))


@pytest.mark.parametrize("topic", TOPICS, ids=name_of)
def test_topics_read_well(topic: Path) -> None:
    assert find_tics(topic.read_text()) == []


def error_texts() -> Iterator[str]:
    """What every error says, without the values it is filled with."""
    for package in ("engine", "search", "replays", "hsctl"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Error"):
                    parts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                    yield " ".join(part for part in parts if isinstance(part, str))


def test_errors_read_well() -> None:
    assert [(tic.phrase, text) for text in error_texts() for tic in find_tics(text)] == []


# Sizes


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target.partition("#")[0]).resolve() for target in LINK.findall(index.read_text())}
    papers = {page for page in DOCS if page.parent.name == "papers"}
    commands = {page for page in DOCS if page.parent.name == "commands"}
    assert {name_of(page) for page in set(DOCS) - linked - papers - commands - {index}} == set()


@pytest.mark.parametrize("name", MOST_WORDS)
def test_a_page_stays_short(name: str) -> None:
    assert count_words(ROOT / name) <= MOST_WORDS[name]


def test_the_readme_fits_on_two_screens() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 90


def test_guides_and_reference_stay_short() -> None:
    written = [page for part in ("guides", "reference") for page in (ROOT / "docs" / part).glob("*.md")]
    words = sum(count_words(page) for page in written if name_of(page) not in GENERATED)
    assert words <= MOST_WORDS_OF_GUIDES_AND_REFERENCE


def test_raw_tables_are_in_their_index() -> None:
    folder = ROOT / "docs" / "lab" / "data"
    index = (folder / "README.md").read_text()
    assert [file.name for file in folder.glob("*.csv") if f"({file.name})" not in index] == []
