"""Bots given as source: `./mybot.cpp` is compiled into the cache folder, then its program plays.

    mybot.cpp    g++ -std=gnu++17 -O2 -pthread -o PROGRAM mybot.cpp -lm -ldl
    mybot.c      gcc -std=gnu17 -O2 -pthread -o PROGRAM mybot.c -lm -ldl
    mybot.rs     rustc --edition 2021 -C opt-level=2 -o PROGRAM mybot.rs
    Player.java  javac -encoding UTF-8 -d FOLDER Player.java, then java -Xss64m -cp FOLDER Player
    mybot.py     python3 mybot.py; nothing is compiled

A program is kept under a digest of its sources (the file, and those of its language in the same folder) and of the
build command: it is built once, and again when a source changes. A program that others could have put there never runs.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from engine.compile.cache import cache_home
from engine.compile.shipped import open_to_others
from engine.errors import HsctlError
from hsctl.shell import join_words
from replays.text import shorten

PROGRAM = "bot"  # the name of a built program
BUILD_S = 300.0  # after which a compiler is given up
LONGEST_MESSAGE = 300  # characters of what a compiler says
ERROR = re.compile(r"\berror(\[\w+\])?:")  # as compilers mark one
JAVA_CLASS = re.compile(r"\bclass\s+(\w+)[^{]*\{(?:(?!\bclass\b).)*?\bpublic\s+static\s+void\s+main\b", re.DOTALL)


is_shown = False  # whether build commands are announced, by --show-build


@dataclass(frozen=True)
class Language:
    """How sources are built and run; {source}, {folder} and {name} are filled in."""

    build: tuple[str, ...]  # empty: nothing is built
    run: tuple[str, ...]
    parts: tuple[str, ...]  # suffixes of files that may belong to a program


C_LIKE = ("-O2", "-pthread", "-o", "{folder}/" + PROGRAM, "{source}", "-lm", "-ldl")
CPP = Language(("g++", "-std=gnu++17", *C_LIKE), ("{folder}/" + PROGRAM,), (".h", ".hh", ".hpp", ".inl"))
LANGUAGES = {
    ".cpp": CPP,
    ".cc": CPP,
    ".cxx": CPP,
    ".c": Language(("gcc", "-std=gnu17", *C_LIKE), ("{folder}/" + PROGRAM,), (".h", ".inl")),
    ".rs": Language(
        ("rustc", "--edition", "2021", "-C", "opt-level=2", "-o", "{folder}/" + PROGRAM, "{source}"),
        ("{folder}/" + PROGRAM,),
        (".rs",),
    ),
    ".java": Language(
        ("javac", "-encoding", "UTF-8", "-d", "{folder}", "{source}"),
        ("java", "-Xss64m", "-cp", "{folder}", "{name}"),
        (".java",),
    ),
    ".py": Language((), ("python3", "{source}"), ()),
}


def names_source(words: Sequence[str]) -> bool:
    """Whether a command line is a source file, maybe with arguments; a file that can be executed is a program."""
    if not words or Path(words[0]).suffix not in LANGUAGES or not os.path.isfile(words[0]):
        return False
    return not (os.path.dirname(words[0]) and os.access(words[0], os.X_OK))


def check_tools(words: Sequence[str]) -> None:
    """Refuse a source whose compiler or interpreter is not installed."""
    language = LANGUAGES[Path(words[0]).suffix]
    for tool in dict.fromkeys((language.build or language.run)[:1] + language.run[:1]):
        if "{" not in tool and shutil.which(tool) is None:
            raise HsctlError(f"{words[0]}: {tool} is not installed; install it, or name a program")


def sources_of(path: Path) -> list[Path]:
    """The file, and the files next to it that may belong to it."""
    parts = LANGUAGES[path.suffix].parts
    return [path, *sorted(each for each in path.resolve().parent.iterdir() if each.suffix in parts and each != path)]


def build_command(path: Path, folder: Path) -> list[str]:
    return fill(LANGUAGES[path.suffix].build, path, folder)


def fill(words: Sequence[str], path: Path, folder: Path) -> list[str]:
    name = java_class(path) if path.suffix == ".java" else ""
    return [word.format(source=path, folder=folder, name=name) for word in words]


def java_class(path: Path) -> str:
    """The class with the main method; the file's name if none is found."""
    found = JAVA_CLASS.search(path.read_text(encoding="utf-8", errors="replace"))
    return found[1] if found else path.stem


def program_words(words: Sequence[str], announce: Callable[[str], None] = lambda _: None) -> list[str]:
    """The command line that runs a bot; one given as source is built first, if it isn't yet."""
    if not names_source(words):
        return list(words)
    path = Path(words[0])
    check_tools(words)
    folder = folder_of(path)
    run = [*fill(LANGUAGES[path.suffix].run, path, folder), *words[1:]]
    is_built = not LANGUAGES[path.suffix].build or folder.is_dir()
    if is_shown:
        command = build_command(path, folder)
        announce("; ".join([f"{path}: {join_words(command)}"] * bool(command) + [f"runs as {join_words(run)}"]))
    elif not is_built:
        announce(f"building {path} (--show-build shows how) ...")
    if not is_built:
        build(path, folder)
    if LANGUAGES[path.suffix].build and (place := open_to_others(folder)) is not None:
        raise HsctlError(f"{place}: others can write there, so hsctl doesn't run the program in it; remove the folder")
    return run


def folder_of(path: Path) -> Path:
    """Where the program of these very sources is kept."""
    stamps = tuple((str(each), each.stat().st_size, each.stat().st_mtime_ns) for each in sources_of(path))
    return cache_home() / "bots" / digest_of_sources(stamps)


@lru_cache(64)
def digest_of_sources(stamps: tuple[tuple[str, int, int], ...]) -> str:
    digest = sha256(repr(LANGUAGES[Path(stamps[0][0]).suffix]).encode())
    for name, _, _ in stamps:
        digest.update(Path(name).name.encode() + b"\0" + sha256(Path(name).read_bytes()).digest())
    return digest.hexdigest()[:24]


def build(path: Path, folder: Path) -> None:
    """Build a program in a folder next to the final one, then move it into place: a half-built one is never run."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(dir=folder.parent, prefix=".building-"))
    except OSError as error:
        raise HsctlError(f"{folder.parent}: {error.strerror}; hsctl can't keep the built bot there") from None
    try:
        words = build_command(path, draft)
        try:
            done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=BUILD_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HsctlError(f"{path}: {words[0]} failed: {error}") from None
        if done.returncode:
            lines = (done.stderr or done.stdout).decode(errors="replace").splitlines()
            first = next((line for line in lines if ERROR.search(line)), lines[0] if lines else "no message")
            command = join_words(build_command(path, Path(".")))
            raise HsctlError(f"{path} can't be built: {shorten(first, LONGEST_MESSAGE)} (all of it: {command})")
        try:
            draft.rename(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
