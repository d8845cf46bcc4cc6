"""Files with games of the arena: imported one by one, and kept as replays."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from replays.arena.importing import Imported, import_game
from replays.arena.recorded import ArenaError
from replays.replay import ReplayError, write
from replays.source import read_source
from replays.store import fixed_name, remember

EQUAL, MISMATCH, UNREADABLE = "equal", "MISMATCH", "not readable"


@dataclass
class ImportedFile:
    """A file and what came of it: a game, or the reason why there is none."""

    path: Path
    imported: Imported | None = None
    saved: Path | None = None
    error: str = ""

    @property
    def verdict(self) -> str:
        if self.imported is None:
            return UNREADABLE
        return EQUAL if self.imported.difference is None else MISMATCH


def import_file(path: Path, seed: int | None, folder: Path, version: str) -> ImportedFile:
    """Import a file and keep its game; raises ReplayError if it can't be read. Again, it has the same name."""
    data = read_source(path)
    try:
        imported = import_game(data, seed, version)
    except ArenaError as error:
        raise ReplayError(f"{path}: {error}") from None
    saved = None
    if imported.replay is not None:
        digest = hashlib.blake2b(data, digest_size=4).hexdigest()
        saved = folder / fixed_name(f"arena {' '.join(imported.names)}", digest)
        write(saved, imported.replay)
        remember(saved)
    return ImportedFile(path, imported, saved)


def import_folder(folder: Path, out: Path, version: str) -> Iterator[ImportedFile]:
    """Every file of a folder, in order of their names; what can't be read is told and passed over."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    for path in files:
        try:
            yield import_file(path, None, out, version)
        except ReplayError as error:
            yield ImportedFile(path, error=str(error))
