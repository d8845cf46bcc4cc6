"""Renderables as Markdown: what a command shows on the terminal, for a page of docs."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

RULES = {"left": "---", "right": "---:", "center": ":---:"}


def to_markdown(shown: RenderableType) -> str:
    """Tables, texts and groups of them, a blank line between two."""
    return "\n\n".join(filter(None, blocks_of(shown))) + "\n"


def blocks_of(shown: RenderableType) -> list[str]:
    if isinstance(shown, Group):
        return [block for part in shown.renderables for block in blocks_of(part)]
    if isinstance(shown, Table):
        return [title_of(shown), table_lines(shown), plain(shown.caption)]
    assert isinstance(shown, Text | str), f"no Markdown for {type(shown).__name__}"
    return [plain(shown)]


def title_of(table: Table) -> str:
    return f"**{plain(table.title)}**" if table.title else ""


def table_lines(table: Table) -> str:
    """A table's head, its rule and its rows."""
    heads = [cell(column.header) for column in table.columns]
    rules = [RULES.get(column.justify, RULES["left"]) for column in table.columns]
    rows = zip(*([cell(each) for each in column.cells] for column in table.columns), strict=True)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, rules, *rows))


def cell(shown: RenderableType) -> str:
    return plain(shown).replace("|", "\\|").replace("\n", " ")


def plain(shown: object) -> str:
    if shown is None:
        return ""
    return shown.plain.strip() if isinstance(shown, Text) else str(shown).strip()
