"""The answer to a question: the decision is made again, what the search left behind is read and put into words."""

from dataclasses import dataclass, replace

from engine.errors import HsctlError
from engine.game import Game
from engine.notation import format_action
from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.panels import read
from hsctl.analysis.explain.question import Question
from hsctl.analysis.explain.reasons import reason_of
from hsctl.analysis.explain.trace import Root, Trace
from hsctl.analysis.explain.tracing import beam as _beam  # noqa: F401 (adds its watchers)
from hsctl.analysis.explain.tracing import chokudai as _chokudai  # noqa: F401
from hsctl.analysis.explain.tracing import others as _others  # noqa: F401
from hsctl.analysis.explain.tracing import trees as _trees  # noqa: F401
from hsctl.analysis.explain.tracing.rows import PassCount
from hsctl.analysis.explain.tracing.watch import Emit, Watcher, watcher_of
from hsctl.analysis.explain.why_not.follow import WhyNot, follow_line
from hsctl.analysis.explain.why_not.line import parse_line
from hsctl.match.user_agents.spec import make_agent
from replays.render.turn import short_names
from search.agent import Agent, Budget, Decision
from search.beam.agent import BeamAgent


@dataclass(frozen=True)
class ExplainedDecision:
    """A decision and all that can be told of it."""

    question: Question
    names: list[str]  # of the players, by seat
    decision: Decision
    trace: Trace
    reason: str  # in words
    why_not: WhyNot | None  # what became of the line that was asked for
    passes: list[PassCount]  # what each search of the decision counted

    @property
    def order(self) -> str:
        """The action as a line for the arena."""
        return format_action(self.question.game.state, self.question.seat, self.decision.action)

    @property
    def is_reproduced(self) -> bool | None:
        """Whether the recorded action came out again; None: nothing was recorded."""
        recorded = self.question.recorded
        return None if recorded is None else self.decision.action == recorded

    def best_roots(self, top: int | None) -> list[Root]:
        """The chosen first move, those that got farthest in the layers, then by value; the unsearched last."""

        def rank(root: Root) -> tuple[float, ...]:
            is_other = root.action != self.decision.action
            if root.best is None:
                return is_other, 1, not root.legal
            return is_other, 0, -root.best.depth if self.trace.kept else 0, -root.best.value

        return sorted(self.trace.roots, key=rank)[:top]


def answer(question: Question, other_line: str | None) -> ExplainedDecision:
    """Explain a decision; `other_line` is what could have been done instead."""
    agent = make_agent(question.spec)
    if question.budget.nodes is None and question.budget.stages is None:
        agent.warm_up()  # loading kernels must not eat its time
        if isinstance(agent, BeamAgent):
            question = by_nodes(question, repeat(question, agent)[0])
    decision, watcher = repeat(question, agent)
    trace = read(agent, question.game.state, question.seat, decision)
    names = short_names(question.specs)
    reason = reason_of(question.game, question.seat, decision, trace, names)
    if other_line is None:
        other_line = played_line(question, agent, decision)
    why_not = None if other_line is None else follow(question, agent, decision, trace, other_line)
    return ExplainedDecision(question, names, decision, trace, reason, why_not, watcher.passes)


def played_line(question: Question, agent: Agent, decision: Decision) -> str | None:
    """What was played instead, for a beam to say why not; None if it was the same."""
    played = None if question.played is None else question.played.action
    if played is None or played == decision.action or not isinstance(agent, BeamAgent):
        return None
    return ACTION_NAMES[played]


# The decision again


def repeat(question: Question, agent: Agent, emit: Emit | None = None) -> tuple[Decision, Watcher]:
    """Lead the agent through the turns before, and let it decide while its searches are watched; `emit` takes rows."""
    agent.start_game(question.game.map, question.seat, question.seed, question.mates)
    for game, budget, plan in question.earlier:
        if budget is None:
            agent.see(game.state, question.seat)
            agent.recall_plan(game.turn, plan)
        else:
            decide(agent, game, question.seat, budget)
    watcher = watcher_of(agent, emit)
    watcher.turn = question.game.turn
    with watcher.watching():
        decision = decide(agent, question.game, question.seat, question.budget)
    watcher.finish(question.game.state, question.seat, decision)
    return decision, watcher


def by_nodes(question: Question, decision: Decision) -> Question:
    """The same question with the nodes that a decision took: what a beam leaves behind when its time is up need not be
    what it decided by."""
    return replace(question, budget=decision.budget())


def decide(agent: Agent, game: Game, seat: int, budget: Budget) -> Decision:
    agent.map = game.map  # where sight is limited, more of it is known from turn to turn
    return agent.decide(game.state, seat, budget)


def follow(question: Question, agent: Agent, decision: Decision, trace: Trace, text: str) -> WhyNot:
    """What became of another line."""
    if not isinstance(agent, BeamAgent):
        raise HsctlError(f"--why-not needs a beam: {question.spec.name} has no layers to follow a line through")
    line = parse_line(text, question.game, question.seat, trace.plans)
    pruned = {root.action: root.pruned for root in trace.roots if root.pruned}
    return follow_line(agent, question.game.state, line, list(decision.plan), pruned)
