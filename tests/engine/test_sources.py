"""Sources read, not imported: what a module loads, and when two texts say the same."""

import pytest

from engine import sources
from engine.sources import digest_of, import_closure

FILES = {
    "engine/__init__.py": '"""The engine."""',
    "engine/board.py": "WIDTH = 13",
    "engine/rules.py": "from engine.board import WIDTH\nimport os, numpy",
    "search/__init__.py": "",
    "search/beam/__init__.py": "",
    "search/beam/agent.py": "from search.beam import kernels as k\n\ndef late():\n    import engine.rules",
    "search/beam/kernels.py": "from ..common import score",
    "search/common.py": "def score():\n    return 'a'\n",
    "search/duel.py": "from search import beam",
}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small project in place of ours."""
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    for name, text in FILES.items():
        write(tmp_path, name, text)
    yield tmp_path
    sources.parse.cache_clear()


def write(tree, name, text):
    sources.parse.cache_clear()
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(text)


def test_the_closure_follows_imports_of_modules_names_and_packages(tree):
    assert import_closure("engine.rules") == ["engine", "engine.board", "engine.rules"]
    assert import_closure("search.duel") == ["search", "search.beam", "search.duel"]


def test_the_closure_finds_imports_inside_functions_and_relative_ones(tree):
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


def test_a_module_that_is_not_there_is_refused(tree):
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
def test_comments_docstrings_and_layout_leave_a_digest_as_it_is(tree, same):
    before = digest_of(["search.common"])
    write(tree, "search/common.py", same)
    assert digest_of(["search.common"]) == before


@pytest.mark.parametrize(
    "other", ["def score():\n    return 'b'", "def score(x):\n    return 'a'", "def score():\n    return None", ""]
)
def test_whatever_runs_changes_a_digest(tree, other):
    before = digest_of(["search.common"])
    write(tree, "search/common.py", other)
    assert digest_of(["search.common"]) != before


def test_our_own_agents_load_no_trace_readers_and_no_other_agents():
    closure = import_closure("search.duel.agent")
    assert "engine.rules" in closure
    assert not [module for module in closure if module.startswith(("hsctl", "replays", "search.hybrid.agent"))]
