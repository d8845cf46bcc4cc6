"""The kinds of cases: each makes a command and its files from something valid, changed."""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from hsctl.league.ledger_file import checksum_of
from hsctl.match.identity import key_of
from hsctl.match.seats import warm_seat
from search import AGENTS
from tests.fuzz.mutate import (
    any_number,
    any_text,
    as_word,
    dump,
    mutate_alike,
    mutate_bytes,
    mutate_json,
    mutate_line,
    mutate_text,
)
from tests.fuzz.samples import LEAGUE, NODES, SEEDS, fill_ledger, samples
from tests.fuzz.watch import MadeUpBot, Verdict, watch

FEW = ("--nodes", "20")  # so that what is accepted is soon done
ONE_JOB = ("--jobs", "1")
UNHASHED = ("players", "limits", "turns", "hsctl", "parent")  # where a replay may say anything and still play again
PAST = ("players", "limits", "parent")  # what decides who plays on
STRANGERS = [  # players that must not run by themselves
    "sh -c 'touch PWNED; cat'",
    "true PWNED",
    "./PWNED.py:Evil",
    "PWNED.evil:Evil,depth=3",
    "ghost:/dev/zero#0",
    "ghost:/etc/passwd#0,then=sh -c PWNED",
]
LIMITS = ("first_turn_ms", "turn_ms", "startup_ms", "nodes", "vision")


class Case(NamedTuple):
    words: Sequence[str]
    stdin: bytes = b""
    earlier: Verdict | None = None  # of a command before, if that decides the case


Maker = Callable[[random.Random, Path], Case]


def named(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


# Replays


def replay(chance: random.Random, folder: Path) -> Case:
    """Any field of a replay, or any byte of its file."""
    document = chance.choice(samples().replays)
    data = dump(mutate_json(document, chance), chance)
    if chance.random() < 0.2:
        data = mutate_bytes(json.dumps(document).encode(), chance)
    return look_at(named(folder, "game.json", data), document, chance, folder)


def thoughts(chance: random.Random, folder: Path) -> Case:
    """What no hash covers: names, parameters, limits, messages, thoughts."""
    document = json.loads(json.dumps(chance.choice(samples().replays)))
    change = chance.choice([mutate_json, mutate_alike, mutate_alike, mutate_alike])
    for _ in range(chance.choice([1, 2, 3])):
        part = chance.choice(UNHASHED)
        if part == "turns":
            moves = chance.choice(document["turns"])["moves"]
            at = chance.randrange(len(moves))
            kept = {name: moves[at][name] for name in ("action", "failure") if moves[at] and name in moves[at]}
            changed = moves[at] and change(moves[at], chance)
            moves[at] = changed | kept if isinstance(changed, dict) else changed
        elif part in document:
            document[part] = change(document[part], chance)
    return look_at(named(folder, "game.json", dump(document, chance)), document, chance, folder)


def past(chance: random.Random, folder: Path) -> Case:
    """A game that is played on, with players of strangers in any of its generations: once, or twice in a row."""
    warm_seat.cache_clear()  # every file has ghosts of its own, and a process keeps the last of them
    document = json.loads(json.dumps(chance.choice(samples().played_on)))
    for players in generations_of(document):
        for info in players:
            if chance.random() < 0.3:
                info |= {"spec": chance.choice(STRANGERS), "is_agent": chance.random() < 0.3}
                info |= chance.choice([{}, {"faithful_turns": 3}, {"is_foreign": False}])
    limits = document["limits"]
    for name in chance.sample(LIMITS, chance.choice([0, 0, 1, 2])):
        limits[name] = chance.choice([any_number(chance), chance.choice([10**18, 1e300, -1.0, 100, 5])])
    for part in chance.sample(PAST, chance.choice([0, 1, 1])):
        document[part] = chance.choice([mutate_json, mutate_alike])(document[part], chance)
    MadeUpBot.lines = staticmethod(lambda: "BOMB 0 0")
    file, out = named(folder, "past.json", dump(document, chance)), folder / "on"
    words = play_on(file, document, chance)
    if chance.random() < 0.3:
        shutil.rmtree(out, ignore_errors=True)
        verdict = watch([*words, "--out", str(out), "--swap", f"{chance.randrange(2)}=still"])
        saved = [str(path) for path in out.iterdir()] if out.is_dir() else []
        if verdict.fault or not saved:
            return Case(words, earlier=verdict)
        words = play_on(saved[0], document, chance)
    return Case([*words, "--no-save"])


def generations_of(document: Any) -> Iterator[list[dict[str, Any]]]:
    """The players of a game and of those it was played on from."""
    while document is not None:
        yield document["players"]
        document = document.get("parent")


def play_on(file: str, document: Any, chance: random.Random) -> list[str]:
    turn = document["start"].get("turn", 0) + chance.randrange(len(document["turns"]) + 1)
    swap = chance.choice([[], ["--swap", f"{chance.randrange(3)}=still"], ["--move", "0=BOMB 3 4"]])
    return ["play", "--from", f"{file}@{turn}", *swap, *ONE_JOB, *pick(chance, "", "--json", "--games 1")]


def look_at(file: str, document: Any, chance: random.Random, folder: Path) -> Case:
    """Some command that opens a file with a game."""
    first = document["start"].get("turn", 0) if "start" in document else 0
    turn = first + chance.randrange(-1, len(document.get("turns", "123")) + 2)
    explain = ["explain", f"{file}@{turn}", *pick(chance, "", "--json", "--boards"), *pick(chance, "", "--player 1")]
    words = chance.choice(
        [
            ["replay", file],
            ["replay", file, "--all"],
            ["replay", file, "--json"],
            ["replay", file, "--frames", *pick(chance, "", "--player 0")],
            ["replay", file, "--html", str(folder / "page.html")],
            ["replay", file, "--turn", str(turn), "--svg", str(folder / "turn.svg")],
            ["play", "random", "simple", "--from", f"{file}@{turn}", "--no-save", *FEW, *ONE_JOB],
            ["review", file, "--quick", *pick(chance, "", "--json", "--player 1")],
            *[explain] * 4,
            [*explain, "--agent", chance.choice(list(AGENTS)), *FEW],
            [*explain, "--why-not", chance.choice(["right", "BOMB 3 4", "up,up", as_word(any_text(chance))])],
        ]
    )
    return Case(words)


def pick(chance: random.Random, *texts: str) -> list[str]:
    return chance.choice(texts).split()


# Ledgers


def ledger(chance: random.Random, folder: Path) -> Case:
    """A row of a ledger with a checksum that is right all the same, or any byte of the file."""
    path = folder / "ledger.sqlite"
    for name in ("", "-wal", "-shm"):
        Path(f"{path}{name}").unlink(missing_ok=True)
    fill_ledger(path, chance)
    if chance.random() < 0.3:
        path.write_bytes(mutate_bytes(path.read_bytes(), chance))
    else:
        change_rows(path, chance)
    limits = ["--nodes", str(NODES), "--games", str(2 * len(SEEDS)), *ONE_JOB]
    games = [*LEAGUE, *limits, *pick(chance, "", "--json")]
    if chance.random() < 0.5:
        page = chance.choice([[], [], ["--html", str(folder / "page")]])
        return Case(["league", *games, "--ledger", str(path), *page])
    mine = folder / "mine.sqlite"
    for name in ("", "-wal", "-shm"):
        Path(f"{mine}{name}").unlink(missing_ok=True)
    return Case(["league", "--merge", str(path), "--ledger", str(mine), *chance.choice([[], games])])


def change_rows(path: Path, chance: random.Random) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for row in connection.execute("SELECT key, identity, outcome, replay, finished FROM game").fetchall():
            key, identity, outcome, file, finished = row
            if chance.random() < 0.5:
                outcome = dump(mutate_json(json.loads(outcome), chance), chance).decode(errors="replace")
            if chance.random() < 0.1:
                identity = dump(mutate_json(json.loads(identity), chance), chance).decode(errors="replace")
            if chance.random() < 0.3:
                names = [as_word(any_text(chance)).replace("\udcff", "?"), "/dev/zero", "/proc/self/mem", "/dev/null"]
                file = chance.choice(names)
            if chance.random() < 0.1:
                finished = as_word(any_text(chance)).replace("\udcff", "?")
            changed = (key_of(identity), identity, outcome, file, finished)
            values = (*changed, checksum_of(*changed), key)
            connection.execute(CHANGE, values)
        connection.execute("UPDATE tally SET checksums = (SELECT coalesce(sum(checksum), 0) FROM game)")
        if chance.random() < 0.1:
            connection.execute(chance.choice(SCHEMES))
        connection.commit()


CHANGE = (
    "UPDATE OR IGNORE game SET (key, identity, outcome, replay, finished, checksum) = (?, ?, ?, ?, ?, ?) WHERE key = ?"
)
SCHEMES = [
    "CREATE VIEW x AS SELECT * FROM game",
    "CREATE TRIGGER x AFTER INSERT ON game BEGIN DELETE FROM game; END",
    "CREATE TABLE x (y)",
    "CREATE INDEX x ON game (finished)",
    "DELETE FROM tally",
    "DROP TABLE tally",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 1",
]


# Suites


def suite(chance: random.Random, folder: Path) -> Case:
    """An entry of a suite, which a bot is asked."""
    document = chance.choice(samples().entries)
    data = dump(chance.choice([mutate_json, mutate_alike])(document, chance), chance)
    if chance.random() < 0.3:
        data = dump({**document, "demands": [mutate_line(text, chance) for text in document["demands"]]}, chance)
    elif chance.random() < 0.3:
        lines = mutate_text("\n".join(document["inputs"]), chance).split("\n")
        data = dump({**document, "inputs": lines}, chance)
    elif chance.random() < 0.2:
        data = mutate_bytes(json.dumps(document).encode(), chance)
    (folder / "suite").mkdir(exist_ok=True)
    named(folder / "suite", "entry.json", data)
    line = chance.choice(["MOVE 0 0", "BOMB 6 5", None, any_text(chance)])
    MadeUpBot.lines = staticmethod(lambda: line)
    return Case(["check", "true", "--suite", str(folder / "suite"), "--only", "suite", *pick(chance, "", "--json")])


# Games of the arena, logs, positions


def arena(chance: random.Random, folder: Path) -> Case:
    """The site's JSON, or the text of its console."""
    if chance.random() < 0.5:
        document = chance.choice(samples().arena)
        data = dump(mutate_json(document, chance), chance)
        if chance.random() < 0.2:
            data = mutate_bytes(json.dumps(document).encode(), chance)
    else:
        data = mutate_text(chance.choice(samples().consoles), chance).encode(errors="surrogatepass")
    file = named(folder, "arena.txt", data)
    if chance.random() < 0.3:
        return look_at(file, {}, chance, folder)
    seed = chance.choice([[], [], ["--seed", str(any_number(chance))]])
    return Case(["import", file, "--out", str(folder / "imported"), *seed, *pick(chance, "", "--json")])


def log(chance: random.Random, folder: Path) -> Case:
    """What a bot received, as people paste it."""
    data = mutate_text(chance.choice(samples().logs), chance).encode(errors="surrogatepass")
    if chance.random() < 0.2:
        data = mutate_bytes(data, chance)
    if chance.random() < 0.2:
        return Case(["replay", "-"], data)
    return look_at(named(folder, "log.txt", data), {}, chance, folder)


def position(chance: random.Random, folder: Path) -> Case:
    """One turn's input, for an agent to think about or a game to start from."""
    change = chance.choice([mutate_text, move_entity])
    data = change(chance.choice(samples().positions), chance).encode(errors="surrogatepass")
    file = named(folder, "position.txt", data)
    agent = chance.choice(list(AGENTS))
    turn = ["--turn", str(chance.choice([0, 1, 100, 199, 200, any_number(chance)]))]
    boxes = ["--boxes", chance.choice(["1,2", "3,5,0,1", "1,255", str(any_number(chance)), as_word(any_text(chance))])]
    asked = ["explain", "--agent", agent, *FEW, *chance.choice([[], turn]), *chance.choice([[], [], boxes])]
    if chance.random() < 0.2:
        return Case([*asked, "--state", "-"], data)
    if chance.random() < 0.7:
        return Case([*asked, "--state", file])
    return Case(["play", agent, "simple", "--state", file, "--no-save", "--nodes", "2", *ONE_JOB])


def move_entity(text: str, chance: random.Random) -> str:
    """Another place, owner, fuse or range of something: often a position that no game has, yet one that is valid."""
    lines = text.rstrip("\n").split("\n")
    for _ in range(chance.choice([1, 2, 3])):
        fields = lines[-1 - chance.randrange(3)].split()
        fields[chance.randrange(len(fields))] = str(chance.choice([0, 1, 2, 3, 4, 8, 10, 12, 127]))
        lines[-1 - chance.randrange(3)] = " ".join(fields)
    return "\n".join(lines) + "\n"


# Both sides of the protocol


def referee(chance: random.Random, folder: Path) -> Case:
    """What a referee sends to `hsctl bot`."""
    data = mutate_text(chance.choice(samples().inputs), chance).encode(errors="surrogatepass")
    if chance.random() < 0.2:
        data = mutate_bytes(data, chance)
    return Case(["bot", chance.choice(list(AGENTS)), "--nodes", "2"], data)


def bot(chance: random.Random, folder: Path) -> Case:
    """What bots answer, sooner or later."""
    calm = chance.choice([0.0, 0.5, 0.9, 0.99])

    def line() -> str | None:
        order = f"{chance.choice(['MOVE', 'BOMB'])} {chance.randrange(13)} {chance.randrange(11)}"
        if chance.random() < calm:
            return order
        return chance.choice([None, mutate_line(order, chance), f"{order} {any_text(chance)}", any_text(chance)])

    MadeUpBot.lines = staticmethod(line)
    out = chance.choice([["--no-save"], ["--out", str(folder / "played")]])
    games = chance.choice([[], ["--games", "2"]])
    return Case(["play", "true", "false", "--time", "50", *ONE_JOB, *out, *games, *pick(chance, "", "--json")])


# Command lines

COMMANDS = [
    "play beam:paper,width=50 mcts:c=0.7 --seed 7 --no-save --nodes 3 --jobs 1",
    "play rhea hybrid:bfs bias:h=1 negamax:depth=2 --vision 3 --seed 1 --no-save --nodes 2 --jobs 1",
    "play --teams simple+random simple+still --no-save --nodes 2 --jobs 1 --json",
    "league random simple --games 2 --players 2 --seed 3 --nodes 2 --jobs 1 --ledger NEW",
    "compare random simple --games 4 --elo0 0 --elo1 10 --alpha 0.05 --nodes 2 --jobs 1 --ledger NEW",
    "scale simple --nodes 1,2 --against random:nodes=1 --games 2 --jobs 1 --ledger NEW --json",
    "agents beam",
    "agents --json",
    "replay GAME --from 1 --to 3",
    "explain GAME@3 --player 0 --nodes 20 --top 3 --depth 2",
    "bot simple --time 50 --first-turn 100 --reserve 5 --nodes 2",
    "paper --json",
    "import GAME",
    "bench --signature --json",
]
ENDLESS = {"--time", "--games", "--nodes", "--jobs", "paper", "bench"}


def command(chance: random.Random, folder: Path) -> Case:
    """A command line with words changed, dropped, doubled or exchanged."""
    game = named(folder, "game.json", json.dumps(chance.choice(samples().replays)).encode())
    text = chance.choice(COMMANDS[:-1])
    words = [word.replace("GAME", game).replace("NEW", str(folder / "new.sqlite")) for word in text.split()]
    for _ in range(chance.choice([1, 1, 2, 3])):
        change_words(words, chance)
    return Case(words)


def change_words(words: list[str], chance: random.Random) -> None:
    if len(words) < 2:
        return
    at = chance.randrange(1, len(words))
    other = chance.choice(" ".join(COMMANDS).split())
    kind = chance.randrange(5)
    if kind == 0 and not is_limit(words, at):
        del words[at]
    elif kind == 1 and other not in ENDLESS and (words[0] != "paper" or other.startswith("-")):  # it may name one
        words.insert(at, other.replace("GAME", "x").replace("NEW", "y"))
    elif kind == 2 and not is_limit(words, at):
        words[at] = as_word(mutate_line(words[at], chance))
    elif kind == 3 and not is_limit(words, at):
        words[at] = as_word(any_text(chance))
    elif is_limit(words, at):
        words[at] = chance.choice(["0", "-1", "1e3", "nan", "inf", str(10**25), "none", "x", ""])


def is_limit(words: Sequence[str], at: int) -> bool:
    """Whether the word, or its value, keeps the command short."""
    return words[at] in ENDLESS or (at > 0 and words[at - 1] in ENDLESS)


KINDS: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (replay, thoughts, past, ledger, suite, arena, log, position, referee, bot, command)
}
