"""A review as JSON."""

import json

from hsctl.review.report import encode


def test_json_holds_plain_characters_only() -> None:
    text = encode({"name": "\x9b31m\u2028"})
    assert text.isascii() and json.loads(text) == {"name": "\x9b31m\u2028"}
