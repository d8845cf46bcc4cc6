"""The page of a command, made from the command itself: `hsctl help COMMAND`, and docs/reference/commands.

Write the pages again, with the output of the sample commands, by

    python -m hsctl.cli.reference docs/reference/commands
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill, indent
from typing import NamedTuple

from hsctl.cli.help import COMMANDS, Commands
from replays.files import write_text

WIDTH = 79
INDENT = 7  # of man pages
OUTPUT = "\n## Output\n\n"
SHARED_FOLDER = "~/.local/share/hsctl"  # the data folder in samples
# Commands whose real output a page shows, in this order: later ones look at the game of the first. Small, and limited
# by nodes, so that all but times is the same on every machine.
SAMPLES = {
    "play": "hsctl play beam simple --seed 3 --nodes 300",
    "replay": "hsctl replay @30",
    "review": "hsctl review --player simple",
    "explain": "hsctl explain --turn 30",
    "games": "hsctl games",
    "export": "hsctl export replays",
    "league": "hsctl league simple random still --games 4 --nodes 50",
    "compare": "hsctl compare simple random --games 40 --nodes 50",
    "check": "hsctl check 'python3 examples/bot.py' --only protocol",
    "conform": "hsctl conform 'python3 examples/conform.py' --states 300",
    "agents": "hsctl agents",
    "paper": "hsctl paper",
    "help": "hsctl help",
}


class CommandPage(NamedTuple):
    """All that a page says about a command."""

    name: str
    summary: str
    usage: str
    description: list[str]  # paragraphs
    arguments: list[tuple[str, str]]
    options: list[tuple[str, str]]
    examples: str


def page_of(name: str) -> CommandPage:
    command = Commands()[name]
    context = command.make_context(f"hsctl {name}", [], resilient_parsing=True)
    summary, *description = [" ".join(part.split()) for part in cleandoc(command.help or "").split("\n\n")]
    rows = [(param, param.get_help_record(context)) for param in command.get_params(context)]
    arguments = [row for param, row in rows if row and param.param_type_name == "argument"]
    options = [row for param, row in rows if row and param.param_type_name == "option"]
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    return CommandPage(name, summary, usage, description, arguments, options, command.epilog.strip())


# For the terminal


def format_man(page: CommandPage) -> str:
    """A page in the form of man pages."""
    described = "\n\n".join(fill(part, WIDTH - INDENT) for part in page.description)
    sections = {
        "NAME": f"hsctl {page.name} - {page.summary[0].lower()}{page.summary[1:].rstrip('.')}",
        "SYNOPSIS": page.usage,
        "DESCRIPTION": described or page.summary,
        "ARGUMENTS": format_terms(page.arguments),
        "OPTIONS": format_terms(page.options),
        "EXAMPLES": page.examples,
        "SEE ALSO": f"hsctl help (topics), docs/reference/commands/{page.name}.md",
    }
    parts = [f"{title}\n{indent(wrap_lines(text), ' ' * INDENT)}" for title, text in sections.items() if text]
    return "\n\n".join(parts) + "\n"


def wrap_lines(text: str) -> str:
    return "\n".join(
        fill(line, WIDTH - INDENT) if "#" not in line and len(line) > WIDTH else line for line in text.split("\n")
    )


def format_terms(rows: list[tuple[str, str]]) -> str:
    """Each term with its meaning below it."""
    return "\n\n".join(
        f"{term}\n{fill(text, WIDTH - INDENT, initial_indent='    ', subsequent_indent='    ')}" for term, text in rows
    )


# For the docs


def format_markdown(page: CommandPage, sample: str = "") -> str:
    lines = [
        f"# hsctl {page.name}",
        "",
        "<!-- Made by `python -m hsctl.cli.reference`: change the help of the command instead. -->",
        "",
        page.summary,
        "",
        f"    {page.usage}",
        *(line for part in page.description for line in ("", fill(part, 120))),
    ]
    for title, rows in (("Arguments", page.arguments), ("Options", page.options)):
        if rows:
            lines += ["", f"## {title}", "", "| | |", "|---|---|"]
            lines += [f"| `{escape_cell(term)}` | {escape_cell(text)} |" for term, text in rows]
    lines += ["", "## Examples", "", "```sh", page.examples, "```"]
    return "\n".join(lines) + "\n" + (f"{OUTPUT}{sample}" if sample else "")


def escape_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;") if "`" in text or "<" in text else text.replace("|", "\\|")


def format_index() -> str:
    lines = ["# Commands", "", "Made from the help of each command; `hsctl help COMMAND` shows the same.", ""]
    heading = ""
    for name, listed in COMMANDS.items():
        if listed.heading != heading:
            heading = listed.heading
            lines += [*([""] if lines[-1].startswith("|") else []), f"## {heading}", "", "| | |", "|---|---|"]
        lines.append(f"| [{name}]({name}.md) | {listed.summary} |")
    return "\n".join(lines) + "\n"


# Samples


def run_samples(names: list[str]) -> Iterator[tuple[str, str]]:
    """The output of the samples of these commands, as Markdown; all share a new data folder."""
    with TemporaryDirectory() as folder:
        for name, command in SAMPLES.items():
            if name in names or name == "play":
                yield name, f"```console\n$ {command}\n{run_sample(command, Path(folder))}```\n"


def run_sample(command: str, data: Path) -> str:
    environment = {**os.environ, "HSCTL_DATA": str(data), "COLUMNS": "100", "NO_COLOR": "1"}
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(
        words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{command}: exit code {done.returncode}")
    return re.sub(r" +\n", "\n", done.stdout.replace(str(data), SHARED_FOLDER))


def mask_numbers(text: str) -> list[str]:
    """The words of an output without numbers, which depend on the machine, and the space they take."""
    named = re.sub(r"-\s*(?:[0-9a-f]\s*){8}\.json", " ", text)  # a long name may be broken anywhere
    return re.sub(r"[-\d.:─ ]+", " ", named).split()


def write_pages(folder: Path) -> None:
    """Write all pages; a sample that differs by numbers alone stays as it is."""
    samples = dict(run_samples(list(SAMPLES)))
    for name in COMMANDS:
        path, sample = folder / f"{name}.md", samples.get(name, "")
        old = path.read_text(encoding="utf-8").partition(OUTPUT)[2] if path.exists() else ""
        same = mask_numbers(old) == mask_numbers(sample)
        write_text(path, format_markdown(page_of(name), old if same else sample))
    write_text(folder / "README.md", format_index())


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
