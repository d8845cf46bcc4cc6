"""What a run found, for 80 columns: the broken rule in words, the smallest board that shows it, theirs and ours."""

from collections import Counter

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from hsctl.conform.boards import Corner, SmallBoard, after_board, side_by_side
from hsctl.conform.case import format_actions, play_reference, targets_of
from hsctl.conform.rules import RULES
from hsctl.conform.run import Finding, Report, Verdict
from hsctl.views.tables import new_table

PAGE = "docs/rules.md"
MOST_DIFFERENCES = 6
STYLES = {Verdict.PASS: "green", Verdict.FAIL: "bold red", Verdict.NOT_TOLD: "dim", Verdict.NOT_RUN: "dim"}


def link_of(finding: Finding) -> str:
    return f"{PAGE}#{finding.rule.name}" if finding.rule else PAGE


def rules_view(report: Report) -> Table:
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


def summary_line(report: Report) -> str:
    """How much was compared, and how it went."""
    counts = Counter(report.verdicts.get(rule.name, Verdict.NOT_RUN) for rule in RULES)
    words = {
        Verdict.PASS: "pass",
        Verdict.FAIL: "fail" if counts[Verdict.FAIL] > 1 else "fails",
        Verdict.NOT_TOLD: "not told (scores)",
        Verdict.NOT_RUN: "not tried (--rules tries all)",
    }
    told = ", ".join(f"{counts[each]} {how}" for each, how in words.items() if counts[each])
    end = ", no difference" if report.is_equal else ""
    return f"rules: {told}; rounds compared: {report.rounds:,}{end}"
