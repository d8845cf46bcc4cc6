"""A study as JSON: the document that scripts read."""

from typing import Any

from hsctl.tune.confirm import NEW, OLD, Confirmation
from hsctl.tune.goal import Goal
from hsctl.tune.importance import importances
from hsctl.tune.study import Study, Trial
from hsctl.views.records import rounded


def study_record(study: Study, confirmation: Confirmation | None) -> dict[str, Any]:
    """Everything but `played_now` is the same whenever the command is repeated."""
    space = study.subject.space
    shares = importances(space, study.trials)
    return {
        "start": study.subject.start,
        "best": study.best,
        "verdict": None if confirmation is None else confirmation.verdict,
        "opponents": study.pool.names,
        "parameters": [
            {
                "name": each.name,
                "low": each.low,
                "high": each.high,
                "start": each.value(0.0),
                "best": study.search.centre[each.name],
                "importance": None if shares is None else round(shares[each.name], 4),
            }
            for each in space
        ],
        "trials": [trial_record(trial) for trial in study.trials],
        "confirmation": None if confirmation is None else confirmation_record(confirmation),
        "games": study.games,
        "played_now": study.played_now,
    }


def trial_record(trial: Trial) -> dict[str, Any]:
    return {
        "trial": trial.number,
        "generation": trial.generation,
        "player": trial.text,
        "values": trial.values,
        **goal_record(trial.goal),
    }


def goal_record(goal: Goal) -> dict[str, Any]:
    return {
        "goal": round(goal.value, 4),
        "interval": rounded(goal.interval),
        "scores": [round(score, 4) for score in goal.scores],
        "games": goal.games,
    }


def confirmation_record(confirmation: Confirmation) -> dict[str, Any]:
    test, new, old = confirmation.test, confirmation.goal(NEW), confirmation.goal(OLD)
    return {
        "verdict": confirmation.verdict,
        "boards": confirmation.boards,
        "games": confirmation.games,
        "new": None if new is None else goal_record(new),
        "old": None if old is None else goal_record(old),
        "seeds": seeds_of(confirmation),
        "llr": round(test.llr, 4),
        "lower": round(test.lower, 4),
        "upper": round(test.upper, 4),
    }


def seeds_of(confirmation: Confirmation) -> list[int] | None:
    """The first and the last."""
    seeds = [game.seed for game in confirmation.standings.games]
    return [min(seeds), max(seeds)] if seeds else None
