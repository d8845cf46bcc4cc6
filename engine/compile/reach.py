"""Find the source that kernels are compiled from: every definition that they reach by name, in any file.

    @kernel                         from engine.board import SEVEN --> SEVEN = U64(7) --> U64 = np.uint64
    def hash_state(state):   -->    KEYS = make_keys(22) ------------> def make_keys(count): ...
        ... SEVEN ... KEYS ...

Constants and tables are frozen into machine code, so the code that makes them counts too. Code that no kernel reaches
(Python around it, parameters, comments, docstrings) doesn't count. A definition is a statement of a module's top level.
Where a name is ambiguous, all its meanings count.

Kernels also depend on the order of fields in the tuples that they receive, which no kernel names. So the fields of
every NamedTuple count for every kernel. (numba checks the fields of records. No kernel receives a kernel.)
"""

import ast
from collections.abc import Iterator
from functools import cached_property

from engine.compile.sources import digest_text, imports_in, is_remark, modules_in, package_of, parse, spell, walk

COMPILERS = {("engine.jit", name) for name in ("kernel", "inline", "entry")}
Origin = tuple[str, str | None]  # a module and a name in it; None: the module itself
FUNCTIONS_AND_CLASSES = ast.FunctionDef | ast.ClassDef


class Definition:
    """A statement of a module's top level."""

    def __init__(self, module: str, statement: ast.stmt) -> None:
        self.module = module
        self.statement = statement

    @cached_property
    def text(self) -> str:
        return f"{self.module} {spell(self.statement)}"

    @cached_property
    def names(self) -> frozenset[str]:
        """All names in it."""
        return frozenset(names_in(self.statement))

    @cached_property
    def changed(self) -> frozenset[str]:
        """The names that it binds, or whose value it may change."""
        if isinstance(self.statement, FUNCTIONS_AND_CLASSES):
            return frozenset([self.statement.name])
        if isinstance(self.statement, ast.Expr):  # a call may change whatever it is given
            return self.names
        inner = walk(self.statement)
        stored = [node for node in inner if isinstance(getattr(node, "ctx", None), ast.Store)]
        defined = [node.name for node in inner if isinstance(node, FUNCTIONS_AND_CLASSES)]
        return frozenset([*defined, *(name for node in stored for name in names_in(node))])

    @property
    def fields(self) -> list[str]:
        """The fields of a NamedTuple, in order."""
        if not isinstance(self.statement, ast.ClassDef) or not any(
            "NamedTuple" in spell(b) for b in self.statement.bases
        ):
            return []
        return [spell(each.target) for each in self.statement.body if isinstance(each, ast.AnnAssign)]


def names_in(tree: ast.AST) -> Iterator[str]:
    return (node.id for node in walk(tree) if isinstance(node, ast.Name))


class Module:
    """The definitions of a module, and the origins of its names."""

    def __init__(self, name: str) -> None:
        self.definitions = [Definition(name, each) for each in parse(name).body if not is_remark(each)]
        self.changed: dict[str, list[Definition]] = {}
        for definition in self.definitions:
            for changed in definition.changed:
                self.changed.setdefault(changed, []).append(definition)
        self.imported: dict[str, list[Origin]] = {}
        for bound, source, inner in imports_in(parse(name), package_of(name)):
            self.imported.setdefault(bound, []).append((source, inner))

    @property
    def kernels(self) -> list[Definition]:
        """The definitions with kernels."""
        compilers = {name for name, origins in self.imported.items() if COMPILERS.intersection(origins)}
        return [each for each in self.definitions if compilers & each.names]


class Reach:
    """Follows names from kernels through all modules of some packages and whatever these import."""

    def __init__(self, *packages: str) -> None:
        self.names = modules_in(*packages)
        self.modules: dict[str, Module] = {}
        self.named: dict[Definition, list[Definition]] = {}
        fields = [str(each.fields) for name in self.names for each in self.module(name).definitions if each.fields]
        self.tuples = digest_text(fields)

    def module(self, name: str) -> Module:
        if name not in self.modules:
            self.modules[name] = Module(name)
        return self.modules[name]

    def meanings(self, module: str, name: str) -> Iterator[Definition]:
        """The definitions that a name of a module may refer to."""
        yield from self.module(module).changed.get(name, ())
        for source, inner in self.module(module).imported.get(name, ()):
            yield from self.module(source).definitions if inner is None else self.meanings(source, inner)

    def named_in(self, definition: Definition) -> list[Definition]:
        """All that the names in a definition may refer to."""
        if definition not in self.named:
            self.named[definition] = [
                each for name in definition.names for each in self.meanings(definition.module, name)
            ]
        return self.named[definition]

    def reached(self, module: str) -> list[Definition]:
        """The kernels of a module and all that they reach, in the order of the sources."""
        found: set[Definition] = set()
        waiting = self.module(module).kernels
        while waiting:
            definition = waiting.pop()
            if definition not in found:
                found.add(definition)
                waiting += self.named_in(definition)
        everything = (each for name in sorted(self.modules) for each in self.modules[name].definitions)
        return [each for each in everything if each in found]

    def digests(self) -> dict[str, str]:
        """For each module with kernels, a short digest of the source they are compiled from."""
        return {
            name: digest_text([self.tuples, *(definition.text for definition in self.reached(name))])
            for name in self.names
            if self.module(name).kernels
        }
