"""How help looks: commands in groups, never cut short; examples at the end of each command.

A command is imported when it is called, completed or asked for its help (`register.py` has what the list of all needs).

A command's file has an EXAMPLES beside its function: command lines to paste, each with a shell comment if it needs one.

    EXAMPLES = \"\"\"
    hsctl play beam mcts                  # one game, kept as a replay
    hsctl play beam ./mybot --games 100   # a series: each board from every seat
    \"\"\"
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from engine.errors import HsctlError
from hsctl.cli.register import COMMANDS, REMOVED


class Command(TyperCommand):
    """A command whose epilog is its examples; its usage has required arguments without Typer's braces."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for word in args:
            if word == "--":
                break
            refuse_removed(f"{self.name} {word.partition('=')[0]}")
        return super().parse_args(ctx, args)

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
    alone.command(name, cls=Command, epilog=module.EXAMPLES)(getattr(module, module.__name__.rpartition(".")[2]))
    return typer.main.get_command(alone)


class Group(TyperGroup):
    """hsctl itself: all commands, listed under a heading for each group."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": Commands()})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        refuse_removed(args[0])
        return super().resolve_command(ctx, args)

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


def write_examples(examples: str | None, formatter: Any) -> None:
    if examples:
        with formatter.section("Examples"):
            for line in examples.strip().splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
