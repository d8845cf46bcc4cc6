"""The compile cache: an edit of what is compiled is never hidden by what was compiled before, others cost nothing."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.compile.conftest import copy_packages

# Plays a round in which a bomb of range 2 explodes near two boxes, one and two cells away.
PLAY = """
from engine.notation import parse_position
from engine.rules import play_round
rows = ["...." + "0" + "." * 8 if y == 0 else ".X.X.X.X.X.X." if y % 2 else "." * 13 for y in range(11)]
game = parse_position("\\n".join([*rows, "3", "0 0 12 10 1 3", "0 1 0 10 1 3", "1 0 2 0 1 2"]))
play_round(game.state, game.map, 0)
print(game.boxes[0])
"""
BLAST, SPEC = "engine/blast.py", "engine/spec/naive.py"
OLD, RECENT = "numba-0.60.0-py311-0123456789abcdef", "numba-0.60.0-py311-engine.rules-0123456789abcdef"
REACH, FARTHER = "abs(other - place) < bomb_range", "abs(other - place) <=bomb_range"


def run(folder, code=PLAY):
    """Without bytecode, which would hide an edit that leaves no trace in size or time of the file."""
    folders = {"HSCTL_CACHE": str(folder / "cache"), "PYTHONPATH": str(folder)}
    environment = {**os.environ, **folders, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def edit(folder, name, old, new):
    """Change a line without a trace in size or time of the file, which numba itself would look at."""
    path = folder / name
    text, times = path.read_text(), path.stat()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new.ljust(len(old))))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def compiled_files(folder):
    return {path for path in (folder / "cache").rglob("*") if path.suffix in (".nbc", ".nbi")}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A copy of the compiled packages whose cache holds the code of a round."""
    folder = copy_packages(tmp_path_factory.mktemp("played"))
    assert run(folder) == "0"
    assert compiled_files(folder)
    return folder


@pytest.fixture
def filled(played, tmp_path):
    """The same in a folder of its own, cache and all."""
    return Path(shutil.copytree(played, tmp_path, dirs_exist_ok=True))


@pytest.mark.slow
def test_an_edit_of_a_rule_is_seen_at_once_and_undoing_it_finds_what_was_compiled_before(filled):
    before = compiled_files(filled)
    edit(filled, BLAST, REACH, FARTHER)
    assert run(filled) == "1"
    compiled = compiled_files(filled)
    assert compiled > before
    edit(filled, BLAST, FARTHER, REACH)
    assert run(filled) == "0"
    assert compiled_files(filled) == compiled


FOLDERS = """
from engine.compile.cache import CACHE, DIGESTS
print({**DIGESTS, "": CACHE.name})
"""


def folders(folder):
    """The digest of every module with kernels, and the name of the folder for all others."""
    return ast.literal_eval(run(folder, FOLDERS))


def changed(before, after):
    return {module for module in before if module and before[module] != after[module]}


def test_only_modules_whose_kernels_reach_an_edit_start_a_new_folder(copied):
    before = folders(copied)
    edit(copied, SPEC, "me.bombs_left -= 1", "me.bombs_left -= 2")
    after = folders(copied)
    aside = {"engine.spec.wild", "engine.spec.perft"}  # which don't reach the plain rules
    assert changed(before, after) == {module for module in before if module.startswith("engine.spec.")} - aside
    assert after[""] != before[""]


def test_comments_docstrings_and_plain_python_leave_all_folders_as_they_are(copied):
    before = folders(copied)
    for path in [*copied.glob("engine/**/*.py"), *copied.glob("search/**/*.py")]:
        path.write_text("# A remark.\n" + path.read_text().replace('"""', '"""Said anew. ', 1))
    for name in (BLAST, "engine/notation.py", "search/beam/params.py"):
        path = copied / name
        path.write_text(path.read_text() + "\n\ndef not_compiled():\n    return 1\n")
    assert folders(copied) == before


def test_a_comment_in_a_file_of_kernels_compiles_nothing(filled):
    compiled = {path: path.stat().st_mtime_ns for path in compiled_files(filled)}
    assert any("engine.rules" in str(path) for path in compiled)
    for path in filled.glob("engine/*.py"):
        path.write_text("# A remark that moves every line.\n" + path.read_text())
    assert run(filled) == "0"
    assert {path: path.stat().st_mtime_ns for path in compiled_files(filled)} == compiled


def test_digests_that_cannot_be_read_are_found_again(copied):
    before = folders(copied)
    for kept in (copied / "cache").glob("kernels-*.json"):
        kept.write_text("{")
    assert folders(copied) == before


def test_what_is_long_unused_is_removed(copied):
    old, recent, digests = (copied / "cache" / name for name in (OLD, RECENT, "kernels-0123456789abcdef.json"))
    for folder in (old, recent):
        folder.mkdir(parents=True)
    digests.write_text("{}")
    for path in (old, digests):
        os.utime(path, (0, 0))
    run(copied, "import engine.compile.cache")
    assert not old.exists()
    assert not digests.exists()
    assert recent.exists()


@pytest.mark.slow
def test_a_truncated_file_of_the_cache_is_compiled_again(filled):
    for path in compiled_files(filled):
        path.write_bytes(path.read_bytes()[:40])
    assert run(filled) == "0"
