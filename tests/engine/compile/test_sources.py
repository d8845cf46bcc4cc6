"""Sources read, not imported: what a module loads, and when two texts say the same."""

import pytest

from engine.compile.sources import digest_of, import_closure

FILES = {
    "engine/__init__.py": '"""The engine."""',
    "engine/board.py": "WIDTH = 13",
    "engine/rules.py": "from engine.board import WIDTH\nimport os, numpy",
    "search/beam/agent.py": "from search.beam import kernels as k\n\ndef late():\n    import engine.rules",
    "search/beam/kernels.py": "from ..common import score",
    "search/common.py": "def score():\n    return 'a'\n",
    "search/duel.py": "from search import beam",
}


@pytest.fixture(autouse=True)
def written(project):
    for name, text in FILES.items():
        project.write(name, text)


def test_the_closure_follows_imports_of_modules_names_and_packages():
    assert import_closure("engine.rules") == ["engine", "engine.board", "engine.rules"]
    assert import_closure("search.duel") == ["search", "search.beam", "search.duel"]


def test_the_closure_finds_imports_inside_functions_and_relative_ones():
    assert import_closure("search.beam.agent") == [
        "engine",
        "engine.board",
        "engine.rules",
        "search",
        "search.beam",
        "search.beam.agent",
        "search.beam.kernels",
        "search.common",
    ]


def test_what_is_left_out_takes_along_what_only_it_loads():
    found = import_closure("search.beam.agent", without=["engine.rules", "search.beam.kernels"])
    assert found == ["engine", "search", "search.beam", "search.beam.agent"]


def test_a_module_that_is_not_there_is_refused():
    with pytest.raises(ModuleNotFoundError, match=r"search\.nowhere"):
        import_closure("search.nowhere")


@pytest.mark.parametrize(
    "same",
    [
        "def score():\n    return 'a'  # the first letter\n",
        'def score():\n    """How good it is."""\n    return "a"',
        '"""What is shared."""\n\n\ndef score(\n):\n    "remark"\n    return ("a")',
    ],
)
def test_comments_docstrings_and_layout_leave_a_digest_as_it_is(project, same):
    before = digest_of(["search.common"])
    project.write("search/common.py", same)
    assert digest_of(["search.common"]) == before


@pytest.mark.parametrize(
    "other", ["def score():\n    return 'b'", "def score(x):\n    return 'a'", "def score():\n    return None", ""]
)
def test_whatever_runs_changes_a_digest(project, other):
    before = digest_of(["search.common"])
    project.write("search/common.py", other)
    assert digest_of(["search.common"]) != before
