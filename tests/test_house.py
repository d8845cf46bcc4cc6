"""The house: which room may import which, and how large functions and files may be.

    hsctl  ->  search, replays  ->  engine

Nothing looks upward, and rooms on one floor don't know each other. Imports inside of functions and those for types
only count as well. A new room is a new name in ROOMS.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES_OF_A_FUNCTION, LINES_OF_A_FILE = 60, 600

PACKAGES = ["hsctl", "search replays", "engine"]  # from the top floor down

# The folders of each package from the top down, with those modules that don't stand on the ground. The ground floor is
# all other modules of the package; rooms below it come after a "".
ROOMS = {
    "hsctl": [
        "__main__",
        "pytest_plugin",
        "cli api",
        "research",
        "testing env",
        "analysis",
        "report",
        "league",
        "match",
    ],
    "search": [
        "warm",
        "spec",
        " ".join(path.parent.name for path in (ROOT / "search").glob("*/agent.py")),
        "winning",
        "common",
    ],
    "replays": ["viewer export", "render", "landmarks opening", "arena", "", "annotations", "text"],
    "engine": ["spec", "batch variants events", "", "compile", "errors"],
}
FACES = {"search", "hsctl"}  # packages whose __init__ shows what is inside of them: on top

KERNELS = {"kernel", "inline", "entry"}  # the decorators of what numba compiles, and whose types it finds
THIRD_PARTY_OF_THE_CORE = {"numpy", "numba", "llvmlite"}  # what engine and search are built on


def source_files() -> list[Path]:
    return sorted(path for package in ROOMS for path in (ROOT / package).rglob("*.py"))


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), path.name)


def name_module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path) -> Iterator[str]:
    """Every module, or name in a module, that a file imports anywhere."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{path}:{node.lineno}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor_of(name: str, floors: list[str]) -> int:
    """How high a name stands: 0 is the ground."""
    ground = floors.index("") if "" in floors else len(floors)
    return next((ground - i for i, floor in enumerate(floors) if name in floor.split()), 0)


def room_of(module: str) -> str:
    """`hsctl.match.runner` is in the room `arena` of hsctl; what is in no room has the package's own name."""
    package, *rest = module.split(".")
    return rest[0] if rest and any(rest[0] in floor.split() for floor in ROOMS[package]) else package


def is_downward(module: str, imported: str) -> bool:
    """Whether an import goes to a lower floor, or stays in its room."""
    package, other = module.split(".")[0], imported.split(".")[0]
    if package != other:
        return floor_of(other, PACKAGES) < floor_of(package, PACKAGES)
    if module in FACES:
        return True
    room, target = room_of(module), room_of(imported)
    return room == target or floor_of(target, ROOMS[package]) < floor_of(room, ROOMS[package])


def upward_imports() -> set[str]:
    return {
        f"{name_module(path)} -> {imported}"
        for path in source_files()
        for imported in imports_of(path)
        if imported.split(".")[0] in ROOMS and not is_downward(name_module(path), imported)
    }


def test_imports_go_downward() -> None:
    assert not upward_imports()


def modules_loaded_by(path: Path, known: set[str]) -> set[str]:
    """Modules that a file imports when it is imported itself."""
    found = set()
    for node in parse(path).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found & known - {name_module(path)}


def test_no_modules_import_each_other() -> None:
    files = {name_module(path): path for path in source_files()}
    loads = {module: modules_loaded_by(path, set(files)) for module, path in files.items()}
    while leaves := {module for module, loaded in loads.items() if not loaded & loads.keys()}:
        for module in leaves:
            del loads[module]
    assert not loads, "these modules are part of a circular import, or load one"


def test_every_folder_has_its_floor() -> None:
    for package, floors in ROOMS.items():
        named = {name for floor in floors for name in floor.split()}
        folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
        assert folders <= named, f"name these rooms of {package} in ROOMS: {folders - named}"
        assert named <= folders | {path.stem for path in (ROOT / package).glob("*.py")}


def test_the_core_needs_numpy_and_numba_alone() -> None:
    own = {"engine", "search", *sys.stdlib_module_names}
    for package in ("engine", "search"):
        for path in (ROOT / package).rglob("*.py"):
            assert {name.split(".")[0] for name in imports_of(path)} <= own | THIRD_PARTY_OF_THE_CORE, path


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function with its place, as in `engine/rules.py:step`."""
    for path in source_files():
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}:{node.name}", node


def large_functions() -> Iterator[str]:
    for place, function in functions():
        assert function.end_lineno
        if function.end_lineno - function.lineno + 1 > LINES_OF_A_FUNCTION:
            yield place


def large_files() -> Iterator[str]:
    for path in source_files():
        if len(path.read_text().splitlines()) > LINES_OF_A_FILE:
            yield str(path.relative_to(ROOT))


def test_functions_and_files_are_small() -> None:
    assert not {*large_functions(), *large_files()}


def is_kernel(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(decorator) in KERNELS for decorator in function.decorator_list)


def test_all_functions_but_kernels_are_annotated() -> None:
    """mypy lets modules with kernels go without; this lets only the kernels."""
    bare = {
        place
        for place, function in functions()
        if not is_kernel(function) and function.returns is None and function.name != "__init__"
    }
    assert not bare


# That the tests above see what they should


@pytest.mark.parametrize(
    ("module", "imported", "is_fine"),
    [
        ("hsctl.match.runner", "engine.game.Game", True),
        ("search.beam.agent", "replays.replay.Replay", False),
        ("replays.replay", "search.make_agent", False),
        ("engine.rules", "search.agent.Agent", False),
        ("engine.rules", "engine.spec.naive.step", False),
        ("engine.spec.twin", "engine.rules.step", True),
        ("engine.jit", "engine.compile.cache.CACHE", True),
        ("engine.compile.cache", "engine.jit.kernel", False),
        ("search.beam.agent", "search.mcts.agent.Mcts", False),
        ("search.beam.agent", "search.beam.layers.advance", True),
        ("search.common.planning", "search.beam.agent.Beam", False),
        ("hsctl.match.runner", "hsctl.__version__", True),
        ("hsctl.match.runner", "hsctl.league.runner.League", False),
        ("hsctl.match.runner", "hsctl.cli.app", False),
    ],
)
def test_an_upward_import_is_told_from_a_downward_one(module: str, imported: str, is_fine: bool) -> None:
    assert is_downward(module, imported) == is_fine
