"""Players, recognised by their text: an agent (built-in or the user's), a ghost, a person, or a bot's command line."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import HsctlError, suggest
from hsctl.match.bots.build import check_tools, names_source
from hsctl.match.user_agents.spec import agent_names, names_agent, read_spec
from hsctl.shell import split_words
from replays.text import clean, shorten
from search.spec import Spec, parse_spec

FEWEST, MOST = 2, 4  # players of a game
GHOST, THEN, SUCCESSOR = "ghost:", ",then=", "beam"
PERSON, LONGEST_NAME = "me", 20


class PlayerError(HsctlError):
    """A text that is neither an agent nor a program."""


@dataclass(frozen=True)
class GhostText:
    """Whom a ghost repeats: a player of the game in a file."""

    file: str
    player: str  # seat, name or a part of it
    name: str = ""  # of that player in the game


@dataclass(frozen=True)
class PlayerText:
    """A player as written, checked: `spec` for an agent, None for a person and for a command line.

    A ghost has both `ghost` and `spec`, the agent that goes on where the game is no longer the recorded one.
    """

    text: str
    spec: Spec | None
    ghost: GhostText | None = None

    @property
    def name(self) -> str:
        """What tables call the player."""
        return self.text if self.ghost is None else f"ghost of {self.ghost.name}"

    @property
    def is_person(self) -> bool:
        return names_person(self.text)

    @property
    def is_bot(self) -> bool:
        """Whether it is a program."""
        return self.spec is None and not self.is_person


Read = Callable[[str], PlayerText]  # read_player, or read_anybody where people can play


def read_players(texts: Sequence[str], read: Read | None = None) -> list[PlayerText]:
    """Check all players of a game before anything starts."""
    if not FEWEST <= len(texts) <= MOST:
        raise PlayerError(f"{len(texts)} {'player' if len(texts) == 1 else 'players'}: a game has {FEWEST} to {MOST}")
    return [(read or read_player)(text) for text in texts]


def read_teams(texts: Sequence[str], read: Read | None = None) -> list[PlayerText]:
    """The players of teams written A+B, team by team."""
    return [player for text in texts for player in read_team(text, read or read_player)]


def read_two_teams(texts: Sequence[str], read: Read | None = None) -> list[PlayerText]:
    """The four players of a game of teams."""
    if len(texts) != FEWEST:
        raise PlayerError(f"--teams: {len(texts)} named; name two teams, such as beam+mcts rhea+rhea")
    return read_teams(texts, read)


def read_team(text: str, read: Read) -> list[PlayerText]:
    """Both players of A+B. A player may have a plus in its text (`beam:zh+op`): the one between two players counts."""
    pairs = [[text[:at].strip(), text[at + 1 :].strip()] for at, letter in enumerate(text) if letter == "+"]
    if len(pairs) == 1:
        return [read(each) for each in pairs[0]]
    found = [pair for texts in pairs if (pair := try_players(texts, read))]
    if len(found) != 1:
        what = "can be read in several ways" if found else "is not a team"
        raise PlayerError(f"{text!r} {what}; write two players with a plus between them, such as beam+mcts")
    return found[0]


def try_players(texts: Sequence[str], read: Read) -> list[PlayerText]:
    """The players, or an empty list if one of the texts is not a player."""
    try:
        return [read(text) for text in texts]
    except HsctlError:
        return []


def names_person(text: str) -> bool:
    return text == PERSON or text.startswith(f"{PERSON}:")


def read_anybody(text: str) -> PlayerText:
    """A person, `me` or `me:NAME`, or any other player."""
    if not names_person(text):
        return read_player(text)
    name = text.removeprefix(PERSON).removeprefix(":")
    if text != PERSON and not (0 < len(name) <= LONGEST_NAME and name.isprintable() and "+" not in name):
        raise PlayerError(f"{text!r}: write {PERSON}:NAME, with a name of 1 to {LONGEST_NAME} characters and no plus")
    return PlayerText(text, None)


def read_player(text: str) -> PlayerText:
    """Anybody but a person."""
    if text.encode(errors="ignore").decode() != text:
        raise PlayerError(f"{text!r} is not UTF-8, so no record could name the player; rename the file or the folder")
    if names_person(text):
        raise PlayerError(f"{text!r} is a person at the keyboard, who can only play a game of `hsctl play`")
    if text.startswith(GHOST):
        return read_ghost(text)
    if names_agent(text):
        return PlayerText(text, read_spec(text))
    try:
        words = split_words(text)
    except ValueError as error:
        raise PlayerError(f"{text!r} is not a command line: {error}") from None
    if len(words) == 1 and (name := agent_class_in(words[0])):
        raise PlayerError(f"{text!r} defines the agent {name}: write {text}:{name}")
    if names_source(words):
        check_source(words)
        return PlayerText(text, None)
    if not words or not is_program(words[0]):
        names = agent_names()
        what = f"{text!r} is neither an agent nor a program that hsctl can run; the agents are: {', '.join(names)}"
        raise PlayerError(what + suggest_player(words[0] if words else "", names))
    return PlayerText(text, None)


def agent_class_in(file: str) -> str | None:
    """The one class with a method `decide` in a Python file, which is only read; None if there are none or several."""
    if not file.endswith(".py") or not os.path.isfile(file):
        return None
    import ast
    from pathlib import Path

    from replays.files import read_source

    try:
        tree = ast.parse(read_source(Path(file)))
    except (HsctlError, SyntaxError, ValueError):
        return None
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    found = [each.name for each in classes if any(getattr(method, "name", "") == "decide" for method in each.body)]
    return found[0] if len(found) == 1 else None


def check_source(words: Sequence[str]) -> None:
    """Refuse a source that can't be built or run here, and a Python file that is an agent, not a bot."""
    if words[0].endswith(".py") and (agent := agent_class(Path(words[0]))):
        raise PlayerError(f"{words[0]!r} defines an agent; write {f'{words[0]}:{agent}'!r}")
    check_tools(words)


def agent_class(path: Path) -> str:
    """The class of a file that only defines an agent; empty if there is none, or if the file reads stdin."""
    import ast

    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        return ""
    if "stdin" in text or "input(" in text:
        return ""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    agents = [
        each.name
        for each in classes
        if any(isinstance(part, ast.FunctionDef) and part.name == "decide" for part in each.body)
    ]
    return agents[0] if len(agents) == 1 else ""


def read_ghost(text: str) -> PlayerText:
    """`ghost:FILE#PLAYER[,then=AGENT]`: the file is opened, and the player looked up in it."""
    from hsctl.match.ghosts import open_ghost

    head, _, agent = text.removeprefix(GHOST).partition(THEN)
    file, _, player = head.rpartition("#")
    if not file or not player:
        raise PlayerError(f"{text!r}: write {GHOST}FILE#PLAYER or {GHOST}FILE#PLAYER{THEN}AGENT")
    ghost = GhostText(file, player)
    try:
        spec = parse_spec(agent or SUCCESSOR)
        playback, seat, _ = open_ghost(ghost)
    except HsctlError as error:
        raise PlayerError(f"{text!r}: {error}") from None
    return PlayerText(text, spec, replace(ghost, name=shorten(clean(playback.specs[seat]), LONGEST_NAME)))


def suggest_player(word: str, agents: Sequence[str]) -> str:
    """A player that may be meant: a program of this folder, or an agent; empty if there is none."""
    if word and os.path.isfile(word):
        return f"; did you mean {f'./{word}'!r}?"
    return suggest(word.partition(":")[0], agents)


def is_program(word: str) -> bool:
    """Whether the word names a program; a file that may not be executed gets its own error."""
    if shutil.which(word):
        return True
    if os.path.isfile(word) and os.path.dirname(word):
        hint = f"make it executable (chmod +x {word}) or put its interpreter in front: 'python3 {word}'"
        raise PlayerError(f"{word!r} is a file, but not a program: {hint}")
    return False


def names_of(players: Sequence[PlayerText]) -> list[str]:
    """What tables call the players, numbered where one plays twice."""
    return numbered([player.name for player in players])


def team_names(players: Sequence[PlayerText]) -> list[str]:
    """What tables call the teams that the players make two by two."""
    return numbered([f"{player.name}+{mate.name}" for player, mate in zip(players[::2], players[1::2], strict=True)])


def numbered(texts: Sequence[str]) -> list[str]:
    """The texts, numbered where one appears twice."""
    return [f"{text} #{texts[:at].count(text) + 1}" if texts.count(text) > 1 else text for at, text in enumerate(texts)]
