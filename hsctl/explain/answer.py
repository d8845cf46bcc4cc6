"""From a question to its explanation: repeat the decision, read what the search left behind, put it into words."""

from dataclasses import dataclass

from engine.errors import EngineError, HsctlError
from engine.game import Game
from engine.notation import format_action, parse_order, resolve
from engine.rules import ACTION_NAMES
from hsctl.explain.document import FORMAT, VERSION, Explanation
from hsctl.explain.question import Announce, Question, decide
from hsctl.explain.read.trace import Trace, trace_decision
from hsctl.explain.read.why_not import WhyNot, why_not
from hsctl.explain.reasons import action_at, reason_of
from replays.look.turn import short_names
from search.agent import Agent, Decision
from search.beam.agent import BeamAgent


@dataclass(frozen=True)
class Answer:
    """An explanation with the position it is about."""

    game: Game
    names: list[str]  # by seat
    explanation: Explanation


def answer(question: Question, other_line: str | None, announce: Announce) -> Answer:
    """Explain a decision; `other_line` is what could have been done instead."""
    agent, decision = decide(question, announce)
    game, seat = question.game, question.seat
    trace = trace_decision(agent, game.state, seat, decision)
    names = short_names(question.specs)
    other = None if other_line is None else follow_other(question, agent, decision, trace, other_line)
    reproduced = None if question.recorded is None else decision.action == question.recorded
    explanation = Explanation(
        format=FORMAT,
        version=VERSION,
        title=question.title,
        turn=game.turn,
        player=seat,
        mates=list(question.mates),
        vision=question.vision,
        agent=question.spec.text,
        seed=question.seed,
        action=decision.action,
        name=ACTION_NAMES[decision.action],
        order=format_action(game.state, seat, decision.action),
        value=decision.value,
        reason=reason_of(game, seat, decision, trace, names),
        recorded=question.recorded,
        reproduced=reproduced,
        nodes=decision.nodes,
        stages=decision.stages,
        depth=decision.depth,
        plan=list(decision.plan),
        opponents=trace.plans,
        roots=trace.roots,
        layers=trace.layers,
        unfinished=trace.unfinished,
        now=trace.now,
        line=trace.line,
        tree=trace.tree,
        evolution=trace.evolution,
        machine=trace.machine,
        alpha_beta=trace.alpha_beta,
        duel=trace.duel,
        why_not=other,
    )
    return Answer(game, names, explanation)


# What could have been done instead


def follow_other(question: Question, agent: Agent, decision: Decision, trace: Trace, text: str) -> WhyNot:
    if not isinstance(agent, BeamAgent):
        raise HsctlError(f"--why-not: {question.spec.name} has no layers to follow a line through, expected a beam")
    line = parse_line(text, question.game, question.seat, trace.plans)
    pruned = {root.action: root.pruned for root in trace.roots if root.pruned}
    return why_not(agent, question.game.state, line, list(decision.plan), pruned)


def parse_line(text: str, game: Game, seat: int, others: dict[int, list[int]]) -> list[int]:
    """Actions separated by commas: names as `right+bomb`, or the arena's lines as `BOMB 3 4`.

    What a line comes to depends on the board by then: it is played, the others doing as predicted.
    """
    game, line = game.copy(), []
    for turns, word in enumerate(text.split(",")):
        line.append(parse_action(word.strip(), game, seat))
        game.step([line[-1] if at == seat else action_at(others.get(at, ()), turns) for at in range(game.seats)])
    return line


def parse_action(word: str, game: Game, seat: int) -> int:
    if word.lower() in ACTION_NAMES:
        return ACTION_NAMES.index(word.lower())
    try:
        order = parse_order(word)
    except EngineError:
        moves = ", ".join(ACTION_NAMES[:5])
        raise HsctlError(
            f"--why-not: {word!r}, expected MOVE x y, BOMB x y, or one of {moves}, each also with +bomb"
        ) from None
    if seat not in game.living:
        raise HsctlError(f"--why-not: {word!r}: player {seat} is dead by then, expected a shorter line")
    return resolve(game.state, seat, order)
