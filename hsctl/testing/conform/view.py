"""What a run found, for 80 columns, and the page of rules with the same drawings.

python -m hsctl.testing.conform.view > docs/reference/rules.md      after a change of the rules' words or drawings
"""

import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from engine.board import HEIGHT, WIDTH
from engine.events import Death, fire_of, round_events
from engine.game import Game
from engine.position import Bomb, Cell
from engine.state import MAX_PLAYERS
from hsctl.report.tables import new_table
from hsctl.testing.conform.case import (
    Actions,
    Case,
    Position,
    entity_lines,
    format_actions,
    format_position,
    play_reference,
    targets_of,
)
from hsctl.testing.conform.rules import RULES, SECTIONS, Drawing, Rule, Section
from hsctl.testing.conform.run import ConformReport, Finding, Verdict
from hsctl.testing.conform.simulator import GREETING, request_of
from replays.render.board import FRAME, BoardView, Mark, Size

# Small boards side by side: the part of a position where something is, with the numbers of its rows and columns.
#
# before            theirs            ours
#     0  1  2  3        0  1  2  3        0  1  2  3
#  0 ●1⁵ ·  R [ ]    0  ·  ·  ·  ·     0 ▒▒▒▒▒▒▒▒▒[ ]
#  1  · ███ · ███    1  · ███ · ███    1 ▒▒▒███ · ███
# 1 0 0 0 1 5
# 2 0 2 0 1 1


MARGIN = 1  # cells around what is shown
LEAST = 3  # cells in each direction
CELL = Size(3, 1)
EDGE = 3  # characters before the first cell of a line
GAP = 3  # characters between boards
WRONG = "on #8a6d00"


class Corner:
    """A rectangle of cells that holds all that positions have on them."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        shown = [*cells] or [(0, 0)]
        self.columns = reach([x for x, _ in shown], WIDTH)
        self.rows = reach([y for _, y in shown], HEIGHT)


def reach(numbers: Sequence[int], limit: int) -> range:
    """From the least to the greatest of the numbers, with a margin, inside of the board."""
    first = max(0, min(numbers) - MARGIN)
    last = min(limit - 1, max(max(numbers) + MARGIN, first + LEAST - 1))
    return range(max(0, min(first, last - LEAST + 1)), last + 1)


class SmallBoard(BoardView):
    """The corner of a position, which need not be possible; with the fire and the deaths of the round before it."""

    def __init__(
        self,
        position: Position,
        corner: Corner,
        wrong: Iterable[Cell] = (),
        fire: Iterable[Cell] = (),
        dead: dict[Cell, list[int]] | None = None,
    ) -> None:
        self.corner = corner
        self.entities = entity_lines(position)
        self.size, self.has_frame = CELL, True
        self.overlay = {cell: Mark("", WRONG) for cell in wrong}
        self.boxes = position.boxes
        self.items = {item.cell: item.kind for item in position.items}
        self.bombs: dict[Cell, list[Bomb]] = {}
        for bomb in position.bombs:
            self.bombs.setdefault(bomb.cell, []).append(bomb._replace(range=max(bomb.range, 0)))
        self.players: dict[Cell, list[int]] = {}
        for player in position.players:
            self.players.setdefault(player.cell, []).append(player.id)
        self.dead = dead or {}
        self.fire = set(fire)  # type: ignore[assignment]

    def lines(self) -> list[Text]:
        """The corner without a frame."""
        numbers, _, *rows, _ = super().lines()
        first, last = self.corner.columns[0], self.corner.columns[-1]
        span = slice(EDGE + first * self.size.width, EDGE + (last + 1) * self.size.width)
        return [
            Text(" " * EDGE, no_wrap=True) + numbers[span],
            *(Text(f"{y:>2} ", style=FRAME.style, no_wrap=True) + rows[y][span] for y in self.corner.rows),
        ]

    @property
    def width(self) -> int:
        return EDGE + len(self.corner.columns) * self.size.width


def after_board(
    before: Position, actions: Actions, after: Position, corner: Corner, wrong: Iterable[Cell]
) -> SmallBoard:
    """The position after a round as the rules have it, with its fire and its dead."""
    game = Game.build(before.boxes, before.players, before.bombs, before.items, seats=MAX_PLAYERS)
    living = {player.id for player in before.players}
    events = round_events(game, [actions.get(seat, 0) if seat in living else None for seat in range(MAX_PLAYERS)])
    dead: dict[Cell, list[int]] = {}
    for event in events:
        if isinstance(event, Death):
            dead.setdefault((event.x, event.y), []).append(event.player)
    return SmallBoard(after, corner, wrong, fire_of(events), dead)


def side_by_side(boards: dict[str, SmallBoard], width: int) -> Group:
    """The boards under their titles and above their entities, as many in a row as fit."""
    rows: list[list[str]] = [[]]
    for title, board in boards.items():
        if rows[-1] and sum(width_of(boards[other]) + GAP for other in rows[-1]) + width_of(board) > width:
            rows.append([])
        rows[-1].append(title)
    return Group(*(one_row({title: boards[title] for title in row}) for row in rows))


def width_of(board: SmallBoard) -> int:
    return max([board.width, *map(len, board.entities)])


def one_row(boards: dict[str, SmallBoard]) -> Table:
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for _ in boards:
        grid.add_column(no_wrap=True)
    grid.add_row(*(Text(title, "bold") for title in boards))
    grid.add_row(*boards.values())
    grid.add_row(*(Text("\n".join(board.entities), FRAME.style) for board in boards.values()))
    return grid


# A report as JSON: for scripts, and to play the smallest case again.


def report_record(report: ConformReport, command: str, seed: int) -> dict[str, Any]:
    return {
        "simulator": command,
        "seed": seed,
        "equal": report.is_equal,
        "rounds": report.rounds,
        "rules": [
            {"rule": rule.name, "title": rule.title, "result": report.verdicts.get(rule.name, Verdict.NOT_RUN)}
            for rule in RULES
        ],
        "difference": finding_record(report.finding) if report.finding else None,
    }


def finding_record(finding: Finding) -> dict[str, Any]:
    outcome, rule = finding.outcome, finding.rule
    return {
        "rule": rule.name if rule else None,
        "title": rule.title if rule else None,
        "words": rule.words if rule else None,
        "page": link_of(finding),
        "start": format_position(finding.case.start),
        "actions": [format_actions(before.players, actions) for before, actions, _ in play_reference(finding.case)],
        "round": outcome.number,
        "ours": position_record(outcome.ours),
        "theirs": position_record(outcome.theirs) if outcome.theirs else None,
        "differences": [
            {"cell": list(difference.cell) if difference.cell else None, "words": difference.words}
            for difference in outcome.differences
        ],
        "failure": outcome.failure or None,
        "fickle": finding.is_fickle,
    }


def position_record(position: Position) -> dict[str, Any]:
    return {"position": format_position(position), "scores": list(position.scored) if position.scored else None}


def session_of(case: Case) -> str:
    """All that a simulator is sent to play the case, for a debugger's stdin."""
    rounds = [format_actions(before.players, actions) for before, actions, _ in play_reference(case)]
    return f"{GREETING}\n{request_of(case.start, rounds)}"


PAGE = "docs/reference/rules.md"
MOST_DIFFERENCES = 6
STYLES = {Verdict.PASS: "green", Verdict.FAIL: "bold red", Verdict.UNKNOWN: "dim", Verdict.NOT_RUN: "dim"}


def link_of(finding: Finding) -> str:
    return f"{PAGE}#{finding.rule.name}" if finding.rule else PAGE


def rules_view(report: ConformReport) -> Table:
    """Each rule with pass or fail."""
    table = new_table()
    table.add_column("rule")
    table.add_column("")
    for rule in RULES:
        verdict = report.verdicts.get(rule.name, Verdict.NOT_RUN)
        table.add_row(rule.title, Text(verdict, STYLES[verdict]))
    return table


class FindingView:
    """The first difference. `command` is the simulator."""

    def __init__(self, finding: Finding, command: str) -> None:
        self.finding = finding
        self.command = command

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        outcome, rule = self.finding.outcome, self.finding.rule
        if outcome.failure:
            yield Text(f"{self.command} gives no position", "bold")
            yield Text(outcome.failure)
        elif rule:
            yield Text(f"{self.command} differs: {rule.title}", "bold")
            yield Text(f"{rule.words}\n{link_of(self.finding)}")
        else:
            yield Text(f"{self.command} differs from the rules", "bold")
            yield Text(f"All drawings of the rules ({PAGE}) pass: it takes what is special about this board.")
        if self.finding.is_fickle:
            yield Text("Asked once more it answered otherwise, so this is not the smallest board.", "bold")
        yield Text("")
        yield side_by_side(boards_of(self.finding), options.max_width)
        yield from self.actions()
        if outcome.differences:
            yield Text("")
            yield differences_view(self.finding)

    def actions(self) -> list[Text]:
        """What everybody does, round by round."""
        rounds = [(before.players, actions) for before, actions, _ in play_reference(self.finding.case)]
        lines = [", ".join(format_actions(*each)) or "nobody is there to act" for each in rounds]
        many = len(lines) > 1
        return [Text(f"{f'actions {at}' if many else 'actions'}: {line}") for at, line in enumerate(lines, 1)]


def boards_of(finding: Finding) -> dict[str, SmallBoard]:
    """The position, each round up to the one that differs, then theirs and ours if there is something to compare."""
    outcome, played = finding.outcome, list(play_reference(finding.case))
    wrong = [difference.cell for difference in outcome.differences if difference.cell]
    shown = [finding.case.start, *(after for _, _, after in played), *([outcome.theirs] if outcome.theirs else [])]
    corner = Corner({*targets_of(played), *wrong, *(cell for position in shown for cell in position.cells)})
    boards = {"before": SmallBoard(finding.case.start, corner)}
    for at, (before, actions, after) in enumerate(played[:-1], 1):
        boards[f"after round {at}"] = after_board(before, actions, after, corner, ())
    if outcome.theirs:
        boards["theirs"] = SmallBoard(outcome.theirs, corner, wrong)
        boards["ours"] = after_board(*played[-1], corner, wrong)
    return boards


def differences_view(finding: Finding) -> RenderableType:
    found = finding.outcome.differences
    left = len(found) - MOST_DIFFERENCES
    more = [Text(f"and {left} more")] if left > 0 else []
    return Group(*(Text(difference.words) for difference in found[:MOST_DIFFERENCES]), *more)


def summary_line(report: ConformReport) -> str:
    """How much was compared, and how it went."""
    counts = Counter(report.verdicts.get(rule.name, Verdict.NOT_RUN) for rule in RULES)
    words = {
        Verdict.PASS: "pass",
        Verdict.FAIL: "fail" if counts[Verdict.FAIL] > 1 else "fails",
        Verdict.UNKNOWN: "not told (scores)",
        Verdict.NOT_RUN: "not tried (--rules tries all)",
    }
    tally = ", ".join(f"{counts[each]} {how}" for each, how in words.items() if counts[each])
    end = ", no difference" if report.is_equal else ""
    return f"rules: {tally}; rounds compared: {report.rounds:,}{end}"


# The page of rules: every rule with its drawings, from the same catalogue that simulators are tried on.


PAGE_WIDTH = 118  # characters
HEAD = """\
# The rules, exactly

The game as the arena's referee plays it in the top leagues. Every drawing on this page is run by a test on both
engines, and [`hsctl conform`](conform.md) tests your own simulator with all of them.

## Board and start

The board is 13 cells wide and 11 high; 0,0 is the top left. Walls are where x and y are both odd: 30 walls, 113 other
cells. Player 0 starts at 0,0, player 1 at 12,10, player 2 at 12,0, player 3 at 0,10, each with 1 bomb and range 3.

## A round

The next state follows from the state that the players were sent and one action of each living player:

1. Every timer falls by 1. Bombs at 0 explode, and so does every bomb that their blasts cover.
2. Every player in a blast dies.
3. The others' actions are judged on the board as it was sent: boxes and bombs that burn still block.
4. New bombs appear where their players stood.
5. Exploded bombs vanish and come back to their owners, boxes are scored, items in the blasts vanish.
6. Players move, and take the items that they move onto.
7. Boxes in the blasts become floor, and their items appear.

The drawings show the position before and after a round: `(0)` is player 0, `●3⁵` a bomb of player 0 with timer 3 and
range 5 (■, ▲ and ◆ are those of players 1, 2 and 3), `[ ]`, `[R]` and `[B]` are boxes (empty, with a range item, with
a bomb item), `R` and `B` items, `▒` cells that burnt in the round, `†0` the cell where player 0 died in
it. The entities follow as the input lists them: `0 id x y bombs-left range`, `1 owner x y timer range`, `2 0 x y kind
kind`. Players without an action stay.
"""
TAIL = """\
## MOVE x y and BOMB x y

The target may be any cell, even one far away or off the board. The player takes one step towards it.

The path comes from a breadth-first search over free cells (floor without a bomb), with neighbours in the order left,
right, above, below. The cell that discovers another first is its parent, and the search ends with the cell that
discovers the target. The goal is the discovered cell with the least |dx| + |dy| to the target, the player's own cell
included; of several, the first one found. So a move to an adjacent cell goes there if it is free, and stays if not.

## End and ranks

The game ends after a round

- when fewer than two players live,
- after 200 rounds,
- after 20 rounds in a row in which no bomb was on the board, none was placed and nobody changed cell, or
- when 20 rounds, counted from the one that destroyed the last box, ended with no box on the board.

Survivors rank above the dead, by boxes. The dead rank by the round of their death, the later the better, then by boxes.
A player that answers with an invalid line or too late is out before the round of that turn, and ranks below those that
a blast of that round kills.
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
    lines = [f"player {seat}: {boxes}" for seat, boxes in enumerate(scored) if boxes]
    return [f"boxes scored: {', '.join(lines)}"] if lines else []


def plain(boards: dict[str, SmallBoard]) -> str:
    """The boards as text, without spaces at the ends of lines."""
    console = Console(file=io.StringIO(), width=PAGE_WIDTH, color_system=None)
    console.print(side_by_side(boards, PAGE_WIDTH))
    file = console.file
    assert isinstance(file, io.StringIO)
    return re.sub(r" +$", "", file.getvalue(), flags=re.MULTILINE)


if __name__ == "__main__":
    print(format_page(), end="")
