"""`hsctl help`, and how all help looks: the list of commands, their pages, the topics.

Each command is a module of this package with a function of the same name (`import_` for import) and an EXAMPLES:
command lines to paste, with a shell comment where they need one. The list below has its heading and its summary, so
that a start imports one command and not all of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import CompletionItem, TyperCommand, TyperGroup  # type: ignore[attr-defined]
from typer.exceptions import TyperException

from engine.errors import HsctlError
from hsctl.cli.completion import complete_experiment, complete_player, complete_replay

GROUPS = {
    "Play and improve a bot": {
        "play": "Play a game or a series of games, and save each as a replay.",
        "replay": "Step through a recorded game, print its turns or draw them.",
        "review": "Find what lost a game: costly mistakes and avoidable deaths, with proof.",
        "explain": "Explain why an agent chose its move.",
        "check": "Check a bot before you submit it to the arena.",
        "league": "Play all players against each other and rate them.",
        "compare": "Find out whether A is better than B.",
    },
    "Bots and agents": {
        "agents": "List built-in and installed agents; with NAME, show that agent's parameters and presets.",
        "bot": "Run an agent as a bot, for the arena or any other referee.",
        "tune": "Find better values for the parameters of an agent or a bot (needs hsctl[tune]).",
        "conform": "Compare your simulator with the rules of the game.",
    },
    "Recorded games": {
        "games": "List recorded games, newest first, with result, cause of loss and file.",
        "import_": "Verify arena games and save them as replays.",
        "export": "Write games, turns, decisions and events as tables.",
    },
    "Experiments": {
        "paper": "Repeat an experiment from the paper, or run one that goes beyond it.",
        "scale": "Measure how strength grows with time or nodes.",
        "bench": "Measure the speed of the engine.",
        "train": "Train the win probability on games, and test it on boards and players it has not seen.",
    },
    "Maintenance": {
        "help": "Explain a command or a topic: players, clocks, replays, statistics, rules or keys.",
        "doctor": "Examine this machine and, if you name one, a bot.",
        "cache": "Show where hsctl keeps files; fill or empty the cache of compiled code.",
        "completion": "Print a script that completes commands, options, agents and replays in your shell.",
    },
}

# The jobs that people come for, each with one command: what `hsctl` alone shows.
JOBS = {
    "hsctl play beam mcts rhea": "play a game; name ./mybot to play yours",
    "hsctl replay": "step through the last game",
    "hsctl review": "find the turn that lost it",
    "hsctl explain --turn 42": "see why a search chose its move",
    "hsctl league ./mybot beam simple": "rate your bot against others",
}
# Words that people try, and the command they mean.
MEANT = {
    **dict.fromkeys(("match", "run", "start", "game", "simulate"), "play"),
    **dict.fromkeys(("watch", "live"), "play --watch"),
    **dict.fromkeys(("list", "ls", "history", "replays"), "games"),
    **dict.fromkeys(("show", "view", "open", "step", "viewer"), "replay"),
    **dict.fromkeys(("analyze", "analyse", "analysis", "blame", "mistakes"), "review"),
    **dict.fromkeys(("why", "inspect", "debug"), "explain"),
    **dict.fromkeys(("test", "validate", "lint"), "check"),
    **dict.fromkeys(("tournament", "rank", "ladder", "elo", "rate"), "league"),
    **dict.fromkeys(("versus", "vs", "sprt"), "compare"),
    **dict.fromkeys(("bots", "players", "params", "parameters"), "agents"),
    **dict.fromkeys(("optimize", "optimise"), "tune"),
    **dict.fromkeys(("download", "fetch", "convert"), "import"),
    **dict.fromkeys(("csv", "dump"), "export"),
    **dict.fromkeys(("benchmark", "profile", "perf"), "bench"),
    **dict.fromkeys(("man", "docs", "topics"), "help"),
    **dict.fromkeys(("clean", "warm", "compile"), "cache"),
    **dict.fromkeys(("diagnose", "info", "status"), "doctor"),
}
# Commands and options of earlier versions, and what to do instead.
REMOVED = {
    "verify": "run `python -m hsctl.research.verify engine` or `python -m hsctl.research.verify statistics`",
    "replay --inputs": "name the file itself, as in `hsctl replay FILE`",
    "replay --seat": "use --player",
}

FOLDER = Path(__file__).parents[1] / "topics"
TOPICS = {
    "players": "the players you can name, and how to write them",
    "clocks": "how long players may think",
    "replays": "recorded games, and what you can do with them",
    "statistics": "how to read the numbers of a series",
    "rules": "the game in short",
    "keys": "the keys of the stepper",
}

Completer = Callable[[str], Iterable[str]]
COMPLETERS: dict[str, Completer] = {  # by the name of a parameter, of any command
    **dict.fromkeys(
        ("players", "player", "new", "old", "agent", "agents", "names", "against", "pool"), complete_player
    ),
    **dict.fromkeys(("file", "files", "from_"), complete_replay),
    "name": complete_experiment,
    "topic": lambda incomplete: [*TOPICS, *COMMANDS],
}

BOUNDS = re.compile(r"(?<=[\[ ])[^\[;\]]*x(<=|>=|<|>)[^;\]]*(; )?")


class Listed(NamedTuple):
    heading: str
    module: str
    summary: str


COMMANDS: dict[str, Listed] = {  # `import` is a keyword, so its module is import_
    module.rstrip("_"): Listed(heading, f"hsctl.cli.{module}", summary)
    for heading, modules in GROUPS.items()
    for module, summary in modules.items()
}


def complete_topic() -> list[str]:
    return [*TOPICS, *COMMANDS]


# Commands


class HsctlCommand(TyperCommand):
    """A command whose epilog is its examples; its usage has required arguments without Typer's braces."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for word in args:
            if word == "--":
                break
            refuse_removed(f"{self.name} {word.partition('=')[0]}")
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            if type(error).__name__ != "MissingParameter" or self.epilog is None:
                raise
            example = self.epilog.strip().splitlines()[0].partition("  #")[0]
            raise HsctlError(f"{error.format_message().rstrip('.')}; for example: {example}") from None

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)
        return [piece[1:-1] if piece.startswith("{") and piece.endswith("}") else piece for piece in pieces]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        write_examples(self.epilog, formatter)


class Commands(Mapping[str, Any]):
    """All commands by name, each made when it is asked for."""

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.made:
            self.made[name] = make_command(name)
        return self.made[name]

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def make_command(name: str) -> Any:
    """The function of the command's module as a command; KeyError if there is none."""
    module = import_module(COMMANDS[name].module)
    alone = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
    function = getattr(module, name, None) or getattr(module, f"{name}_")  # a name of Python's has a _ behind it
    alone.command(name, cls=HsctlCommand, epilog=module.EXAMPLES)(function)
    command = typer.main.get_command(alone)
    for parameter in command.params:
        parameter.get_help_record = partial(  # type: ignore[method-assign]
            without_bounds, parameter.get_help_record
        )
        if parameter.name in COMPLETERS:
            parameter.shell_complete = partial(complete_by, COMPLETERS[parameter.name])  # type: ignore[method-assign]
    return command


def without_bounds(get_help_record: Callable[[Any], Any], context: Any) -> Any:
    """The help of a parameter without Typer's `1<=x<=1000000`: an error names the bounds if they matter."""
    record = get_help_record(context)
    return record and (record[0], BOUNDS.sub("", record[1]).replace("; ]", "]").removesuffix("  []"))


def complete_by(completer: Completer, context: Any, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(value) for value in completer(incomplete) if value.startswith(incomplete)]


class HsctlGroup(TyperGroup):
    """hsctl itself: all commands, listed under a heading for each group."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": Commands()})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        refuse_removed(args[0])
        if args[0] not in COMMANDS and args[0].lower() in MEANT:
            raise HsctlError(f"no such command: {args[0]}; try `hsctl {MEANT[args[0].lower()]}`")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The names alone, so that no command is imported."""
        names = [*COMMANDS, *(["--help", "--version"] if incomplete.startswith("-") else [])]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        width = max(map(len, COMMANDS))
        for name, listed in COMMANDS.items():
            groups.setdefault(listed.heading, []).append((f"{name:{width}}", listed.summary))
        for heading, rows in groups.items():
            with formatter.section(heading):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        write_examples(self.epilog, formatter)


def refuse_removed(words: str) -> None:
    """Name the replacement of a command or an option that earlier versions had."""
    if words in REMOVED:
        raise HsctlError(f"{words} was removed: {REMOVED[words]}")


def format_jobs() -> str:
    """What `hsctl` alone prints."""
    width = max(map(len, JOBS))
    lines = [f"  {command:{width}}  {job}" for command, job in JOBS.items()]
    return "\n".join(
        [
            "hsctl plays, replays and explains games of Hypersonic, CodinGame's Bomberman.",
            "",
            *lines,
            "",
            "All commands: hsctl --help. One command: hsctl help COMMAND.",
        ]
    )


def write_examples(examples: str | None, formatter: Any) -> None:
    if examples:
        with formatter.section("Examples"):
            for line in examples.strip().splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


# Topics


EXAMPLES = """
hsctl help          # list the topics
hsctl help players  # the players you can name
hsctl help play     # the page of a command
"""


def read_topic(topic: str) -> str:
    if topic == "keys":
        from replays.keys import format_keys

        return format_keys()
    return (FOLDER / f"{topic}.txt").read_text(encoding="utf-8")


def help_(
    topic: Annotated[str | None, typer.Argument(metavar="[TOPIC]", help="A topic or a command.")] = None,
) -> None:
    """Explain a command or a topic: players, clocks, replays, statistics, rules or keys."""
    if topic is None:
        width = max(map(len, TOPICS))
        for name, summary in TOPICS.items():
            typer.echo(f"{name:{width}}  {summary}")
    elif topic in TOPICS:
        typer.echo(read_topic(topic), nl=False)
    elif topic in COMMANDS:
        from hsctl.cli.reference import format_man, page_of

        typer.echo(format_man(page_of(topic)), nl=False)
    else:
        raise HsctlError(f"{topic!r} is neither a topic nor a command; the topics are {', '.join(TOPICS)}")
