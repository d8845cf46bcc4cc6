"""Every rule of a round, read from rules.txt, basic ones first: a drawing needs no rule that comes after its own.

So the first rule with a drawing that fails is the one that is broken, and later ones may fail in its wake.

    ## Section          with its words below
    ### Rule            with its words below

        ..0.            a drawing of the rule above (rule.py), then further ones, with a blank line between them
"""

from pathlib import Path

from hsctl.testing.conform.rules.rule import Rule, Section

SCORES_TITLE = "Scores"  # the section about what a simulator need not tell


def parse_sections(text: str) -> tuple[Section, ...]:
    _, *sections = f"\n{text}".split("\n## ")
    return tuple(map(parse_section, sections))


def parse_section(text: str) -> Section:
    head, *rules = text.split("\n### ")
    title, words, _ = split_heading(head)
    return Section(title, words, tuple(Rule(*split_heading(rule), is_score=title == SCORES_TITLE) for rule in rules))


def split_heading(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Title, words and drawings."""
    head, *drawn = text.strip().split("\n\n")
    title, _, words = head.partition("\n")
    return title, words.replace("\n", " "), tuple(drawn)


SECTIONS = parse_sections(Path(__file__).with_name("rules.txt").read_text(encoding="utf-8"))
RULES = tuple(rule for section in SECTIONS for rule in section.rules)
