"""How help looks: commands in groups, never cut short; examples at the end of each command.

A command's file has an EXAMPLES beside its function: command lines to paste, each with a shell comment if it needs one.

    EXAMPLES = \"\"\"
    hsctl play beam mcts                  # one game, kept as a replay
    hsctl play beam ./mybot --games 100   # a series: each board from every seat
    \"\"\"
"""

from typing import Any

from typer.core import TyperCommand, TyperGroup

UNCUT = 1000  # characters of a summary: longer than any, so that it is wrapped and not cut


class Command(TyperCommand):
    """A command whose epilog is its examples; its usage has required arguments without Typer's braces."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)
        return [piece[1:-1] if piece.startswith("{") and piece.endswith("}") else piece for piece in pieces]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        write_examples(self.epilog, formatter)


class Group(TyperGroup):
    """The list of commands under a heading for each group: what a command was added with as `rich_help_panel`."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        width = max(map(len, self.commands))
        for name, command in self.commands.items():
            heading = getattr(command, "rich_help_panel", None) or "Commands"
            groups.setdefault(heading, []).append((f"{name:{width}}", command.get_short_help_str(UNCUT)))
        for heading, rows in groups.items():
            with formatter.section(heading):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        write_examples(self.epilog, formatter)


def write_examples(examples: str | None, formatter: Any) -> None:
    if examples:
        with formatter.section("Examples"):
            for line in examples.strip().splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
