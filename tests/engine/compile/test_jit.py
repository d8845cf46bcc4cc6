"""Kernels and entries: who may call what, and that nobody takes the other's code."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.cells import single
from engine.compile.cache import JIT_DISABLED
from engine.jit import Entry, Kernel, entry, inline, kernel
from engine.rules import legal_actions, play_round, step
from engine.state import new_map, new_state

ROOT = Path(__file__).parents[3]
compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="without the compiler everything is plain Python")


@compiled_only
@pytest.mark.parametrize("function", [step, single])
def test_python_calling_a_kernel_is_told_what_to_do(function):
    assert isinstance(function, Kernel)
    name = f"{function.py_func.__module__}.{function.py_func.__name__}"
    with pytest.raises(TypeError, match=rf"^{name} can only be called by kernels: make it an @entry"):
        function(new_state(), new_map(), 0)


@compiled_only
def test_entries_are_called_by_python_and_by_kernels():
    assert not isinstance(play_round, Kernel)
    play_round(state := new_state(), new_map(), 0)
    assert state.turn == 1
    assert legal_actions(new_state(), 0) == 0


@compiled_only
def test_an_entry_above_inline_stays_merged_into_its_callers():
    def same(number):
        return number

    assert entry(inline(same)).targetoptions["forceinline"]
    assert not entry(kernel(same)).targetoptions["forceinline"]
    assert isinstance(entry(same), Entry) and not isinstance(entry(same), Kernel)


TWICE = """
from engine.jit import entry, inline, kernel

@kernel
def double(number):
    return number + number

@entry
def twice(number):
    return double(double(number))

double_here = entry(double)
"""


@pytest.mark.slow
@compiled_only
def test_kernel_and_entry_of_one_function_are_kept_apart(tmp_path):
    (tmp_path / "twice.py").write_text(TWICE)
    environment = {**os.environ, "HSCTL_CACHE": str(tmp_path / "cache"), "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    for order, printed in (("twice(3), double_here(3)", "12 6\n"), ("double_here(3), twice(3)", "6 12\n")):
        code = f"from twice import *; print({order})"  # the second time from the cache
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert done.stdout == printed, done.stderr


THRICE = """
from engine.jit import entry

@entry
def {name}(number):
    return twice(number) + 2 * number

from twice import twice
"""


@pytest.mark.slow
@compiled_only
def test_an_entry_from_the_cache_is_taken_in_by_callers_that_are_compiled_later(tmp_path):
    (tmp_path / "twice.py").write_text(TWICE)
    environment = {**os.environ, "HSCTL_CACHE": str(tmp_path / "cache"), "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    for name, calls in (("first", "first(3)"), ("second", "second(3)"), ("third", "twice(3) + third(3) - 12")):
        (tmp_path / "thrice.py").write_text(THRICE.format(name=name))
        code = f"from thrice import *; print({calls})"
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert done.stdout == "18\n", done.stderr


@compiled_only
def test_numbers_in_callers_do_not_specialise():
    @kernel
    def plus(a, b):
        return a + b

    @entry
    def sums(a):
        return plus(a, 1) + plus(a, 2) + plus(2, a) + plus(1, 1)

    assert sums(np.int64(5)) == 6 + 7 + 7 + 2
    assert len(plus.signatures) == 1
