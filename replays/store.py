"""Where replays live: a folder of the user's, names that no two games share, and two journals.

saved-elsewhere.txt    the paths of replays outside of the data folder, so that the newest is found; nobody trusts it
vouched/N.txt          a digest of every replay that hsctl saved for this user: recorded commands run by it alone

Digests are appended, each with one write, to the last of some files. When that is full a new one follows, and the
oldest is removed. So nothing is ever rewritten: writers need no lock, and kill -9 costs the last digest at most.
"""

import os
import re
import secrets
import stat
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from replays.files import write_bytes
from replays.replay import ReplayError

FIRST_S, LAST_S = 0.0, 253_402_200_000.0  # of file times: 1970 and the end of 9999
SUFFIX = ".json"
JOURNAL = "saved-elsewhere.txt"  # in the data folder: paths, the newest last
MOST_IN_JOURNAL = 10_000
VOUCHED = "vouched"  # in the data folder: files of digests
MOST_VOUCHED = 1 << 20  # bytes of each: about 16,000 digests
FILES_OF_DIGESTS = 16
OURS = getattr(os, "getuid", lambda: 0)()
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # nor a named pipe


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


# What hsctl saved, by content


def digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=32).hexdigest()


def save(path: Path, data: bytes) -> None:
    """Save a replay that hsctl played for this user: its recorded commands may run again.

    The digest comes first: a game is never on disk without it.
    """
    vouch(data)
    write_bytes(path, data)
    remember(path)


def vouch(data: bytes) -> None:
    """Note the digest of a replay."""
    folder = data_folder() / VOUCHED
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        numbers = digest_files(folder)
        last = numbers[-1] if numbers else 0
        if numbers and (folder / f"{last}.txt").stat().st_size >= MOST_VOUCHED:
            last += 1
            for number in numbers[: -FILES_OF_DIGESTS + 1]:
                (folder / f"{number}.txt").unlink(missing_ok=True)
        file = os.open(folder / f"{last}.txt", os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_LINK, 0o600)
        try:
            os.write(file, f"\n{digest_of(data)}\n".encode())  # a new line first: the last one may have been cut off
        finally:
            os.close(file)
    except OSError:
        pass  # the game can be saved, and played on with --trust


def is_vouched(digest: str) -> bool:
    """Whether hsctl saved a replay with this digest for this user; a journal that others can write to says nothing."""
    folder, line = data_folder() / VOUCHED, f"\n{digest}\n".encode()
    with suppress(OSError):
        if is_ours(folder.lstat()):
            return any(line in read_digests(folder / f"{number}.txt") for number in reversed(digest_files(folder)))
    return False


def digest_files(folder: Path) -> list[int]:
    """The numbers of the files with digests, in order."""
    return sorted(int(name[:-4]) for name in os.listdir(folder) if re.fullmatch(r"\d{1,9}\.txt", name, re.ASCII))


def read_digests(path: Path) -> bytes:
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | NO_LINK)
        try:
            found = os.fstat(file)
            if is_ours(found) and stat.S_ISREG(found.st_mode):
                return os.read(file, 2 * MOST_VOUCHED)
        finally:
            os.close(file)
    return b""


def is_ours(found: os.stat_result) -> bool:
    """Whether nobody but this user can write to it; Windows keeps the data folder from others by itself."""
    return os.name == "nt" or (found.st_uid == OURS and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


# What was saved elsewhere, by path


def remember(path: Path) -> None:
    """Note where a replay was saved, to find the newest; those in the user's own folder need no note."""
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


def moment_saved(path: Path) -> datetime:
    """A file's time; the first or the last that a calendar has, where a wrong clock or an archive set another."""
    return datetime.fromtimestamp(min(max(saved_at(path) / 1e9, FIRST_S), LAST_S))
