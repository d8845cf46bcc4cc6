"""Where replays live: a folder of the user's, and names that no two games share."""

import os
import re
import secrets
from datetime import datetime
from pathlib import Path

from replays.replay import ReplayError

SUFFIX = ".json"


def data_folder() -> Path:
    """The user's data folder, or the one that HSCTL_DATA names."""
    if data := os.environ.get("HSCTL_DATA"):
        return Path(data)
    from platformdirs import user_data_dir

    return Path(user_data_dir("hsctl", appauthor=False))


def replay_folder() -> Path:
    return data_folder() / "replays"


def new_name(label: str = "") -> str:
    """A file name that sorts by time; the random end keeps apart games saved in the same moment anywhere."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S-%f")[:-3]
    return "-".join(filter(None, [moment, words_of(label), secrets.token_hex(4)])) + SUFFIX


def fixed_name(label: str, digest: str) -> str:
    """A file name for a game that is known by a digest: played again, it has the same name."""
    return f"{words_of(label)}-{digest}{SUFFIX}"


def words_of(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", label).strip("-.")[:60]


def newest() -> Path:
    """The replay saved last."""
    folder = replay_folder()
    ages = [(saved_at(path), path.name, path) for path in folder.glob(f"*{SUFFIX}")]
    if not ages:
        raise ReplayError(f"no replay in {folder}: play a game first (hsctl play random random) or name a file")
    return max(ages)[2]


def saved_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0  # removed since it was listed


def parse_reference(text: str) -> tuple[Path, int | None]:
    """`FILE`, `FILE@42` or `@42` (the newest at turn 42): the file and the turn, if one is named."""
    if Path(text).exists():
        return Path(text), None
    name, at, turn = text.rpartition("@")
    if at and re.fullmatch(r"\d{1,9}", turn, re.ASCII):
        return Path(name) if name else newest(), int(turn)
    if at and Path(name).is_file():
        raise ReplayError(f"{text}: after @ stands {turn!r}, expected a turn, as in {name}@42")
    return Path(text), None
