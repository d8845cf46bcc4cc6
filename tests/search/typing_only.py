"""Counts compilations without compiling: finds the types of kernels, and of those that they call, and stops there."""

import gc
from types import SimpleNamespace
from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing import signature

from engine.jit import Entry


@register_pass(mutates_CFG=False, analysis_only=True)
class Stop(FunctionPass):
    _name = "stop_after_typing"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        found = signature(state.return_type, *state.args)
        state.cr = SimpleNamespace(signature=found, objectmode=False, typing_error=None)
        return False


class TypingOnly(CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        passes = DefaultPassBuilder.define_untyped_pipeline(self.state)
        passes.add_pass(NopythonTypeInference, "types")
        passes.add_pass(Stop, "no more")
        passes.finalize()
        return [passes]


def entries_used() -> list[tuple[Entry, Any]]:
    """The entries that Python called in this process, with the types they were called with."""
    entries = [each for each in gc.get_objects() if isinstance(each, Entry)]
    return [(each, types) for each in entries for types in each.signatures]


def specialisations(used: list[tuple[Entry, Any]]) -> dict[str, int]:
    """How often each function is compiled for these entries."""
    counts: dict[str, int] = {}

    def compile_types(self: Entry, types: Any) -> None:
        if tuple(types) not in self.overloads:
            name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
            counts[name] = counts.get(name, 0) + 1
            self._compiler.pipeline_class = TypingOnly
            found = self._compiler.compile(tuple(types), None)
            self.overloads[tuple(types)] = found

    for each in gc.get_objects():
        if isinstance(each, Entry):
            each.overloads.clear()
    Entry.compile = compile_types
    for each, types in used:
        each.compile(types)
    return counts
