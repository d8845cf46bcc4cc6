"""Python calls entries only, as far as the sources tell: on paths that hardly any test takes as well."""

import ast
from collections.abc import Iterator

import pytest

from engine.compile.reach import Definition, Reach
from engine.compile.sources import PACKAGES, modules_in

DECORATORS = {"entry", "kernel", "inline", "instruction"}


def decorators_of(definition: Definition) -> set[str]:
    """The decorators that make something compiled of a function; empty for all else."""
    if not isinstance(definition.statement, ast.FunctionDef):
        return set()
    decorators = definition.statement.decorator_list
    return DECORATORS.intersection(each.id for each in map(called_or_named, decorators) if isinstance(each, ast.Name))


def called_or_named(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def kernels_called(reach: Reach, module: str) -> Iterator[str]:
    """Kernels that are no entries, named in plain functions and classes of a module."""
    for definition in reach.module(module).definitions:
        if not isinstance(definition.statement, ast.FunctionDef | ast.ClassDef) or decorators_of(definition):
            continue
        for name in definition.names:
            for meaning in reach.meanings(module, name):
                found = decorators_of(meaning)
                if found and "entry" not in found:
                    yield f"{module}: {meaning.module}.{meaning.statement.name}"


@pytest.mark.slow
def test_python_calls_entries_only():
    reach = Reach(*PACKAGES)
    called = {each for module in modules_in(*PACKAGES) for each in kernels_called(reach, module)}
    assert not called, "make them an @entry"


def test_a_kernel_called_by_python_is_found(project):
    project.write("engine/jit.py", "def kernel(function): ...\ndef entry(function): ...\n")
    project.write("engine/rules.py", "from engine.jit import *\n@entry\ndef play(): ...\n@kernel\ndef step(): ...\n")
    project.write("search/beam/agent.py", "from engine.rules import play, step\n\ndef run():\n    play()\n    step()\n")
    assert list(kernels_called(Reach("engine", "search"), "search.beam.agent")) == [
        "search.beam.agent: engine.rules.step"
    ]
