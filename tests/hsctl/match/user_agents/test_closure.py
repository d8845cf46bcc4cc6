"""What an agent of one's own is: a digest of all that it imports."""

from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.user_agents.closure import Closure, digest_of
from hsctl.match.user_agents.spec import Target

AGENT = """
import json
import hsctl
import msgspec
import helper
from engine.rules import legal_actions

class Mine(hsctl.Agent):
    pass
"""


def digest(place: str | Path) -> str:
    return digest_of(Target(str(place), "Mine"))


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text("DEPTH = 3\n")
    (tmp_path / "stranger.py").write_text("DEPTH = 3\n")
    path = tmp_path / "mine.py"
    path.write_text(AGENT)
    return path


def test_own_files_installed_packages_and_our_modules_are_told_apart(agent: Path) -> None:
    closure = Closure(Target(str(agent), "Mine"))
    assert sorted(closure.files) == ["helper", "mine"]
    assert closure.packages == {"msgspec"}
    assert closure.ours == {"engine.rules"}


def test_what_it_imports_makes_it_another_and_nothing_else(agent: Path) -> None:
    before = digest(agent)
    agent.write_text(AGENT + "\n# a remark\n")
    (agent.parent / "stranger.py").write_text("DEPTH = 4\n")
    assert digest(agent) == before
    (agent.parent / "helper.py").write_text("DEPTH = 4  # deeper\n")
    assert digest(agent) != before
    (agent.parent / "helper.py").write_text("DEPTH = 3 # as it was\n")
    assert digest(agent) == before


def test_a_new_import_is_followed(agent: Path) -> None:
    before = digest(agent)
    (agent.parent / "helper.py").write_text("from stranger import DEPTH\n")
    changed = digest(agent)
    (agent.parent / "stranger.py").write_text("DEPTH = 10\n")
    assert len({before, changed, digest(agent)}) == 3


def test_a_package_is_followed_by_its_relative_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "mypkg_of_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "agent.py").write_text("from .inner import x\nfrom . import other\n")
    (package / "inner.py").write_text("x = 1\n")
    (package / "other.py").write_text("y = 1\n")
    names = sorted(Closure(Target("mypkg_of_test.agent", "Mine")).files)
    assert names == [f"mypkg_of_test{rest}" for rest in ("", ".agent", ".inner", ".other")]


def test_whoever_makes_built_in_agents_depends_on_them(agent: Path) -> None:
    agent.write_text(AGENT + "beam = hsctl.make_agent('beam')\n")
    assert Closure(Target(str(agent), "Mine")).makes_agents


@pytest.mark.parametrize("place", ["./nowhere.py", "no_such_module_of_test"])
def test_what_is_not_there_is_an_error(place: str) -> None:
    with pytest.raises(HsctlError, match="there is no"):
        Closure(Target(place, "Mine"))


@pytest.mark.parametrize("line", ["import search", "from search import my_plans", "import search.my_plans"])
@pytest.mark.parametrize("importer", ["mine.py", "helper.py"])
def test_a_neighbour_with_the_name_of_our_package_is_named(agent: Path, line: str, importer: str) -> None:
    (agent.parent / "search.py").write_text("my_plans = 3\n")
    path = agent.parent / importer
    path.write_text(f"{line}\n{path.read_text()}")
    with pytest.raises(HsctlError) as error:
        Closure(Target(str(agent), "Mine"))
    assert str(agent.parent / "search.py") in str(error.value) and "rename" in str(error.value)


def test_a_neighbour_that_is_not_imported_may_have_any_name(agent: Path) -> None:
    for name in ("engine", "search", "replays"):
        (agent.parent / f"{name}.py").write_text("my_plans = 3\n")
    agent.write_text(f"from search import make_agent\nfrom search.agent import Budget\n{AGENT}")
    assert sorted(Closure(Target(str(agent), "Mine")).files) == ["helper", "mine"]
