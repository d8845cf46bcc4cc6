"""The structure: which package may import which, and how large functions and files may be.

    hsctl  ->  search, replays  ->  engine

Imports point to lower layers only; packages of one layer don't import each other. Imports inside functions and for
types count too. Add a new package to LAYERS.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES_OF_A_FUNCTION, LINES_OF_A_FILE = 60, 600

PACKAGES = ["hsctl", "search replays", "engine"]  # from the top layer down

# The inner packages of each package from the top layer down, with the modules that are not in its base layer. All other
# modules are in the base layer, at "" or at the end.
LAYERS = {
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
FACADES = {"search", "hsctl"}  # their __init__ may import all of their modules

KERNELS = {"kernel", "inline", "entry"}  # decorators of functions that numba compiles, and finds the types of
THIRD_PARTY_OF_THE_CORE = {"numpy", "numba", "llvmlite"}  # the only dependencies of engine and search


def source_files() -> list[Path]:
    return sorted(path for package in LAYERS for path in (ROOT / package).rglob("*.py"))


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


def layer_of(name: str, layers: list[str]) -> int:
    """The height of a name's layer; the base layer is 0."""
    base = layers.index("") if "" in layers else len(layers)
    return next((base - at for at, layer in enumerate(layers) if name in layer.split()), 0)


def inner_package(module: str) -> str:
    """`hsctl.match.runner` is in `match`; a module of the base layer has the name of its package."""
    package, *rest = module.split(".")
    return rest[0] if rest and any(rest[0] in layer.split() for layer in LAYERS[package]) else package


def is_downward(module: str, imported: str) -> bool:
    """Whether an import goes to a lower layer, or stays in its inner package."""
    package, other = module.split(".")[0], imported.split(".")[0]
    if package != other:
        return layer_of(other, PACKAGES) < layer_of(package, PACKAGES)
    if module in FACADES:
        return True
    source, target = inner_package(module), inner_package(imported)
    return source == target or layer_of(target, LAYERS[package]) < layer_of(source, LAYERS[package])


def upward_imports() -> set[str]:
    return {
        f"{name_module(path)} -> {imported}"
        for path in source_files()
        for imported in imports_of(path)
        if imported.split(".")[0] in LAYERS and not is_downward(name_module(path), imported)
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


PUBLIC_NAMES = {"Agent", "Game", "Replay", "TeamGame"}  # classes of `import hsctl` extend those of the core


def test_class_names_are_unique() -> None:
    modules: dict[str, list[str]] = {}
    for path in source_files():
        for node in parse(path).body:
            if isinstance(node, ast.ClassDef):
                modules.setdefault(node.name, []).append(name_module(path))
    assert not {name: found for name, found in modules.items() if len(found) > 1 and name not in PUBLIC_NAMES}


def test_no_modules_import_each_other() -> None:
    files = {name_module(path): path for path in source_files()}
    loads = {module: modules_loaded_by(path, set(files)) for module, path in files.items()}
    while leaves := {module for module, loaded in loads.items() if not loaded & loads.keys()}:
        for module in leaves:
            del loads[module]
    assert not loads, "these modules are part of a circular import, or load one"


def test_every_inner_package_has_its_layer() -> None:
    for package, layers in LAYERS.items():
        named = {name for layer in layers for name in layer.split()}
        folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
        assert folders <= named, f"add to LAYERS[{package!r}]: {folders - named}"
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
    """mypy exempts modules with kernels; this exempts only the kernels."""
    bare = {
        place
        for place, function in functions()
        if not is_kernel(function) and function.returns is None and function.name != "__init__"
    }
    assert not bare


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
def test_upward_imports_are_found(module: str, imported: str, is_fine: bool) -> None:
    assert is_downward(module, imported) == is_fine
