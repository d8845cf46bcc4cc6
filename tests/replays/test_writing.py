"""Files written whole or not at all: drafts, links, devices, and what is removed of killed processes."""

import ast
import os
import stat
import time
from pathlib import Path

import pytest

from engine.errors import HsctlError
from replays.files import OLD_S, draft_of, remove_drafts, write_bytes, written_whole

ROOT = Path(__file__).parents[2]
WRITERS = {
    "hsctl/cli/bench.py",  # drafts of written_whole
    "replays/files.py",
    "hsctl/match/bots/confine.py",  # to /proc
    "hsctl/analysis/explain/tracing/files.py",  # rows as they come, to a draft of their own
}
WRITING = {"write_text", "write_bytes"}


def writes_in_place(node: ast.AST) -> bool:
    """Whether it is `path.write_text(...)` and the like, or `open(path, "w")` of anything but a draft."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in WRITING:
        return True
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    modes = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    is_draft = any(isinstance(each, ast.Name) and each.id == "draft" for each in node.args)
    return name == "open" and any(set(mode) & set("wx") and len(mode) <= 3 for mode in modes) and not is_draft


@pytest.mark.parametrize("package", ["hsctl", "replays"])
def test_nothing_else_writes_files_in_place(package: str) -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / package).rglob("*.py")
        if any(map(writes_in_place, ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found <= WRITERS


def test_an_exception_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), written_whole(path) as draft:
        draft.write_text("half")
        raise KeyboardInterrupt
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("page.html", "old")]


def test_a_file_stays_as_private_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.touch(0o600)
    write_bytes(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "target").read_text() == "old"
    assert (tmp_path / "link").read_bytes() == b"new" and not (tmp_path / "link").is_symlink()


@pytest.mark.linux
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_bytes(pipe, b"page")
    assert os.read(reader, 10) == b"page" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)


def test_a_folder_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(HsctlError):
        write_bytes(tmp_path, b"page")


def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    write_bytes(tmp_path / ("ä" * 125 + ".json"), b"page")
    assert len(list(tmp_path.iterdir())) == 1


def old(path: Path, age_s: float = OLD_S + 60) -> Path:
    path.touch()
    os.utime(path, (time.time() - age_s,) * 2)
    return path


def test_the_next_run_removes_drafts_that_are_old_and_ours(tmp_path: Path) -> None:
    ours = draft_of(tmp_path / "game.json")
    log = tmp_path / (draft_of(tmp_path / "ledger.sqlite").name + "-wal")
    kept = [
        draft_of(tmp_path / "young.json"),
        tmp_path / ".game.json.1234abcd.tmp",  # of whoever
        tmp_path / "game.hsctl-1234abcd.tmp",
        tmp_path / ".game.json.hsctl-1234abcd.tmp.bak",
        tmp_path / "target",
    ]
    for path in (ours, log, *kept):
        old(path)
    old(kept[0], OLD_S - 3600)
    link, folder = draft_of(tmp_path / "link"), draft_of(tmp_path / "folder")
    link.symlink_to(tmp_path / "target")
    os.utime(link, (0, 0), follow_symlinks=False)
    folder.mkdir()
    os.utime(folder, (0, 0))
    remove_drafts.cache_clear()
    write_bytes(tmp_path / "new.json", b"new")
    assert set(tmp_path.iterdir()) == {*kept, link, folder, tmp_path / "new.json"}
