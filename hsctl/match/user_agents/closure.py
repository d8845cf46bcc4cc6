"""A digest of a user agent: the sources of all that it imports, and the versions of the rest.

    its own file or package, and whatever it imports that is not installed      what the sources say
    packages that are installed                                                 their versions
    hsctl's own packages                                                        the sources of what is imported of them
    the rules, and all built-in agents where one is made by name                their behaviour (hsctl/behaviour.py)

`import hsctl` itself counts nothing.
Comments, docstrings and layout don't count. Nothing is imported to find out. What is imported only by a name in a
string, and files that an agent reads, are not seen.
"""

import ast
import hashlib
import re
import sys
import sysconfig
from collections.abc import Iterator
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

from engine.compile.sources import PACKAGES, digest_text, import_closure, imports_in, path_of, spell, with_parents
from engine.compile.sources import digest_of as digest_of_modules
from engine.errors import HsctlError
from hsctl.behaviour import RULES, stored
from hsctl.match.user_agents.spec import Target

FACE, MAKE = "hsctl", "make_agent"
INSTALLED = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
Stamps = tuple[tuple[str, int, int], ...]


class Closure:
    """All that a target imports."""

    def __init__(self, target: Target) -> None:
        self.files: dict[str, Path] = {}  # the agent's own modules
        self.packages: set[str] = set()  # of others
        self.ours: set[str] = set()  # modules of hsctl
        self.makes_agents = False  # built-in ones, by name
        if target.file is not None:
            path = target.file.resolve()
            self.folders = [str(path.parent), *sys.path]
            self.own = path.stem
            if not path.is_file():
                raise HsctlError(f"there is no file {target.place}")
            self.take(path.stem, path)
        else:
            self.folders = [*([] if target.is_installed else [str(Path.cwd())]), *sys.path]
            self.own = target.place.split(".")[0]
            self.follow(target.place)
            if not self.files:
                raise HsctlError(f"there is no module {target.place}")

    def follow(self, name: str) -> None:
        """A module by its name, with the packages that it is in."""
        top = name.split(".")[0]
        if top in PACKAGES:
            return self.refuse_namesake(name)
        if top in sys.stdlib_module_names:
            return
        for module in sorted(with_parents(name)):
            if module not in self.files and (path := self.find(module)):
                if self.is_others(top, path):
                    self.packages.add(top)
                    return
                self.take(module, path)

    def refuse_namesake(self, name: str) -> None:
        """Refuse a neighbour of the agent that has the name of one of our packages, if that is what it imports."""
        top, _, rest = name.partition(".")
        spec = PathFinder.find_spec(top, self.folders[:1])
        own = path_of(top)
        if spec is None or spec.origin is None or own is None or Path(spec.origin).resolve() == own:
            return
        is_module = any(path_of(module) for module in with_parents(name) if module != top)
        if not is_module and (not rest or not re.search(rf"\b{re.escape(rest)}\b", own.read_text())):
            raise HsctlError(f"{spec.origin} has the name of a package of hsctl, which agents import: rename it")

    def find(self, module: str) -> Path | None:
        """The file of a module; None if there is none, or it has no file."""
        top, _, rest = module.partition(".")
        spec = PathFinder.find_spec(top, self.folders) or find_spec(top)
        if spec is None:
            return None
        if not rest:
            return Path(spec.origin) if spec.origin else None
        for folder in spec.submodule_search_locations or ():
            base = Path(folder, *rest.split("."))
            for path in (base.with_suffix(".py"), base / "__init__.py", *base.parent.glob(f"{base.name}.*.so")):
                if path.is_file():
                    return path
        return None

    def is_others(self, top: str, path: Path) -> bool:
        return top != self.own and any(Path(folder) in path.parents for folder in INSTALLED)

    def take(self, module: str, path: Path) -> None:
        """One of the agent's own modules, and what it imports."""
        self.files[module] = path
        if path.suffix != ".py":
            return
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        try:
            tree = ast.parse(path.read_bytes(), str(path))
        except (OSError, SyntaxError, ValueError) as error:
            raise HsctlError(f"{path}: {error}; hsctl reads the sources of an agent") from None
        self.ours |= {imported for _, imported, _ in imports_in(tree, package or module)} - {FACE}
        self.makes_agents |= makes_agents(tree)
        for name in imported_names(tree, package):
            self.follow(name)


def makes_agents(tree: ast.AST) -> bool:
    """Whether some agent is made by its name."""
    nodes = list(ast.walk(tree))
    is_used = any(isinstance(node, ast.Attribute) and node.attr == MAKE for node in nodes)
    return is_used or any(isinstance(node, ast.alias) and node.name == MAKE for node in nodes)


def imported_names(tree: ast.AST, package: str) -> Iterator[str]:
    """Everything that is imported, as modules that it may be."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def digest_of(target: Target) -> str:
    """A short digest of an agent and the rules; files are read again only if they look changed."""
    return digest_of_stamps(target, stamps_of(files_of(target)))


def files_of(target: Target) -> list[Path]:
    """As they were when the closure was last made: a new import changes a file that is already among them."""
    kept = known.get(target)
    if kept is None or stamps_of(kept[0]) != kept[1]:
        files = sorted(Closure(target).files.values())
        kept = known[target] = files, stamps_of(files)
    return kept[0]


known: dict[Target, tuple[list[Path], Stamps]] = {}


def stamps_of(files: list[Path]) -> Stamps:
    stamps = []
    for path in files:
        try:
            found = path.stat()
        except OSError:
            stamps.append((str(path), -1, -1))
            continue
        stamps.append((str(path), found.st_size, found.st_mtime_ns))
    return tuple(stamps)


@lru_cache(64)
def digest_of_stamps(target: Target, _: Stamps) -> str:
    closure = Closure(target)
    said = [f"{name} {say(path)}" for name, path in sorted(closure.files.items())]
    versions = [f"{name} {version_of(name)}" for name in sorted({"numba", "numpy", *closure.packages})]
    behaviour = stored().signature if closure.makes_agents else stored().parts[RULES]
    return digest_text(
        [
            target.class_name,
            *said,
            *versions,
            str(behaviour),
            digest_of_modules(import_closure(*closure.ours, without=(FACE,))),
        ]
    )


def digest_of_sources(target: Target) -> str:
    """A digest of the agent's own sources alone."""
    return digest_text(f"{name} {say(path)}" for name, path in sorted(Closure(target).files.items()))


def say(path: Path) -> str:
    """What a file says, or its bytes if it is no source."""
    if path.suffix == ".py":
        return spell(ast.parse(path.read_bytes()))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def version_of(package: str) -> str:
    for name in distributions().get(package, [package]):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return "unknown"


@lru_cache(1)
def distributions() -> dict[str, list[str]]:
    return dict(packages_distributions())
