"""The compile cache: an edit anywhere in the compiled packages is never hidden by what was compiled before."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.jit import COMPILED_PACKAGES

ROOT = Path(__file__).parents[2]

# Plays a round in which a bomb of range 2 explodes beside two boxes, one cell and two cells away.
PLAY = """
from engine.notation import format_position, parse_position
rows = ["...." + "0" + "." * 8 if y == 0 else ".X.X.X.X.X.X." if y % 2 else "." * 13 for y in range(11)]
game = parse_position("\\n".join([*rows, "3", "0 0 12 10 1 3", "0 1 0 10 1 3", "1 0 2 0 1 2"]))
game.step([0, 0])
print(game.boxes[0])
"""
BLAST = "engine/blast.py"
REACH = "reach = bomb_range - ONE"


@pytest.fixture
def copied(tmp_path):
    """A copy of the compiled packages with a cache of its own."""
    for package in COMPILED_PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(folder, code=PLAY):
    environment = {**os.environ, "HSCTL_CACHE": str(folder / "cache"), "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def edit(folder, old, new):
    """Change a line without a trace in size or time of the file, which numba itself would look at."""
    path = folder / BLAST
    text, times = path.read_text(), path.stat()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new.ljust(len(old))))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def compiled_files(folder):
    return {path for path in (folder / "cache").rglob("*") if path.suffix in (".nbc", ".nbi")}


def test_an_edit_of_a_rule_is_seen_at_once_and_undoing_it_finds_what_was_compiled_before(copied):
    assert run(copied) == "0"
    edit(copied, REACH, "reach = bomb_range")
    assert run(copied) == "1"
    compiled = compiled_files(copied)
    assert len({path.relative_to(copied / "cache").parts[0] for path in compiled}) == 2
    edit(copied, "reach = bomb_range".ljust(len(REACH)), REACH)
    assert run(copied) == "0"
    assert compiled_files(copied) == compiled


DIGEST = "from engine.jit import source_digest; print(source_digest())"


@pytest.mark.parametrize("package", COMPILED_PACKAGES)
def test_the_cache_is_named_by_every_source_file(copied, package):
    before = run(copied, DIGEST)
    (copied / package / "deeper").mkdir()
    (copied / package / "deeper" / "new.py").write_text("")
    added = run(copied, DIGEST)
    (copied / package / "deeper" / "new.py").write_text("# a word\n")
    changed = run(copied, DIGEST)
    shutil.rmtree(copied / package / "deeper")
    assert len({before, added, changed}) == 3
    assert run(copied, DIGEST) == before


def test_folders_of_other_versions_are_removed_when_long_unused(copied):
    old, recent = copied / "cache" / "numba-old", copied / "cache" / "numba-recent"
    for folder in (old, recent):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    run(copied, "import engine.jit")
    assert not old.exists()
    assert recent.exists()
