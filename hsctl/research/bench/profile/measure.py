"""The measurement: builds of the kernels taking turns on the same decisions, and what their samples come to.

usual     the kernels as they are: how long a decision takes
marked    with marks, sampled: where that time goes
extra     with one empty pair of marks more at each: what a pair costs where it stands

All times are CPU times of the thread. Other work on the machine makes a run slower, never faster, so the lower quartile
of the rounds counts. The same build in another process may be some per cent faster or slower, depending on where its
memory is, so every build is started several times and the starts are averaged. Samples are taken in runs of their own.
The cost of marks is subtracted from the marked build's time before that is shared out. Shares are of the usual build's
time, so they needn't add up to 100 %: how near they come shows how far the profile can be trusted.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import mean, stdev
from typing import Any

from engine.errors import HsctlError
from hsctl.research.bench.profile.phases import EXTRA, NESTING, OWN, SEARCH, STAGES, STEP

Path = tuple[str, ...]
Progress = Callable[[float], None]

AGENTS = ("beam", "mcts", "rhea", STEP)
NODES = {"beam": 2_000_000, "mcts": 400_000, "rhea": 1_000_000, STEP: 4_000_000}  # about what 100 ms are enough for
USUAL_NODES = 500_000
STARTS, QUICK_STARTS = 5, 2  # of every build
ROUNDS = 4  # of every start
USUAL, MARKED, EXTRA_MARKS, PLAIN = "usual", "marked", "extra", "plain"  # builds; plain: nothing doubled
LEAST_SAMPLES = 10  # on a position; from fewer, shares are noise
DOUBLED = {  # for checks: work that can be done twice without a difference, by phase
    "survivability": ("search.common.forecast.survives",),
    "scoring terms": (
        "search.beam.expand.value_moves",
        "search.beam.expand.score_child",
        "search.beam.expand.rivalry_term",
    ),
}
REST, BETWEEN = "the rest", "between stages"


@dataclass
class Place:
    """Where the thread was: the phases that led there, how often it came there, and how long it stayed."""

    path: Path
    calls: int = 0  # a decision
    samples: int = 0  # in all rounds
    ns: float = 0.0  # a decision, without what the places below it took


@dataclass
class Sampled:
    """A position: what a decision takes in the usual build, and where the marked build was."""

    name: str
    nodes: int
    usual_ns: float
    marked_ns: float
    places: list[Place]

    @property
    def sum(self) -> float:
        """What all places come to, as a share of the usual build's time."""
        return sum(place.ns for place in self.places) / self.usual_ns


@dataclass
class Profile:
    """Where the time of an agent's decisions goes, or that of steps."""

    agent: str
    mark_ns: float
    sample_ns: float
    sums: list[float]  # what all places came to in each start, as a share of the usual build's time
    positions: list[Sampled] = field(default_factory=list)
    plain_ns: float = 0.0  # of a decision in which nothing is doubled

    @property
    def usual_ns(self) -> float:
        return mean(position.usual_ns for position in self.positions)

    @property
    def nodes(self) -> float:
        return mean(position.nodes for position in self.positions)

    @property
    def nodes_per_second(self) -> float:
        return 1e9 * self.nodes / self.usual_ns

    @property
    def samples(self) -> int:
        return sum(place.samples for position in self.positions for place in position.places)

    @property
    def sum(self) -> float:
        return sum(place.ns for position in self.positions for place in position.places) / (
            len(self.positions) * self.usual_ns
        )

    @property
    def sum_error(self) -> float:
        """The standard error of the sum."""
        return float(stdev(self.sums) / len(self.sums) ** 0.5) if len(self.sums) > 1 else 0.0

    @property
    def overhead(self) -> float:
        """By how much the marked build was slower, samples included."""
        return mean(position.marked_ns for position in self.positions) / self.usual_ns - 1.0

    def rows(self) -> list["ProfileRow"]:
        return make_rows(self)

    def share_of(self, phase: str) -> float:
        """The share of a phase in all searches."""
        return sum(row.share for row in self.rows() if row.names == (phase,) and not row.is_stage)


@dataclass
class ProfileRow:
    """A line of the table: a stage of a decision, or a phase of all its searches together (or of a step)."""

    names: Path  # the phases that it is shown below, and itself
    is_stage: bool
    calls: float = 0.0  # a decision
    ns: list[float] = field(default_factory=list)  # on each position, what is shown below it included
    usual_ns: list[float] = field(default_factory=list)  # the same of the whole decision

    @property
    def share(self) -> float:
        return sum(self.ns) / sum(self.usual_ns)

    @property
    def shares(self) -> list[float]:
        """On each position."""
        return [own / whole for own, whole in zip(self.ns, self.usual_ns, strict=True)]

    @property
    def ns_per_call(self) -> float | None:
        return mean(self.ns) / self.calls if self.calls else None


# Workers


@dataclass
class Answer:
    """What a worker measured of one decision."""

    ns: float
    outcome: list[Any]  # of the decision; the second are its nodes
    places: list[tuple[list[str], int, int]]  # path, calls, samples
    sampled_ns: float = 0.0  # the same decision while samples were taken

    @property
    def nodes(self) -> int:
        return int(self.outcome[1])


@dataclass
class Timing:
    """What one build answered on one position, in each of its starts."""

    starts: list[list[Answer]]

    @property
    def answers(self) -> list[Answer]:
        return [answer for start in self.starts for answer in start]

    @property
    def nodes(self) -> int:
        return self.starts[0][0].nodes

    @property
    def ns(self) -> float:
        return mean(self.ns_of_starts)

    @property
    def ns_of_starts(self) -> list[float]:
        return [lower_quartile(answer.ns for answer in start) for start in self.starts]

    @property
    def sampled_ns(self) -> float:
        return mean(lower_quartile(answer.sampled_ns for answer in start) for start in self.starts)

    def count(self, place: str | None = None) -> int:
        """How often marks were met in a decision: all of them, or those of one phase."""
        return sum(calls for path, calls, _ in self.starts[0][0].places if path and place in (None, path[-1]))


def lower_quartile(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 4]


class ProfiledProcess:
    """A worker with one build."""

    def __init__(self, **settings: Any) -> None:
        from engine.compile.sources import ROOT

        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))  # an empty entry is any folder
        environment = {**os.environ, "PYTHONPATH": path}
        command = [sys.executable, "-P", "-m", "hsctl.research.bench.profile.worker", json.dumps(settings)]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def send(self, do: str, **request: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **request}) + "\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker ended with exit code {self.process.wait()}")
        return dict(json.loads(line))

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        self.send(do, **request)
        return self.receive()


@contextmanager
def worker(**settings: Any) -> Iterator[ProfiledProcess]:
    process = ProfiledProcess(**settings)
    try:
        yield process
    finally:
        process.process.kill()
        process.process.communicate()


def check_agents(agents: Sequence[str]) -> None:
    """Refuse what can't be profiled, before anything is compiled."""
    from engine.compile.cache import JIT_DISABLED
    from search.spec import parse_spec

    if JIT_DISABLED:
        raise HsctlError("--profile measures compiled code: unset NUMBA_DISABLE_JIT")
    if sys.platform == "win32":
        raise HsctlError("--profile needs a timer that Windows doesn't have: run it on Linux, macOS or in WSL")
    for agent in agents:
        if agent != STEP:
            parse_spec(agent)


# Rounds


def measure_profile(
    agent: str, nodes: int | None, starts: int, on_progress: Progress, doubled: Sequence[str] = ()
) -> Profile:
    """Profile an agent's decisions, or steps, on the recorded positions; `doubled` functions do their work twice."""
    marks = {"phases": "round" if agent == STEP else "decision", "doubled": list(doubled)}
    builds: Builds = {
        USUAL: (agent, {"doubled": list(doubled)}),
        MARKED: (agent, marks),
        EXTRA_MARKS: (agent, {**marks, "extra": True}),
    }
    if doubled:
        builds[PLAIN] = (agent, {})
    timings = take_turns(builds, nodes, starts, on_progress)
    for name, found in timings.items():
        check_outcomes(agent, name, [answer.outcome for timing in found.values() for answer in timing.answers])
    mark_ns = cost_of_mark([(found[MARKED], found[EXTRA_MARKS]) for found in timings.values()])
    sample_ns = cost_of_sample([found[MARKED] for found in timings.values()])
    profile = Profile(agent, mark_ns, sample_ns, sums_of_starts(timings, mark_ns))
    profile.positions = [share_out(name, found[USUAL], found[MARKED], mark_ns) for name, found in timings.items()]
    if doubled:
        profile.plain_ns = mean(found[PLAIN].ns for found in timings.values())
    check_samples(profile)
    return profile


Builds = dict[str, tuple[str, Mapping[str, Any]]]  # agent and settings of a worker, by name
Timings = dict[str, dict[str, Timing]]  # by position and build


def take_turns(builds: Builds, nodes: int | None, starts: int, on_progress: Progress) -> Timings:
    """Every build on every position, one after the other, in every round of every start."""
    timings: Timings = {}
    for _ in range(starts):
        with ExitStack() as stack:
            workers = {name: stack.enter_context(worker(**settings)) for name, (_, settings) in builds.items()}
            for name, process in workers.items():  # they compile different builds, all at once
                agent = builds[name][0]
                usual_nodes = NODES.get(agent.partition(":")[0], USUAL_NODES)
                process.send("load", agent=agent, nodes=nodes or usual_nodes)
            positions, *_ = (process.receive()["positions"] for process in workers.values())
            for position in positions:
                for timing in timings.setdefault(position, {name: Timing([]) for name in builds}).values():
                    timing.starts.append([])
            for number in range(ROUNDS):
                for position in positions:
                    for name, process in workers.items():
                        found = process.ask("run", position=position, is_sampled_first=number % 2 == 1)
                        timings[position][name].starts[-1].append(Answer(**found))
                on_progress(1 / starts / ROUNDS)
    return timings


def check_outcomes(agent: str, position: str, outcomes: Iterable[Any]) -> None:
    """The builds must decide the same, or one of them measures something else."""
    if len({json.dumps(outcome) for outcome in outcomes}) > 1:
        raise RuntimeError(f"{agent} on position {position}: the builds decided differently")


def check_samples(profile: Profile) -> None:
    """Refuse to make shares of next to nothing: some agents decide between two ticks of the timer."""
    if any(sum(place.samples for place in position.places) < LEAST_SAMPLES for position in profile.positions):
        raise HsctlError(
            f"{profile.agent}: decisions of {profile.usual_ns / 1e6:.3g} ms are too short to profile; "
            "raise --nodes, leave out --quick, or profile an agent that searches longer"
        )


# Checks


@dataclass
class ProfileCheck:
    """Something that the profile foretells, and what it really is; both are shares of a decision's time."""

    what: str
    foretold: float
    measured: float


def check_profile(starts: int, on_progress: Progress) -> list[ProfileCheck]:
    """What the beam's profile foretells: what is saved without survivability, and shares of phases that work twice."""
    part = 1 / (2 + len(DOUBLED))

    def on_part(done: float) -> None:
        on_progress(part * done)

    profile = measure_profile("beam", None, starts, on_part)
    foretold, saved = profile.share_of("survivability"), saved_without("beam", "beam:sc=0", starts, on_part)
    checks = [ProfileCheck("time per node that beam:sc=0 saves", foretold, saved)]
    for phase, functions in DOUBLED.items():
        share = profile.share_of(phase) / profile.sum
        doubled = measure_profile("beam", None, starts, on_part, functions)
        more = doubled.usual_ns / doubled.plain_ns - 1.0
        checks.append(
            ProfileCheck(f"share of {phase}, its work doubled", (share + more) / (1.0 + more), doubled.share_of(phase))
        )
        checks.append(ProfileCheck(f"time that doubled {phase} adds", share, more))
    return checks


def saved_without(agent: str, other: str, starts: int, on_progress: Progress) -> float:
    """The share of its time per node that another agent saves, both in the usual build and taking turns."""
    timings = take_turns({agent: (agent, {}), other: (other, {})}, None, starts, on_progress)
    whole = sum(found[agent].ns for found in timings.values())
    left = sum(found[other].ns * found[agent].nodes / found[other].nodes for found in timings.values())
    return 1.0 - left / whole


# What samples come to


def cost_of_mark(timings: Sequence[tuple[Timing, Timing]]) -> float:
    """What a pair of marks takes where it stands: the extra build's time beyond the marked one's, on all positions."""
    more = sum(extra.ns - marked.ns for marked, extra in timings)
    return max(0.0, more / max(1, sum(extra.count(EXTRA) for _, extra in timings)))


def cost_of_sample(timings: Sequence[Timing]) -> float:
    """What a sample takes; it is in no share."""
    samples = sum(samples for timing in timings for each in timing.answers for _, _, samples in each.places)
    rounds = len(timings[0].answers)
    return max(0.0, sum(timing.sampled_ns - timing.ns for timing in timings) * rounds / max(1, samples))


def sums_of_starts(timings: Timings, mark_ns: float) -> list[float]:
    """What the marked build took without its marks, as a share of the usual one, in each start."""
    marks = mark_ns * sum(found[MARKED].count() for found in timings.values())
    usual = zip(*(found[USUAL].ns_of_starts for found in timings.values()), strict=True)
    marked = zip(*(found[MARKED].ns_of_starts for found in timings.values()), strict=True)
    return [(sum(ours) - marks) / sum(theirs) for ours, theirs in zip(marked, usual, strict=True)]


def share_out(name: str, usual: Timing, marked: Timing, mark_ns: float) -> Sampled:
    """The marked build's time, less what marks took, shared out among the places by their samples.

    Half of a pair of marks is run where it was called from, half in the phase itself.
    """
    places = {tuple(path): Place(tuple(path), calls) for path, calls, _ in marked.answers[0].places}
    for answer in marked.answers:
        for path, calls, samples in answer.places:
            places.setdefault(tuple(path), Place(tuple(path), calls)).samples += samples
    total = max(1, sum(place.samples for place in places.values()))
    for place in places.values():
        place.ns += marked.ns * place.samples / total
        if place.path:
            for charged in (place, places[place.path[:-1]]):
                charged.ns -= place.calls * mark_ns / 2
    return Sampled(name, usual.nodes, usual.ns, marked.sampled_ns, list(places.values()))


# Rows of the table


def stage_of(path: Path) -> str:
    """The stage that a place of a decision belongs to."""
    if path[:1] == (SEARCH,):  # of an agent that has no others
        return OWN
    return path[0] if path and path[0] in STAGES else BETWEEN


def phases_of(path: Path) -> Path | None:
    """The names under which a place is shown among the phases: only some have others below them. None outside."""
    if path[:1] != (STEP,) and SEARCH not in path:
        return None
    inner = path[1:] if path[:1] == (STEP,) else path[path.index(SEARCH) + 1 :]
    above = tuple(name for name, below in pairwise(inner) if name in NESTING and name != below)
    return (*above, *inner[-1:]) or (REST,)


def make_rows(profile: Profile) -> list[ProfileRow]:
    """The stages of a decision, then the phases of its searches, or of a step; the largest first."""
    usual_ns, rows = [position.usual_ns for position in profile.positions], dict[tuple[bool, Path], ProfileRow]()

    def row(is_stage: bool, names: Path) -> ProfileRow:
        empty = ProfileRow(names, is_stage, ns=[0.0] * len(usual_ns), usual_ns=usual_ns)
        return rows.setdefault((is_stage, names), empty)

    for at, position in enumerate(profile.positions):
        for place in position.places:
            if profile.agent != STEP:
                row(True, (stage_of(place.path),)).ns[at] += place.ns
            if len(place.path) == 1 and place.path[0] in STAGES:
                row(True, place.path).calls += place.calls / len(usual_ns)
            if names := phases_of(place.path):
                for length in range(1, len(names) + 1):
                    row(False, names[:length]).ns[at] += place.ns
                if names != (REST,) and place.path[-2:-1] != place.path[-1:]:
                    row(False, names).calls += place.calls / len(usual_ns)
    found = [each for each in rows.values() if each.share or each.calls]
    return [
        *below((), [each for each in found if each.is_stage]),
        *below((), [each for each in found if not each.is_stage]),
    ]


def below(names: Path, rows: Sequence[ProfileRow]) -> list[ProfileRow]:
    """The rows below some names, the largest first, each with those below it; what is left over comes last."""
    here = [row for row in rows if row.names[:-1] == names]
    here.sort(key=lambda row: (row.names[-1] in (REST, BETWEEN), -row.share))
    return [each for row in here for each in (row, *below(row.names, rows))]
