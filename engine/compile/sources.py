"""Read source files without importing them: imports and digests.

import_closure   the modules of our packages that a module loads, at once or when one of its functions runs
digest_of        a short digest of modules' code; comments, docstrings and layout don't count
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "search", "replays", "hsctl")
DIGEST_LENGTH = 16  # hexadecimal digits


@lru_cache(None)
def path_of(module: str) -> Path | None:
    """The file of one of our modules; None for any other name."""
    if module.split(".")[0] not in PACKAGES:
        return None
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@lru_cache(None)
def parse(module: str) -> ast.Module:
    """One of our modules as a tree."""
    path = path_of(module)
    if path is None:
        raise ModuleNotFoundError(f"no module {module} in {', '.join(PACKAGES)}")
    return ast.parse(path.read_bytes(), str(path))


def package_of(module: str) -> str:
    """The package that a module's relative imports start from."""
    path = path_of(module)
    return module if path is not None and path.name == "__init__.py" else module.rpartition(".")[0]


@lru_cache(None)
def walk(tree: ast.AST) -> list[ast.AST]:
    """All nodes of a tree, like `ast.walk`, with the top-level statements of modules cached."""
    if isinstance(tree, ast.Module):
        return [node for statement in tree.body for node in walk(statement)]
    found = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST)]
    return found


def imports_in(tree: ast.AST, package: str) -> Iterator[tuple[str, str, str | None]]:
    """Every import from our packages: the name it binds, the module, and the name in it (None: the module itself)."""
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if path_of(alias.name):
                    yield alias.asname or alias.name.split(".")[0], alias.name, None
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                if path_of(inner):
                    yield alias.asname or alias.name, inner, None
                elif path_of(module):
                    yield alias.asname or alias.name, module, alias.name


def with_parents(module: str) -> Iterator[str]:
    """The module and the packages it is in, which are loaded before it."""
    while module:
        yield module
        module = module.rpartition(".")[0]


def modules_in(*packages: str) -> list[str]:
    """All modules of these packages, by name."""
    paths = [path.relative_to(ROOT) for package in packages for path in (ROOT / package).rglob("*.py")]
    return sorted(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)


def import_closure(*modules: str, without: Iterable[str] = ()) -> list[str]:
    """These modules and all modules of our packages that they load. Imports by a string are not found.

    Leaves out modules in `without`, and modules that only these load.
    """
    left_out = set(without)
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        for module in with_parents(waiting.pop()):
            if module not in found | left_out:
                found.add(module)
                waiting += [imported for _, imported, _ in imports_in(parse(module), package_of(module))]
    return sorted(found)


def spell(node: Any) -> str:
    """A tree as text, the same under any version of Python, without docstrings and other strings that do nothing."""
    if isinstance(node, ast.AST):
        fields = [f"{name}={spell(value)}" for name, value in ast.iter_fields(node) if value not in (None, [])]
        return f"{type(node).__name__}({', '.join(fields)})"
    if isinstance(node, list):
        return f"[{', '.join(spell(each) for each in node if not is_remark(each))}]"
    return repr(node)


def is_remark(node: Any) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def digest_text(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode() + b"\n")
    return digest.hexdigest()[:DIGEST_LENGTH]


def digest_of(modules: Iterable[str]) -> str:
    """A short digest of these modules' code."""
    return digest_text(f"{module} {spell(parse(module))}" for module in modules)
