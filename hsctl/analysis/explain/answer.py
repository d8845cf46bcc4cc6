"""The answer to a question: the decision made again, what the search found, and the reason in words.

For the reason the plan is played, the others doing as predicted, and then, with everybody standing still, the rounds
until its last bomb has exploded.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module

from engine.events import BoxDestroyed, Death, ItemPicked
from engine.game import Game
from engine.notation import format_action
from engine.position import Cell
from engine.state import FUSE
from hsctl.analysis.explain.findings import Findings, Root, action_at
from hsctl.analysis.explain.panels import packages_of, read_findings
from hsctl.analysis.explain.question import Question
from hsctl.analysis.explain.tracing.rows import PassCount
from hsctl.analysis.explain.tracing.watch import Emit, Watcher, watcher_of
from hsctl.analysis.explain.why_not import WhyNot, follow_line, parse_line
from hsctl.match.user_agents.spec import make_agent
from replays.events import events_of, item_name, join
from replays.render.turn import short_names
from replays.replay import Move
from search.agent import Agent, Budget, Decision

WATCHERS = {  # an agent's package -> the module of tracing/ that follows its searches
    "beam": "beam",
    "chokudai": "chokudai",
    **dict.fromkeys(("mcts", "bias", "duel", "hybrid"), "trees"),
    **dict.fromkeys(("rhea", "negamax", "osla", "pommer", "seeker", "simple", "user_agents"), "others"),
}


@dataclass(frozen=True)
class ExplainedDecision:
    """A decision and all that is known of it."""

    question: Question
    names: list[str]  # of the players, by seat
    decision: Decision
    findings: Findings
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

    def games_along(self) -> list[Game]:
        """The game now and after each action of the plan, the others doing as predicted."""
        plan = self.decision.plan
        plans = {**self.findings.plans, self.question.seat: plan}
        games = [self.question.game]
        for turns in range(len(plan)):
            game = games[-1].copy()
            game.step([action_at(plans.get(at, ()), turns) for at in range(game.seats)])
            games.append(game)
        return games

    def best_roots(self, top: int | None) -> list[Root]:
        """The chosen first move, those that got farthest in the layers, then by value; the unsearched last."""

        def rank(root: Root) -> tuple[float, ...]:
            is_other = root.action != self.decision.action
            if root.best is None:
                return is_other, 1, not root.legal
            return is_other, 0, -root.best.depth if self.findings.kept else 0, -root.best.value

        return sorted(self.findings.roots, key=rank)[:top]


def answer(question: Question, other_line: str | None) -> ExplainedDecision:
    """Explain a decision; `other_line` is what could have been done instead."""
    agent = make_agent(question.spec)
    if question.budget.nodes is None and question.budget.stages is None:
        agent.warm_up()  # loading kernels must not eat its time
        if "beam" in packages_of(type(agent)):
            question = by_nodes(question, repeat(question, agent)[0])
    decision, watcher = repeat(question, agent)
    findings = read_findings(agent, question.game.state, question.seat, decision)
    names = short_names(question.specs)
    reason = reason_of(question.game, question.seat, decision, findings, names)
    line = other_action(question, decision, findings)
    if other_line is not None:
        line = parse_line(other_line, question.game, question.seat, findings.plans)
    why_not = follow_line(agent, question.game.state, question.seat, line, decision, findings) if line else None
    return ExplainedDecision(question, names, decision, findings, reason, why_not, watcher.passes)


def other_action(question: Question, decision: Decision, findings: Findings) -> list[int]:
    """The action that was played instead, if the search knows something of it."""
    played = None if question.played is None else question.played.action
    if played is None or played == decision.action:
        return []
    root = findings.roots[played]
    return [played] if root.best or root.pruned or findings.kept else []


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
    load_watchers(type(agent))
    watcher = watcher_of(agent, emit)
    watcher.turn = question.game.turn
    with watcher.watching():
        decision = decide(agent, question.game, question.seat, question.budget)
    watcher.finish(question.game.state, question.seat, decision)
    return decision, watcher


def load_watchers(kind: type[Agent]) -> None:
    """Import the module that follows the searches of an agent's class."""
    for name in packages_of(kind):
        if name in WATCHERS:
            import_module(f"hsctl.analysis.explain.tracing.{WATCHERS[name]}")


def by_nodes(question: Question, decision: Decision) -> Question:
    """The same question with the nodes that a decision took: what a beam leaves behind when its time is up need not be
    what it decided by."""
    return replace(question, budget=decision.budget())


def decide(agent: Agent, game: Game, seat: int, budget: Budget) -> Decision:
    agent.map = game.map  # where sight is limited, more of it is known from turn to turn
    return agent.decide(game.state, seat, budget)


# The reason in words


@dataclass
class Course:
    """What happens on the way, and on which turns."""

    boxes: dict[Cell, int] = field(default_factory=dict)  # that the player's bombs destroy, with the turn
    items: list[tuple[int, str]] = field(default_factory=list)  # that the player picks up
    kills: list[tuple[int, int]] = field(default_factory=list)  # (turn, player)
    death: int | None = None  # the player's own


def play_plan(game: Game, seat: int, plan: Sequence[int], others: dict[int, list[int]]) -> Course:
    """Play the plan to its end, and its bombs out."""
    game, course = game.copy(), Course()
    for turns in range(len(plan) + FUSE):
        is_planned = turns < len(plan)
        actions = [action_at(plan if at == seat else others.get(at, ()), turns) for at in range(game.seats)]
        moves = [Move(action) if at in game.living else None for at, action in enumerate(actions)]
        for event in events_of(game, moves):
            if isinstance(event, BoxDestroyed) and seat in event.owners:
                course.boxes[event.x, event.y] = game.turn
            elif isinstance(event, ItemPicked) and event.player == seat:
                course.items.append((game.turn, item_name(event.kind)))
            elif isinstance(event, Death) and is_planned:
                note_death(course, event, seat, game.turn)
        game.step(actions)
    return course


def note_death(course: Course, death: Death, seat: int, turn: int) -> None:
    if death.player == seat:
        course.death = turn
    elif seat in death.owners:
        course.kills.append((turn, death.player))


def reason_of(game: Game, seat: int, decision: Decision, findings: Findings, names: Sequence[str]) -> str:
    """Why this action, in a few words."""
    plan, action = decision.plan, decision.action
    course = play_plan(game, seat, plan, findings.plans)
    ticking = play_plan(game, seat, [], findings.plans).boxes  # they burn whatever is done now
    words = [
        *(words for panel in findings.panels for words in panel.reasons()),
        *necessity(findings.roots, action),
        *kill_words(findings.roots[action], course, names),
        *item_words(course),
        *box_words([turn for cell, turn in course.boxes.items() if cell not in ticking]),
    ]
    if course.death is not None:
        words.append(f"dies on turn {course.death}")
    return ", ".join(words) or fallback(decision)


def necessity(roots: Sequence[Root], action: int) -> list[str]:
    """What left no choice."""
    legal = [root.action for root in roots if root.legal]
    survivable = [root.action for root in roots if root.survivable]
    if legal == [action]:
        return ["the only legal move"]
    if any(root.pruned == "no sacrifice" for root in roots):
        return ["dies together with the last opponent and wins by boxes"]
    if any(root.pruned == "no forced win" for root in roots):
        return ["wins by force, whatever the opponent does"]
    if not survivable:
        return ["no move survives the known bombs"]
    if survivable == [action]:
        return ["the only survivable move"]
    searched = [root.action for root in roots if root.legal and not root.pruned]
    return ["the only move that holds whatever an opponent answers"] if searched == [action] else []


def kill_words(root: Root, course: Course, names: Sequence[str]) -> list[str]:
    """Sure kills, then those that the prediction promises."""
    sure = [f"traps {join([names[at] for at in root.kills])}: lost whatever they do"] if root.kills else []
    hoped = [f"kills {names[at]} on turn {turn} if they do as predicted" for turn, at in course.kills]
    return sure or hoped[:1]


def item_words(course: Course) -> list[str]:
    if not course.items:
        return []
    turn, name = course.items[0]
    more = len(course.items) - 1
    rest = f" ({more + 1} items by turn {course.items[-1][0]})" if more else ""
    return [f"fetches a {name} on turn {turn}{rest}"]


def box_words(turns: Sequence[int]) -> list[str]:
    """The first boxes that new bombs destroy, and all of them, by their turns."""
    if not turns:
        return []
    first, last, count = turns[0], turns[-1], len(turns)
    soon = turns.count(first)
    what = "a box" if soon == 1 else f"{soon} boxes"
    rest = f" ({count} by turn {last})" if count > soon else ""
    return [f"destroys {what} on turn {first}{rest}"]


def fallback(decision: Decision) -> str:
    """When nothing happens on the way."""
    if decision.value is None:
        return "nothing was searched"
    turns = len(decision.plan)
    within = "this turn" if turns <= 1 else f"the next {turns} turns"
    return f"nothing to win or lose within {within}, so it is for the better place"
