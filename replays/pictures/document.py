"""A page of HTML that needs nothing else: its style, its data and its script are in it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).with_name("document.html")


def format_document(title: str, body: str, style: str, data: Mapping[str, Any], script: str) -> str:
    """The whole page; its script finds the data in the element of that name."""
    parts = {"title": title, "body": body, "style": style, "data": format_data(data), "script": script}
    return fill(TEMPLATE, parts)


def fill(template: Path, parts: Mapping[str, str]) -> str:
    """The text of the template with a part in the place of each comment that names it."""
    return re.sub(r"/\*(\w+)\*/", lambda match: parts[match[1]], template.read_text(encoding="utf-8"))


def format_data(data: Mapping[str, Any]) -> str:
    """JSON that can stand inside a script element, whatever bots write."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
