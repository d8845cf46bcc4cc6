"""Every rule of a round, read from rules.txt: its name, its words, and drawn positions that fail where it is broken.

Basic rules come first: a drawing needs no rule that comes after its own. So the first rule with a drawing that fails is
the broken one, and later ones may fail in its wake.

    ## Section              with its words below
    ### Rule                with its words below

        ..0.                rows from the top left; what isn't drawn is floor (and the walls)
        .X.X
        0 0 2 0 1 3         lines with spaces are entities as the arena writes them
        1 1 0 0 1 3
        > 0 MOVE 3 0        the actions of a round; players that are not named stay, a lone > is a round where all stay
        ....                the position after it
        scores 0 1 0 0      boxes scored so far, if any were
        >                   the next round, if there is one
"""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from textwrap import dedent

from engine.board import HEIGHT, WIDTH, is_wall
from engine.state import MAX_PLAYERS
from hsctl.testing.conform.case import SCORES, Actions, Case, Position, PositionReader, parse_action

SCORES_TITLE = "Scores"  # the section about what a simulator need not tell


class Drawing:
    """A drawn position, the actions of one or more rounds, and the position after each."""

    def __init__(self, text: str) -> None:
        lines = [line.strip() for line in dedent(text).strip().splitlines()]
        blocks = [list(block) for _, block in groupby(lines, key=lambda line: line.startswith(">"))]
        if lines[-1].startswith(">"):
            blocks.append([])  # an empty board
        self.positions = [read_drawn(block) for block in blocks[::2]]
        rounds = [read_actions(block, before) for block, before in zip(blocks[1::2], self.positions, strict=False)]
        self.case = Case(self.positions[0], tuple(rounds))

    @property
    def afters(self) -> list[Position]:
        return self.positions[1:]


def read_drawn(lines: list[str]) -> Position:
    """A drawn corner, completed to the whole board."""
    rows = [line for line in lines if " " not in line]
    entities = [line for line in lines if " " in line and not line.startswith(SCORES)]
    scores = [line for line in lines if line.startswith(SCORES)] or [SCORES + " 0" * MAX_PLAYERS]
    reader = PositionReader(has_scores=True)
    for line in [*map(whole_row, range(HEIGHT), rows + [""] * (HEIGHT - len(rows))), str(len(entities)), *entities]:
        reader.take(line)
    reader.take(*scores)
    return reader.position()


def whole_row(y: int, row: str) -> str:
    return row + "".join("X" if is_wall(x, y) else "." for x in range(len(row), WIDTH))


def read_actions(lines: list[str], before: Position) -> Actions:
    words = [line.removeprefix(">").strip() for line in lines]
    return dict(parse_action(line, before.players) for line in words if line)


@dataclass(frozen=True)
class Rule:
    """`title` is its heading on the page of rules, and names it; `words` say it in full."""

    title: str
    words: str
    drawn: tuple[str, ...]
    is_score: bool = False  # about what a simulator need not tell

    @property
    def name(self) -> str:
        """The anchor of its heading, as Markdown makes it."""
        return re.sub(r"[^a-z0-9 -]", "", self.title.lower()).replace(" ", "-")

    @cached_property
    def drawings(self) -> list[Drawing]:
        return [Drawing(text) for text in self.drawn]


@dataclass(frozen=True)
class Section:
    """Rules that belong together, basic ones first."""

    title: str
    words: str
    rules: tuple[Rule, ...]


def parse_sections(text: str) -> tuple[Section, ...]:
    _, *sections = f"\n{text}".split("\n## ")
    return tuple(map(parse_section, sections))


def parse_section(text: str) -> Section:
    head, *rules = text.split("\n### ")
    title, words, _ = split_heading(head)
    return Section(title, words, tuple(Rule(*split_heading(rule), is_score=title == SCORES_TITLE) for rule in rules))


def split_heading(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Title, words and drawings."""
    head, *drawn = text.strip().split("\n\n")
    title, _, words = head.partition("\n")
    return title, words.replace("\n", " "), tuple(drawn)


SECTIONS = parse_sections(Path(__file__).with_name("rules.txt").read_text(encoding="utf-8"))
RULES = tuple(rule for section in SECTIONS for rule in section.rules)
