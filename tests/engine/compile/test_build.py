"""Another build of the kernels: chosen in time, and with folders of its own in the cache."""

import subprocess
import sys

import pytest

from engine.compile import build

SCRIPT = """
from engine.compile import build
seen = []
build.use("another", lambda function, is_entry: seen.append((function.__name__, is_entry)) or function)
from engine.compile.cache import DIGESTS
import engine.rules
print(DIGESTS["engine.rules"], ("burn", False) in seen, ("play_round", True) in seen)
"""


def test_a_build_is_refused_once_kernels_may_be_compiled() -> None:
    import engine.compile.cache  # noqa: F401 (too late now)

    with pytest.raises(RuntimeError):
        build.use("another", build.leave_alone)
    assert build.change is build.leave_alone


def test_digests_are_the_usual_ones_unless_a_build_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert build.named({"engine.rules": "0123"}) == {"engine.rules": "0123"}
    monkeypatch.setattr(build, "name", "another")
    changed = build.named({"engine.rules": "0123"})["engine.rules"]
    assert len(changed) == 16 and changed != "0123"


def test_a_build_changes_every_function_and_has_its_own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.compile.cache import DIGESTS

    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    digest, *changed = done.stdout.split()
    assert changed == ["True", "True"]
    assert digest != DIGESTS["engine.rules"]
