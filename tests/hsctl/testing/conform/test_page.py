"""The page of rules in docs/ is what the catalogue makes of it."""

import re

from hsctl.testing.conform.rules import RULES
from hsctl.testing.conform.view import format_page
from tests.hsctl.run import ROOT

PAGE = ROOT / "docs" / "reference" / "rules.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == format_page(), (
        "write it again: python -m hsctl.testing.conform.view > docs/reference/rules.md"
    )


def test_every_rule_has_its_heading() -> None:
    headings = re.findall(r"^### (.+)$", PAGE.read_text(), re.MULTILINE)
    assert headings == [rule.title for rule in RULES]
