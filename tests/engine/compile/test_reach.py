"""What is compiled: nothing that a kernel reaches is missed, and little that it doesn't reach is taken in."""

import importlib
import types

import pytest

from engine.compile.cache import COMPILED_PACKAGES, DIGESTS
from engine.compile.reach import Reach

FILES = {
    "engine/jit.py": "def kernel(function):\n    return function\n",
    "engine/board.py": """
import numpy as np
U64 = np.uint64
SEVEN = U64(7)
EIGHT = U64(8)
def make_table():
    return [SEVEN]
TABLE = make_table()
TABLE[0] = 3
if EIGHT:
    def count(x):
        return x
""",
    "engine/rules.py": """
'Rounds.'
from engine.board import SEVEN, TABLE, count
from engine.jit import kernel
class Pair(NamedTuple):
    first: int
    second: int
@kernel
def step(state):
    '''Play on.'''
    return state + TABLE[0]
@kernel
def jump(state):
    return count(step(state))
def play(state):
    return step(state) + SEVEN
""",
    "search/beam/agent.py": """
from engine import rules as fast
from engine.jit import kernel
@kernel
def search(state):
    return fast.step(state)
""",
}


@pytest.fixture
def digest(project):
    """Writes a change of the small project and returns the digest of its rules (or of another module)."""
    for name, text in FILES.items():
        project.write(name, text)

    def change(name, old="", new="", module="engine.rules"):
        assert old in FILES[name]
        project.write(name, FILES[name].replace(old, new))
        found = Reach("engine", "search").digests()
        project.write(name, FILES[name])
        return found[module]

    return change


def test_only_modules_that_compile_something_have_a_digest(digest):
    assert list(Reach("engine", "search").digests()) == ["engine.rules", "search.beam.agent"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param("engine/rules.py", "state + TABLE", "state - TABLE", id="a kernel"),
        pytest.param("engine/jit.py", "return function", "return None", id="the compiler's options"),
        pytest.param("engine/board.py", "return [SEVEN]", "return [SEVEN, 1]", id="what makes a table"),
        pytest.param("engine/board.py", "U64(7)", "U64(6)", id="a constant behind a table"),
        pytest.param("engine/board.py", "TABLE[0] = 3", "TABLE[0] = 4", id="a table changed after it was made"),
        pytest.param("engine/board.py", "return x", "return -x", id="a function defined under a condition"),
        pytest.param("engine/rules.py", "first: int\n    second", "second: int\n    first", id="fields of a tuple"),
    ],
)
def test_whatever_a_kernel_reaches_changes_its_digest(digest, name, old, new):
    for module in ("engine.rules", "search.beam.agent"):
        assert digest(name, old, new, module) != digest(name, module=module)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param("engine/rules.py", "'''Play on.'''", "", id="a docstring"),
        pytest.param("engine/rules.py", "step(state) + SEVEN", "step(state)", id="plain Python"),
        pytest.param("engine/board.py", "SEVEN = U64(7)", "SEVEN = U64(7)  # cells", id="a comment"),
        pytest.param("engine/board.py", "import numpy as np", "import numpy as np\nNINE = 9", id="another constant"),
        pytest.param("engine/rules.py", "first: int", "first: str", id="the type of a field, which numba looks at"),
    ],
)
def test_what_no_kernel_reaches_leaves_its_digest_as_it_is(digest, name, old, new):
    assert digest(name, old, new) == digest(name)


def test_a_module_taken_as_a_whole_counts_without_its_docstring(digest):
    module = "search.beam.agent"
    assert digest("engine/rules.py", "'Rounds.'", "", module) == digest("engine/rules.py", module=module)
    assert digest("engine/rules.py", "step(state) + SEVEN", "0", module) != digest("engine/rules.py", module=module)


def kernels_of(module):
    """The compiled functions of a module of ours, as plain functions."""
    found = [getattr(value, "py_func", value) for value in vars(module).values()]
    return [each for each in found if isinstance(each, types.FunctionType) and each.__module__ == module.__name__]


def globals_of(function):
    """The names outside a function that it uses, with their values; without modules."""
    codes = [function.__code__]
    for code in codes:
        codes += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    used = {name for code in codes for name in code.co_names}
    return {
        name: value
        for name, value in function.__globals__.items()
        if name in used and not isinstance(value, types.ModuleType)
    }


def test_every_name_that_one_of_our_kernels_uses_is_reached():
    reach = Reach(*COMPILED_PACKAGES)
    checked = 0
    for name in DIGESTS:
        reached = set(reach.reached(name))
        compiled = {each.statement.name for each in reach.module(name).kernels if hasattr(each.statement, "name")}
        for function in kernels_of(importlib.import_module(name)):
            if function.__name__ in compiled:
                for used in globals_of(function):
                    meanings = set(reach.meanings(name, used))
                    assert meanings and meanings <= reached, f"{name}.{function.__name__}: {used}"
                    checked += 1
    assert checked > 500
