"""A case played by a simulator beside the specification, up to the first round on which they differ."""

from typing import NamedTuple

from hsctl.conform.case import Actions, Case, format_actions, play_reference
from hsctl.conform.position import Difference, Position, differences
from hsctl.conform.simulator import NoAnswerError, Simulator


class Outcome(NamedTuple):
    """How a round went wrong: theirs is another position, or there is none and `failure` says why."""

    number: int  # of the round within its case, from 0
    before: Position
    actions: Actions
    ours: Position
    theirs: Position | None
    differences: list[Difference]
    failure: str = ""
    is_timeout: bool = False


def play(simulator: Simulator, case: Case, with_scores: bool = True) -> Outcome | None:
    """The first round that goes wrong; None if all rounds are as they should be."""
    played = list(play_reference(case))
    answers = simulator.ask(case.start, [format_actions(before.players, actions) for before, actions, _ in played])
    for number, (before, actions, ours) in enumerate(played):
        try:
            theirs = next(answers)
        except NoAnswerError as error:
            return Outcome(number, before, actions, ours, None, [], str(error), error.is_timeout)
        if not with_scores:
            theirs = theirs._replace(scored=None)
        if found := differences(ours, theirs):
            return Outcome(number, before, actions, ours, theirs, found)
    return None
