"""The page of rules: every rule with its drawings, made of the same catalogue that simulators are tried on.

Kept in docs/reference/rules.md; after a change of the rules' words or drawings, write it again with

    python -m hsctl.testing.conform.page > docs/reference/rules.md
"""

import io
import re
from textwrap import fill

from rich.console import Console

from hsctl.testing.conform.case import format_actions, play_reference, targets_of
from hsctl.testing.conform.rules import SECTIONS
from hsctl.testing.conform.rules.rule import Drawing, Rule, Section
from hsctl.testing.conform.view import Corner, SmallBoard, after_board, side_by_side

WIDTH = 118  # characters
HEAD = """\
# The rules, exactly

The game as the arena's referee plays it in the top leagues. Every drawing on this page is run by a test on both
engines, and [`hsctl conform`](conform.md) tries your own simulator on all of them.

## Board and start

The board is 13 cells wide and 11 high; 0,0 is the top left. Walls stand where x and y are both odd: 30 walls, 113 other
cells. Player 0 starts at 0,0, player 1 at 12,10, player 2 at 12,0, player 3 at 0,10, each with 1 bomb and range 3.

## A round

The state that the players were sent, and one action of each living player, give the next state:

1. Every timer falls by 1. Bombs at 0 explode, and so does every bomb that their blasts cover.
2. Every player who stands in a blast dies.
3. The others' actions are judged on the board as it was sent: boxes and bombs that burn still block.
4. New bombs appear where their players stood.
5. Exploded bombs vanish and come back to their owners, boxes are scored, items in the blasts vanish.
6. Players move, and take the items that they move onto.
7. Boxes in the blasts become floor, and their items appear.

The drawings show the position before and after a round: `(0)` is player 0, `●3⁵` a bomb of player 0 with timer 3 and
range 5 (■, ▲ and ◆ are those of players 1, 2 and 3), `[ ]`, `[R]` and `[B]` are boxes (empty, with a range item, with
a bomb item), `R` and `B` items, `▒` what burnt in the round, `†0` where player 0 died in it. Below stand the entities
as the input lists them: `0 id x y bombs-left range`, `1 owner x y timer range`, `2 0 x y kind kind`. Who isn't named in
the actions stays.
"""
TAIL = """\
## MOVE x y and BOMB x y

The target may be any cell, also one far away or off the board: one step of the way there is made. The way is found by a
breadth-first search over free cells (floor without a bomb), neighbours in the order left, right, above, below, the
first discoverer being the parent; it ends with the cell that discovers the target. The goal is the discovered cell, the
own one included, with the least |dx| + |dy| to the target, the first found if several have it. So a move to the next
cell goes there if it is free, and is staying if it is not.

## End and ranks

The game ends after a round when fewer than two players live; after 200 rounds; after 20 rounds in a row in which no
bomb lay, none was placed and nobody changed cell; or when 20 rounds, counted from the one that destroyed the last box,
ended with no box on the board. Survivors rank above the dead, by boxes; the dead by the round of their death, the later
the better, then by boxes. Who answers with nonsense or too late on a turn is out before its round, and ranks
below those whom a blast of that round kills.
"""


def format_page() -> str:
    return "\n".join([HEAD, *map(format_section, SECTIONS), TAIL])


def format_section(section: Section) -> str:
    return "\n".join([f"## {section.title}\n", f"{fold(section.words)}\n", *map(format_rule, section.rules)])


def format_rule(rule: Rule) -> str:
    return "\n".join([f"### {rule.title}\n", f"{fold(rule.words)}\n", *map(format_drawing, rule.drawings)])


def fold(words: str) -> str:
    """In lines of 120 characters."""
    return fill(words, 120, break_long_words=False, break_on_hyphens=False)


def format_drawing(drawing: Drawing) -> str:
    played = list(play_reference(drawing.case))
    corner = Corner({*targets_of(played), *(cell for position in drawing.positions for cell in position.cells)})
    boards = {"before": SmallBoard(drawing.case.start, corner)}
    for at, (before, actions, after) in enumerate(played, 1):
        title = "after" if len(played) == 1 else f"after round {at}"
        boards[title] = after_board(before, actions, after, corner, ())
    acts = [
        ", ".join(format_actions(tuple(p for p in before.players if p.id in drawn), drawn)) or "all stay"
        for (before, _, _), drawn in zip(played, drawing.case.rounds, strict=True)
    ]
    lines = [f"actions: {'; then '.join(acts)}", *score_lines(drawing)]
    return "```\n" + plain(boards) + "\n".join(["", *lines]) + "\n```\n"


def score_lines(drawing: Drawing) -> list[str]:
    """Boxes scored, if any were."""
    scored = drawing.afters[-1].scored or ()
    told = [f"player {seat}: {boxes}" for seat, boxes in enumerate(scored) if boxes]
    return [f"boxes scored: {', '.join(told)}"] if told else []


def plain(boards: dict[str, SmallBoard]) -> str:
    """The boards as text, without spaces at the ends of lines."""
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    console.print(side_by_side(boards, WIDTH))
    file = console.file
    assert isinstance(file, io.StringIO)
    return re.sub(r" +$", "", file.getvalue(), flags=re.MULTILINE)


if __name__ == "__main__":
    print(format_page(), end="")
