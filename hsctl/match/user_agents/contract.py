"""The contract of agents as checks: for user agents before they play, in `hsctl check` and in tests.

legal           a legal action for any budget from one node on, also alone on the board and in the last turns
untouched       the state that it was given is as it was
repeatable      the same decision for the same game, seed and nodes, whatever was decided before, by a new agent too
in time         an answer within the milliseconds of its budget, if the machine gave it a core
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.errors import HsctlError
from engine.game import Game
from engine.rules import ACTION_NAMES, ACTIONS, legal_actions
from engine.state import MAX_TURNS
from hsctl.budget import SHARE_OF_TURN
from hsctl.match.user_agents.agent import Breach, UserAgent, describe_illegal
from search.agent import Agent, Budget, Decision, mix_seed

FEW, MANY = 3, 24  # positions: at first sight, and in a whole check
FEW_BUDGETS, BUDGETS = (1, 100), (1, 2, 7, 50, 500)  # nodes
CLOCK_MS = 50.0
MOST_ROUNDS = 60  # of random play before a position
TRIES = 5  # at a clock on a busy machine


class ContractCase(NamedTuple):
    """A position, and the player that decides."""

    name: str
    game: Game
    player: int


class ContractBreach(NamedTuple):
    """A breach of the contract: which part of it, and what happened."""

    rule: str
    detail: str

    def __str__(self) -> str:
        return self.detail


class Broken(Exception):
    """A finding that ends a check."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(rule, detail)
        self.finding = ContractBreach(rule, detail)


# Positions


def cases(count: int) -> Iterator[ContractCase]:
    """Boards of 2 to 4 players: fresh ones, and after some rounds of random play."""
    for seed in range(count):
        game = Game.start(seed, 2 + seed % 3)
        rounds = 0
        while rounds < seed * 17 % MOST_ROUNDS:
            following = game.copy()
            following.step([pick(following, at, seed) for at in range(following.seats)])
            if following.is_over:
                break
            game, rounds = following, rounds + 1
        yield case_of(game, seed)


def case_of(game: Game, seed: int, suffix: str = "") -> ContractCase:
    player = game.living[seed % len(game.living)]
    return ContractCase(f"turn {game.turn} of seed {seed}, player {player}{suffix}", game, player)


def pick(game: Game, player: int, seed: int) -> int:
    """A legal action, by chance that is the same everywhere."""
    legal = legal_of(game, player)
    return legal[mix_seed(seed, game.turn, player) % len(legal)] if legal else 0


def legal_of(game: Game, player: int) -> list[int]:
    bits = int(legal_actions(game.state, player))
    return [action for action in range(ACTIONS) if bits >> action & 1]


def rare_cases() -> Iterator[ContractCase]:
    """Alone on the board, and the last turns."""
    for seed, case in enumerate(cases(4)):
        alone = case.game.copy()
        for other in alone.living:
            if other != case.player:
                alone.state.players[other] = 0
        yield ContractCase(f"{case.name}, alone", alone, case.player)
        late = case.game.copy()
        late.state.turn = MAX_TURNS - 1 - seed % 2
        yield ContractCase(f"seed {seed} on turn {late.turn}, player {case.player}", late, case.player)


# Checks


def decide(agent: Agent, case: ContractCase, budget: Budget) -> Decision:
    """One decision in a new game; Broken if it is none."""
    game, player = case.game, case.player
    before = game.state.tobytes(), game.map.tobytes()
    try:
        agent.start_game(game.map, player, 7)
        decision = agent.decide(game.state, player, budget)
    except Breach as error:
        rule = "in time" if error.failure.cause == "timeout" else "legal"
        raise Broken(rule, f"{error.failure.detail} ({place(case, budget)})") from None
    except Exception as error:  # of an agent in this process
        raise Broken("legal", f"raised {type(error).__name__}: {error} ({place(case, budget)})") from error
    if (game.state.tobytes(), game.map.tobytes()) != before:
        raise Broken("untouched", f"changed the state that it was given ({place(case, budget)})")
    check_decision(decision, case, budget)
    return decision


def check_decision(decision: Decision, case: ContractCase, budget: Budget) -> None:
    if not isinstance(decision, Decision):
        what = f"decide returned {type(decision).__name__} instead of a Decision"
        raise Broken("legal", f"{what} ({place(case, budget)})")
    bits = int(legal_actions(case.game.state, case.player))
    if decision.action not in legal_of(case.game, case.player):
        raise Broken("legal", f"{describe_illegal(decision.action, bits)} ({place(case, budget)})")
    if decision.plan and decision.plan[0] != decision.action:
        raise Broken("legal", f"its plan doesn't begin with the action ({place(case, budget)})")


def place(case: ContractCase, budget: Budget) -> str:
    how = f"{budget.nodes} node{'s' * (budget.nodes != 1)}" if budget.nodes is not None else f"{budget.ms:g} ms"
    return f"{case.name}, {how}"


def check_legal(make: Callable[[], Agent]) -> None:
    agent = make()
    for case in (*cases(MANY), *rare_cases()):
        for nodes in BUDGETS:
            decide(agent, case, Budget(nodes=nodes))


def check_repeatable(make: Callable[[], Agent], count: int = MANY, budgets: Sequence[int] = (100,)) -> None:
    """The same decisions by a new agent, in another order."""
    asked = [(case, Budget(nodes=nodes)) for case in cases(count) for nodes in budgets]
    agent = make()
    first = [decide(agent, case, budget) for case, budget in asked]
    agent = make()
    again = [decide(agent, case, budget) for case, budget in reversed(asked)][::-1]
    for (case, budget), one, other in zip(asked, first, again, strict=True):
        if (one.action, one.plan, one.nodes) != (other.action, other.plan, other.nodes):
            told = f"{describe_decision(one)}, then {describe_decision(other)}"
            raise Broken(
                "repeatable", f"not deterministic: {told} ({place(case, budget)}); take chance from seed_of(state)"
            )


def describe_decision(decision: Decision) -> str:
    plan = " ".join(ACTION_NAMES[action] for action in decision.plan[:4]) or ACTION_NAMES[decision.action]
    return f"{plan} after {decision.nodes} nodes"


def check_in_time(make: Callable[[], Agent]) -> None:
    agent, budget = make(), Budget(ms=CLOCK_MS)
    for case in cases(FEW):
        decide(agent, case, budget)  # compiling and loading at first use doesn't count
        late = [try_clock(agent, case, budget)]
        while late[-1] and len(late) < TRIES:
            late.append(try_clock(agent, case, budget))
        if all(late):
            raise Broken("in time", f"late {TRIES} times out of {TRIES}, by its own fault ({place(case, budget)})")


def try_clock(agent: Agent, case: ContractCase, budget: Budget) -> bool:
    """Whether an answer was late, and not by the machine's fault."""
    agent.start_game(case.game.map, case.player, 7)
    if isinstance(agent, UserAgent):
        try:
            agent.decide_within(case.game.state, case.player, budget, CLOCK_MS / SHARE_OF_TURN / 1000)
        except Breach as breach:
            if breach.failure.cause != "timeout":
                raise Broken("legal", f"{breach.failure.detail} ({place(case, budget)})") from None
            return breach.late is not None and breach.late.culprit == "bot"
        return False
    started = time.thread_time()
    agent.decide(case.game.state, case.player, budget)
    return 1000 * (time.thread_time() - started) > CLOCK_MS / SHARE_OF_TURN


class ContractRule(NamedTuple):
    """A part of the contract: the promise, its check, and what to do if it is broken."""

    promise: str
    check: Callable[[Callable[[], Agent]], None]
    advice: str


CHECKS = {
    "legal": ContractRule(
        f"a legal action on all positions, for {BUDGETS[0]} to {BUDGETS[-1]} nodes, and the state untouched",
        check_legal,
        "Choose among self.legal(state, player), work on a copy (self.game(state)), and raise nothing.",
    ),
    "repeatable": ContractRule(
        f"the same decisions on {MANY} positions by a new agent, in another order",
        check_repeatable,
        "Take chance from self.seed_of(state) alone, let nodes and not the clock end a search, forget in start_game.",
    ),
    "in time": ContractRule(
        f"an answer within {CLOCK_MS:g} ms on {FEW} positions",
        check_in_time,
        "Look at the clock often enough, and leave a reserve; compile and load in warm_decision.",
    ),
}


def check_contract(make: Callable[[], Agent]) -> list[ContractBreach]:
    """Run all checks; returns the breaches, nothing if the contract holds. `make` makes a new agent each time."""
    found = []
    for rule in CHECKS.values():
        try:
            rule.check(make)
        except Broken as broken:
            found.append(broken.finding)
    return list(dict.fromkeys(found))


def admit(agent: UserAgent) -> None:
    """Refuse an agent that breaks the contract at first sight: a few decisions, made twice."""
    try:
        check_repeatable(agent.renewed, FEW, FEW_BUDGETS)
    except Broken as broken:
        raise HsctlError(f"{agent.spec.text!r} breaks the contract: {broken.finding}") from None
    except Breach as error:
        raise HsctlError(f"{agent.spec.text!r} can't be made: {error.failure.detail}") from None
