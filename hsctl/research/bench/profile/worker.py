"""A process that makes decisions with one build of the kernels, and says how long they took and where they were.

    python -m hsctl.research.bench.profile.worker '{"phases": "decision"}'

It reads requests from stdin and answers on stdout, one JSON object a line each. `phases` chooses the build: "decision"
or "round" with these marks, or "" for the usual one. `doubled` names functions that do their work twice; with `extra`
every mark is followed by an empty pair of marks.
"""

import json
import signal
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hsctl.research.bench.profile import marks
from hsctl.research.bench.profile.phases import DECISION, OWN, ROUND, STAGES, STEP

BUILDS = {"decision": DECISION, "round": ROUND}
INTERVAL_S = 0.0005  # between two samples
POOL = 1024  # states of which steps are made
SEED = 1

Work = Callable[[], list[Any]]  # done once; what came out, which must not depend on the build


class Worker:
    """Loads what is asked for and runs it, with samples if its kernels have marks."""

    def __init__(self, phases: str = "", doubled: Sequence[str] = (), extra: bool = False) -> None:
        self.is_marked, self.is_sampled = bool(phases), bool(phases) and not extra
        if phases or doubled:
            marks.use_marks(BUILDS.get(phases, {}), doubled, extra)
        self.works: dict[str, Work] = {}  # by position

    def load(self, agent: str, nodes: int) -> dict[str, Any]:
        """Prepare an agent, or the engine's step, and do everything once: compile it, touch its memory."""
        from hsctl.research.bench.measure import recorded_positions

        positions = recorded_positions()
        make = step_work if agent == STEP else partial(decision_work, prepare(agent, self.is_marked))
        self.works = {position.name: make(position, nodes) for position in positions}
        for work in self.works.values():
            work()
        if self.is_sampled:
            install_sampler()
        return {"positions": list(self.works)}

    def run(self, position: str, is_sampled_first: bool) -> dict[str, Any]:
        """Do the work of a position twice: once timed, and once for samples, so what they cost is in no other time.

        The second time memory is warm: so either comes first in turn, and a build without samples works twice, too.
        """
        work, answer = self.works[position], dict[str, Any]()
        for is_sampled in (is_sampled_first, not is_sampled_first):
            marks.clear_counts()
            if not is_sampled:
                answer["outcome"], answer["ns"] = timed(work)
            elif self.is_sampled:
                signal.setitimer(signal.ITIMER_REAL, INTERVAL_S, INTERVAL_S)
                _, answer["sampled_ns"] = timed(work)
                signal.setitimer(signal.ITIMER_REAL, 0)
            else:
                work()
            if is_sampled:
                answer["places"] = list(marks.read_places())
        return answer


def timed(work: Work) -> tuple[list[Any], int]:
    """What came out, and how long it took."""
    started = time.thread_time_ns()
    outcome = work()
    return outcome, time.thread_time_ns() - started


# What is measured


def prepare(spec: str, is_marked: bool) -> Any:
    """An agent; with marks around its stages if they are wanted."""
    from search import make_agent

    agent = make_agent(spec)
    if is_marked:
        for stage, methods in STAGES.items():
            for method in methods:
                mark_stage(agent, method, stage)
    return agent


def mark_stage(agent: Any, method: str, stage: str) -> None:
    """Let a method of the agent (or of one of its parts) begin a stage. Stages stand side by side, whoever calls whom;
    the own search is one only if no other stage calls it."""
    *parts, name = method.split(".")
    for part in parts:
        agent = getattr(agent, part, None)
    original = getattr(agent, name, None)
    if original is None:
        return
    phase = marks.NAMES.index(stage)

    def run_stage(*arguments: Any, **options: Any) -> Any:
        if stage == OWN and marks.MEMORY[marks.HERE]:
            return original(*arguments, **options)
        before = marks.enter_below(0, phase)
        try:
            return original(*arguments, **options)
        finally:
            marks.leave_plainly(before)

    setattr(agent, name, run_stage)


def decision_work(agent: Any, position: Any, nodes: int) -> Work:
    from search.agent import Budget

    def decide() -> list[Any]:
        agent.start_game(position.map, 0, SEED)
        agent.see(position.before, 0)
        decision = agent.decide(position.state, 0, Budget(nodes=nodes))
        return [decision.action, decision.nodes, decision.value, *decision.plan]

    return decide


def step_work(position: Any, count: int) -> Work:
    """Steps from states that random games meet which start here."""
    import numpy as np

    from engine.state import new_states
    from engine.zobrist import hash_state
    from hsctl.research.bench.kernels import collect, step_states

    states, pool, joints, room = new_states(2), new_states(POOL), np.zeros(POOL, np.uint64), new_states(POOL)
    states[0] = position.state
    collect(states, position.map, pool, joints)

    def play() -> list[Any]:
        step_states(pool, room, position.map, joints, count)
        return [int(hash_state(room[0])), count]

    return play


# Samples


def install_sampler() -> None:
    """Let the timer's signal take samples."""
    import ctypes

    from hsctl.research.bench.profile.intrinsics import make_sampler

    marks.KEPT.append(sampler := make_sampler())
    libc = ctypes.CDLL(None)
    libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    libc.signal.restype = ctypes.c_void_p
    libc.signal(signal.SIGALRM, sampler.address)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command that started this
    worker = Worker(**json.loads(sys.argv[1]))
    for line in sys.stdin:
        request = json.loads(line)
        answer = getattr(worker, request.pop("do"))(**request)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
