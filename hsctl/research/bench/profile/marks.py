"""The build with marks: every phase leaves a mark where it begins and one where it ends.

A mark is one number in memory, the place where the thread is: a phase below the place that it was called from. Places
are found when they are first met, so the same phase called from two others is two places.

    place 0   decision
    place 1     prediction          NEXT[0, prediction] = 1
    place 2       search            NEXT[1, search] = 2
    place 3         forecast        NEXT[2, forecast] = 3, CALLS[3] counts how often it was entered

A timer's signal looks at the number and adds 1 to what was met there (`start_sampling`).

Functions are changed as text: `enter` is put at their beginning, `leave` before each `return`. Around both no access to
memory is moved by the compiler, so that a phase has what it loads and stores. What can't be done to memory alone (a
shift, a sum) may still be moved; that is a nanosecond at most.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np

from engine.compile import build
from engine.compile.sources import digest_of, digest_text
from hsctl.research.bench.profile.phases import EXTRA, OTHER, STAGES, Phases

PACKAGE = "hsctl.research.bench.profile"
PLACES, PHASES = 512, 64  # at most
NAMES: list[str] = []  # [phase]; what is compiled knows the number, so it must not depend on what is imported when

INTRINSICS = ("profile_enter", "profile_leave", "profile_use", "profile_hide")  # what changed functions call

KEPT: list[Any] = []  # what must live as long as the process

# The memory of all marks: where each part begins.
HERE, USED, SAMPLES, CALLS = 0, 1, 2, 2 + PLACES
ORIGINS = CALLS + PLACES  # [place], phase + PHASES x the place above
NEXT = ORIGINS + PLACES  # [place, phase]
MEMORY = np.zeros(NEXT + PLACES * PHASES, np.int64)


# Where the thread is, in plain Python; kernels do the same


def place_below(place: int, phase: int) -> int:
    """The place of a phase below another place."""
    at = NEXT + PHASES * place + phase
    if not MEMORY[at]:
        MEMORY[USED] += 1
        MEMORY[at] = MEMORY[USED]
        MEMORY[ORIGINS + MEMORY[USED]] = PHASES * place + phase
    return int(MEMORY[at])


def enter_below(place: int, phase: int) -> int:
    """Begin a phase below a place; returns what to give to `leave_plainly` at its end."""
    before = int(MEMORY[HERE])
    MEMORY[HERE] = place_below(place, phase)
    MEMORY[CALLS + MEMORY[HERE]] += 1
    return before


def enter_plainly(phase: int) -> int:
    return enter_below(int(MEMORY[HERE]), phase)


def leave_plainly(before: int) -> None:
    MEMORY[HERE] = before


def clear_counts() -> None:
    MEMORY[SAMPLES:ORIGINS] = 0


def read_places() -> Iterator[tuple[tuple[str, ...], int, int]]:
    """All places that were met: the phases that lead there, how often it was entered, how often it was sampled."""
    for place in range(int(MEMORY[USED]) + 1):
        yield path_of(place), int(MEMORY[CALLS + place]), int(MEMORY[SAMPLES + place])


def path_of(place: int) -> tuple[str, ...]:
    if not place:
        return ()
    above, phase = divmod(int(MEMORY[ORIGINS + place]), PHASES)
    return *path_of(above), NAMES[phase]


# How functions are changed


class Marker:
    """Changes the functions that phases name."""

    def __init__(self, phases: Phases, doubled: Iterable[str] = (), has_extra: bool = False) -> None:
        self.has_extra = has_extra
        self.of_function: dict[str, str] = {}  # phase by function
        self.of_statement: dict[str, dict[str, str]] = {}  # the same by function and text
        for phase, places in phases.items():
            for place in places:
                function, _, text = place.partition(": ")
                if text:
                    self.of_statement.setdefault(function, {})[text] = phase
                else:
                    self.of_function[function] = phase
        NAMES[:] = [*STAGES, *phases, OTHER, EXTRA]
        assert len(NAMES) <= PHASES
        self.doubled = frozenset(doubled)
        self.waiting = {*self.of_function, *self.of_statement, *self.doubled}  # functions not met yet
        self.seen: set[Callable[..., Any]] = set()

    def change(self, function: Callable[..., Any], is_entry: bool) -> Callable[..., Any]:
        """The function with its marks."""
        name = f"{function.__module__}.{function.__qualname__}"
        phase = self.of_function.get(name, OTHER if is_entry and self.of_function else None)
        statements = self.of_statement.get(name, {})
        if function in self.seen or not (phase or statements or name in self.doubled):
            self.seen.add(function)
            return function
        self.waiting.discard(name)
        from hsctl.research.bench.profile import intrinsics  # not before the build is chosen

        function.__globals__.update({name: getattr(intrinsics, name) for name in INTRINSICS})
        changed = rebuild(function, function.__name__, lambda tree: self.add_marks(tree, phase, statements))
        if name in self.doubled:
            changed = double(changed)
        self.seen |= {function, changed}
        return changed

    def add_marks(self, function: ast.FunctionDef, phase: str | None, statements: dict[str, str]) -> None:
        """Put marks around statements, then around the whole."""
        found = {text for text in statements for node in ast.walk(function) if begins_with(node, text)}
        if missing := statements.keys() - found:
            raise ValueError(f"{function.name} has no statement that begins with {missing.pop()!r}")
        if statements:
            StatementMarks(statements, self.enter).look_into(function)
        if phase is not None:
            ReturnMarks().visit(function)
            function.body = [*self.enter("place_before", phase), *function.body]
            if not isinstance(function.body[-1], ast.Return):
                function.body += leave("place_before")

    def enter(self, variable: str, phase: str) -> list[ast.stmt]:
        text = f"{variable} = profile_enter({NAMES.index(phase)})"
        if self.has_extra:
            text += f"; profile_leave(profile_enter({NAMES.index(EXTRA)}))"
        return ast.parse(text).body


def rebuild(function: Callable[..., Any], name: str, change: Callable[[ast.FunctionDef], None]) -> Callable[..., Any]:
    """A function made once more from its source, after a change."""
    source = inspect.getsource(function)
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            node.text = source.splitlines()[node.lineno - 1][node.col_offset :]  # type: ignore[attr-defined]
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.name, definition.decorator_list = name, []
    change(definition)
    ast.increment_lineno(ast.fix_missing_locations(tree), function.__code__.co_firstlineno - 1)
    found: dict[str, Any] = {}
    exec(compile(tree, function.__code__.co_filename, "exec"), function.__globals__, found)
    made: Callable[..., Any] = found[name]
    made.__module__ = function.__module__
    return made


def begins_with(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.stmt) and getattr(node, "text", "").startswith(text)


def leave(variable: str) -> list[ast.stmt]:
    return ast.parse(f"profile_leave({variable})").body


class StatementMarks:
    """Puts marks around statements; neighbours of one phase share theirs."""

    def __init__(self, phases: dict[str, str], enter: Callable[[str, str], list[ast.stmt]]) -> None:
        self.phases = phases
        self.enter = enter
        self.count = 0

    def phase_of(self, statement: ast.stmt) -> str | None:
        return next((phase for text, phase in self.phases.items() if begins_with(statement, text)), None)

    def mark(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        marked: list[ast.stmt] = []
        for phase, group in groupby(statements, self.phase_of):
            if phase is None:
                marked += [self.look_into(statement) for statement in group]
            else:
                self.count += 1
                variable = f"place_before_{self.count}"
                marked += [*self.enter(variable, phase), *group, *leave(variable)]
        return marked

    def look_into(self, statement: ast.stmt) -> ast.stmt:
        for name in ("body", "orelse"):
            if inner := getattr(statement, name, None):
                setattr(statement, name, self.mark(inner))
        return statement


class ReturnMarks(ast.NodeTransformer):
    """Leaves the phase before each return, after what is returned was computed."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None:
            return [*leave("place_before"), node]
        self.count += 1
        result = f"result_{self.count}"
        kept = ast.Assign([ast.Name(result, ast.Store())], node.value)
        return [kept, *leave("place_before"), ast.Return(ast.Name(result, ast.Load()))]


def double(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that does its work twice, for checks: the first result is computed and thrown away. The compiler
    doesn't know that the arguments are the same, or it would do some of the work once."""
    from engine.jit import inline

    name, arguments = function.__name__, ", ".join(inspect.signature(function).parameters)
    once = f"{name}_once"
    inner = function.__globals__
    function.__name__ = function.__qualname__ = once
    inner[once] = inline(function)
    hidden = ", ".join(f"profile_hide({each})" for each in inspect.signature(function).parameters)
    text = f"def {name}({arguments}):\n    profile_use({once}({hidden}))\n    return {once}({arguments})\n"
    found: dict[str, Any] = {}
    exec(compile(text, function.__code__.co_filename, "exec"), inner, found)
    made: Callable[..., Any] = found[name]
    made.__module__ = function.__module__
    return made


def use_marks(phases: Phases, doubled: Iterable[str] = (), has_extra: bool = False) -> Marker:
    """Build kernels with marks in this process; call it before anything compiled is imported."""
    marker = Marker(phases, doubled, has_extra)
    told = [
        digest_of([__name__, f"{PACKAGE}.phases", f"{PACKAGE}.intrinsics"]),
        repr(phases),
        repr(sorted(doubled)),
        str(has_extra),
    ]
    build.use(f"marks {digest_text(told)}", marker.change)
    return marker
