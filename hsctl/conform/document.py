"""A report as JSON: for scripts, and for whoever wants to play the smallest case again."""

from typing import Any

from hsctl.conform.case import Case, format_actions, play_reference
from hsctl.conform.position import Position, format_position
from hsctl.conform.rules import RULES
from hsctl.conform.run import Finding, Report, Verdict
from hsctl.conform.simulator import GREETING, request_of
from hsctl.conform.view import link_of


def report_record(report: Report, command: str, seed: int) -> dict[str, Any]:
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
