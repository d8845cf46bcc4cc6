"""Which game a game is: seed, seats, budget and options, and for each player its text and a digest of what it is.

Two games with the same identity are the same game, to be played once. A player with another digest is another player:
an agent that was changed, a bot that was rebuilt.

    built-in     its parameters and its behaviour (hsctl/behaviour.py), not its source: a refactoring changes nothing
    user agent   the sources of all that it imports (hsctl/match/user_agents/closure.py)
    external     the program, and every file that its command line names:
                 ./mybot weights.bin     python bot.py     python -m bot     java -cp classes:lib.jar Player
                 and the variables that --env names
    ghost        the file with its game, and the agent that goes on

Where a built-in agent thinks by the clock, hsctl's version belongs to the game too: it decides how fast the agent is.
"""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from engine.compile.sources import DIGEST_LENGTH, digest_text
from engine.errors import HsctlError
from engine.game import ARENA as ARENA_ENDS
from hsctl import __version__
from hsctl.behaviour import digest_agent
from hsctl.match.bots.build import names_source, sources_of
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.players import PlayerText
from hsctl.match.user_agents import closure
from hsctl.match.user_agents.spec import UserSpec
from hsctl.shell import split_words
from replays.replay import Limits
from search.spec import Spec

KEY_LENGTH = 32
PROGRAMS = {".class", ".jar", ".py", ".js", ".mjs", ".ts", ".rb", ".lua", ".pl", ".php", ".so", ".dll"}  # in a folder
REDIRECTION = r"[0-9&]*>>?\s*[^\s'\"]+"  # what a bot writes isn't part of it
Stamp = tuple[str, int, int]  # path, size, time of the last change


class SeatIdentity(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who sits in a seat; `copy` tells apart players that are the same."""

    spec: str
    digest: str
    copy: int = 0


class Identity(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What makes a game this game; `seats` in order."""

    seed: int
    seats: tuple[SeatIdentity, ...]
    limits: Limits
    memory_mb: int | None = None  # this, and all from `env` on, are the BotLimits of bots
    is_teamed: bool = False
    ends: str = ARENA_ENDS
    env: tuple[str, ...] = ()
    is_sandboxed: bool = False
    is_paused: bool = False
    is_portable: bool = False
    hsctl: str = ""  # its version, where a built-in agent thinks by the clock

    def __post_init__(self) -> None:
        """msgspec leaves a default text out only if it is the very object, which it isn't after a trip to a worker."""
        msgspec.structs.force_setattr(self, "ends", sys.intern(self.ends))

    def encode(self) -> str:
        return msgspec.json.encode(self).decode()

    @property
    def key(self) -> str:
        return key_of(self.encode())


def key_of(encoded: str) -> str:
    return hashlib.sha256(encoded.encode()).hexdigest()[:KEY_LENGTH]


def seat_identities_of(
    players: Sequence[PlayerText], size: int = 1, bot_limits: BotLimits = ORDINARY
) -> list[SeatIdentity]:
    """Each player with its digest, in teams of this size; the same team named again has other copies of its players."""
    texts = [player.text for player in players]
    teams = [tuple(texts[at : at + size]) for at in range(0, len(texts), size)]
    seat_identities = []
    for at, player in enumerate(players):
        team, place = divmod(at, size)
        earlier = teams[:team].count(teams[team]) * teams[team].count(player.text)
        copy = earlier + teams[team][:place].count(player.text)
        seat_identities.append(SeatIdentity(player.text, digest_of(player, bot_limits), copy))
    return seat_identities


def check_digest(player: PlayerText, digest: str, bot_limits: BotLimits = ORDINARY) -> None:
    """Refuse a player that is no longer, or on this machine is not, the one that the game is filed under."""
    found = digest_of(player, bot_limits)
    if found != digest:
        hint = ""
        if player.spec is None:
            named = ", ".join(path.name for path in files_of(player.text))
            told = f", or of {', '.join(bot_limits.env)}" if bot_limits.env else ""
            hint = f"; one of {named}{told} changed, and its command must not name a file that the bot writes"
        what = f"{player.text!r} is not the same as at the start"
        raise HsctlError(f"{what} ({found} instead of {digest}){hint}: start again")


def digest_of(player: PlayerText, bot_limits: BotLimits = ORDINARY) -> str:
    if player.spec is not None:
        agent = digest_of_spec(player.spec)
        return agent if player.ghost is None else digest_text([agent, digest_of_game(Path(player.ghost.file))])
    of_files = digest_of_files(tuple(stamp(path) for path in files_of(player.text)))
    if not bot_limits.env:
        return of_files
    told = {name: bot_limits.environment()[name] for name in bot_limits.env}
    return digest_text([of_files, str(told)])


def digest_of_game(path: Path) -> str:
    try:
        return digest_of_files((stamp(path),))
    except OSError as error:
        raise HsctlError(f"{path}: {error.strerror}; a ghost needs its game") from None


def digest_of_spec(spec: Spec) -> str:
    return closure.digest_of(spec.target) if isinstance(spec, UserSpec) else digest_agent(spec)


def version_of_game(players: Iterable[PlayerText], limits: Limits) -> str:
    """hsctl's version if some built-in agent thinks by the clock, else nothing."""
    specs = (player.spec for player in players)
    return __version__ if any(spec is not None and is_by_clock(spec, limits) for spec in specs) else ""


def is_by_clock(spec: Spec, limits: Limits) -> bool:
    return spec.nodes is None and (spec.ms is not None or limits.nodes is None)


@lru_cache(64)
def digest_of_files(stamps: tuple[Stamp, ...]) -> str:
    """By content only; size and time say when to look again."""
    digest = hashlib.sha256()
    for path, _, _ in stamps:
        try:
            with open(path, "rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            hint = "hsctl must read it to notice when the bot is rebuilt"
            raise HsctlError(f"{path}: {error.strerror}; {hint}") from None
    return digest.hexdigest()[:DIGEST_LENGTH]


def stamp(path: Path) -> Stamp:
    found = path.stat()
    return str(path), found.st_size, found.st_mtime_ns


def files_of(command: str) -> list[Path]:
    """The program and the files that a command line names, in the order they are named."""
    words = split_words(re.sub(REDIRECTION, " ", command))
    program = shutil.which(words[0])
    named = [
        path for at, word in enumerate(words) for path in paths_in(word, is_module=at > 0 and words[at - 1] == "-m")
    ]
    programs = sources_of(Path(words[0])) if names_source(words) else [Path(program)] if program else []
    return list(dict.fromkeys(path.resolve() for path in [*programs, *named]))


def paths_in(word: str, is_module: bool) -> Iterator[Path]:
    """Files named by one word: as such, after `=`, in a list as class paths are, in a command inside the command."""
    if is_module:
        yield from module_files(word)
        return
    for part in re.split(rf"[=,\s{re.escape(os.pathsep)}]", word):
        yield from files_at(Path(part)) if part else ()
    if Path(word).is_file():  # a name with one of those characters in it
        yield Path(word)


def module_files(name: str) -> Iterator[Path]:
    """The sources of `python -m name`, if they are in the current folder."""
    path = Path(*name.split("."))
    yield from files_at(path.with_suffix(".py"))
    yield from files_at(path)


def files_at(path: Path) -> Iterator[Path]:
    """A file, or all programs below a folder except hidden ones."""
    try:
        if path.is_file():
            yield path
        elif path.is_dir():
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
                yield from (Path(folder, name) for name in sorted(names) if Path(name).suffix in PROGRAMS)
    except (OSError, ValueError):  # not a possible file name
        return
