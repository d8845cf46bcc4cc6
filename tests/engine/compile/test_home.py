"""Compiled code is unpickled, so it is kept where nobody else can write, and clean-up touches nothing of others."""

import os
import time
from pathlib import Path

import pytest

from engine.compile import cache
from engine.errors import HsctlError

LONG_AGO = time.time() - 400 * 86400


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shared temporary folder, and no user cache."""
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("HSCTL_CACHE", raising=False)
    monkeypatch.setattr(cache, "user_cache", lambda: tmp_path / "file")
    (tmp_path / "file").write_text("in the way")
    return tmp_path


def test_a_temporary_cache_is_the_users_own(temporary: Path) -> None:
    home = cache.cache_home()
    assert home == temporary / f"hsctl-{os.getuid()}"
    assert home.stat().st_mode & 0o777 == 0o700
    assert cache.cache_home() == home


@pytest.mark.parametrize("kind", ["open", "link", "file"])
def test_a_folder_that_others_prepared_is_not_used(temporary: Path, kind: str) -> None:
    trap = temporary / f"hsctl-{os.getuid()}"
    if kind == "open":
        trap.mkdir()
        trap.chmod(0o777)
    elif kind == "link":
        (temporary / "theirs").mkdir(mode=0o700)
        trap.symlink_to(temporary / "theirs")
    else:
        trap.write_text("")
    home = cache.cache_home()
    assert home != trap and home.is_dir() and home.stat().st_mode & 0o777 == 0o700


def test_nobody_has_a_home(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.setattr(cache, "user_cache", homeless)
    assert cache.cache_home().parent == temporary


def test_a_named_cache_that_cannot_be_written_is_an_error(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HSCTL_CACHE", str(temporary / "file" / "below"))
    with pytest.raises(HsctlError, match="HSCTL_CACHE="):
        cache.cache_home()


def test_clean_up_removes_only_what_is_named_as_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = ["numba-0.68.1-py311-engine.rules-6c1f0be3a7d94f52", "numba-0.68.1-py311-6c1f0be3a7d94f52"]
    others = ["numba-examples", "numba-0.68.1", "kernels-of-mine.json", "src", "numba-0.68.1-py311-notours"]
    for name in [*ours, *others]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "precious").write_text("")
        os.utime(tmp_path / name, (LONG_AGO, LONG_AGO))
    (tmp_path / "numba-0.68.1-py312-6c1f0be3a7d94f52").symlink_to(tmp_path / "src")
    monkeypatch.setattr(cache, "HOME", tmp_path)
    cache.remove_unused()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*others, "numba-0.68.1-py312-6c1f0be3a7d94f52"}
    assert (tmp_path / "numba-examples" / "precious").exists()


def test_what_killed_processes_left_is_removed_once_it_is_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "HOME", tmp_path)
    folder = cache.open_folder("engine.rules-6c1f0be3a7d94f52")
    kept = ["rules.step.py311.nbi", "rules.step.py311.1.nbc", "rules.step.py311.nbi.lock", "notes.txt", "game.ready"]
    lost = ["rules.act.py311.1.nbc", "rules.step.py311.1.nbc.4711", "rules.act.py311.nbi.tmp.6c1f0be3a7d94f52"]
    for name in [*kept, *lost]:
        (folder / name).touch()
    cache.open_folder("engine.rules-6c1f0be3a7d94f52")
    assert {path.name for path in folder.iterdir()} == {*kept, *lost}
    for name in [*kept, *lost]:
        os.utime(folder / name, (LONG_AGO, LONG_AGO))
    (tmp_path / "kernels-6c1f0be3a7d94f52.4711").touch()
    os.utime(tmp_path / "kernels-6c1f0be3a7d94f52.4711", (LONG_AGO, LONG_AGO))
    cache.open_folder("engine.rules-6c1f0be3a7d94f52")
    cache.remove_unused()
    assert {path.name for path in folder.iterdir()} == set(kept)
    assert list(tmp_path.iterdir()) == [folder]
