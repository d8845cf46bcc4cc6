"""A whole run: the rules one by one, then the stream of states; the first difference is shrunk."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from hsctl.conform.case import Case
from hsctl.conform.outcome import Outcome, play
from hsctl.conform.rules import RULES
from hsctl.conform.rules.rule import Rule
from hsctl.conform.rules.variants import variants_of
from hsctl.conform.shrink import shrink
from hsctl.conform.simulator import Simulator

MOST_TRIALS = 2000  # of a shrinking
MOST_RESTARTS = 60  # of one in which every trial may end the simulator

OnRounds = Callable[[int], None]  # told how many more are done


class Verdict(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    NOT_TOLD = "not told"  # the simulator does not say what the rule is about
    NOT_RUN = "not run"


@dataclass(frozen=True)
class Finding:
    """The smallest case that goes wrong, how, and the first broken rule; None if all drawings of the rules pass."""

    rule: Rule | None
    case: Case
    outcome: Outcome
    is_fickle: bool = False  # asked once more, the simulator answered otherwise: it is not shrunk


@dataclass
class Report:
    """What came of a run. `rounds` are those compared, trials of a shrinking left out."""

    verdicts: dict[str, Verdict]  # by the name of the rule
    finding: Finding | None = None
    rounds: int = 0

    @property
    def is_equal(self) -> bool:
        return self.finding is None


def check_rules(simulator: Simulator, report: Report, is_whole: bool, on_rule: OnRounds) -> None:
    """Try every rule, or those up to the first that fails; a simulator that hangs is not asked on."""
    for rule in RULES:
        if report.finding and (not is_whole or report.finding.outcome.is_timeout):
            return
        if rule.is_score and not simulator.tells_scores:
            report.verdicts[rule.name] = Verdict.NOT_TOLD
        else:
            found = check_rule(simulator, rule, report)
            report.verdicts[rule.name] = Verdict.FAIL if found else Verdict.PASS
            report.finding = report.finding or found
        on_rule(1)


def check_rule(simulator: Simulator, rule: Rule, report: Report) -> Finding | None:
    """The first of its drawings, or of their mirror images, that goes wrong."""
    for drawing in rule.drawings:
        for case in variants_of(drawing.case):
            report.rounds += len(case.rounds)
            if outcome := play(simulator, case, with_scores=rule.is_score):
                return Finding(rule, case, outcome)
    return None


def check_stream(simulator: Simulator, report: Report, cases: Iterable[Case], states: int, on_rounds: OnRounds) -> None:
    """Compare so many rounds, or all there are, up to the first that goes wrong."""
    done = 0
    for case in cases:
        if done >= states:
            return
        case = replace(case, rounds=case.rounds[: states - done])
        done += len(case.rounds)
        if outcome := play(simulator, case):
            report.rounds += outcome.number + 1
            report.finding = Finding(None, case, outcome)
            return
        report.rounds += len(case.rounds)
        on_rounds(len(case.rounds))


def shrunk(simulator: Simulator, finding: Finding) -> Finding:
    """The finding on the smallest case that goes wrong in the same manner: with another position, or with none.

    A simulator that hangs is not asked again and again: it stays as it is.
    """
    rule, outcome = finding.rule, finding.outcome
    case = Case(finding.case.start, finding.case.rounds[: outcome.number + 1])
    if outcome.is_timeout:
        return Finding(rule, case, outcome)
    with_scores = rule is None or rule.is_score

    def is_wrong(candidate: Case) -> bool:
        found = play(simulator, candidate, with_scores)
        return found is not None and bool(found.failure) == bool(outcome.failure)

    small = shrink(case, is_wrong, MOST_RESTARTS if outcome.failure else MOST_TRIALS)
    again = play(simulator, small, with_scores)
    if again is None:
        return Finding(rule, case, outcome, is_fickle=True)
    return Finding(rule, Case(small.start, small.rounds[: again.number + 1]), again)
