"""Where replays live: a folder of the user's, names that no two games share, and a journal of those saved elsewhere."""

import os
import re
import secrets
from datetime import datetime
from pathlib import Path

from replays.replay import ReplayError, write_bytes

SUFFIX = ".json"
JOURNAL = "saved-elsewhere.txt"  # in the data folder: paths, the newest last
MOST_IN_JOURNAL = 10_000


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
    """The replay saved last, wherever it was saved."""
    ages = [(saved_at(path), path.name, path) for path in own_replays()]
    if not ages:
        raise ReplayError(
            f"no replay in {replay_folder()}: play a game first (hsctl play random random) or name a file"
        )
    return max(ages)[2]


def own_replays() -> list[Path]:
    """All replays that hsctl saved for this user, as far as they are still there."""
    return [*replay_folder().glob(f"*{SUFFIX}"), *filter(Path.is_file, saved_elsewhere())]


def is_own(path: Path) -> bool:
    """Whether hsctl saved this file for this user."""
    place = path.absolute()
    return place.parent == replay_folder().absolute() or place in saved_elsewhere()


def remember(path: Path) -> None:
    """Note a replay that was saved; what stands in the user's own folder needs no note."""
    place, journal = path.absolute(), data_folder() / JOURNAL
    if place.parent == replay_folder().absolute() or not str(place).isprintable():
        return
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        with journal.open("a", encoding="utf-8") as file:
            file.write(f"{place}\n")
        shorten_journal(journal)
    except (OSError, UnicodeError):
        pass  # the game is saved, and can be named


def shorten_journal(journal: Path) -> None:
    """Forget the oldest half of a journal that has grown too long."""
    if journal.stat().st_size > 100 * MOST_IN_JOURNAL:
        lines = journal.read_bytes().splitlines(keepends=True)
        write_bytes(journal, b"".join(lines[-MOST_IN_JOURNAL // 2 :]))


def saved_elsewhere() -> list[Path]:
    """What the journal has, each path once."""
    try:
        text = (data_folder() / JOURNAL).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return list(dict.fromkeys(map(Path, text.splitlines())))


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
