"""The JSON Schema of replay files, for those who read them without hsctl.

Kept in docs/reference/schemas/replay.schema.json; after a change of the format, write it again with

    python -m replays.schema > docs/reference/schemas/replay.schema.json
"""

import sys

import msgspec

from replays.replay import FORMAT, VERSION, Replay

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def format_schema(kind: type = Replay, form: str = FORMAT, version: int = VERSION) -> bytes:
    """The schema of a kind of document as the bytes of its file."""
    schema = {"$schema": DIALECT, "title": f"{form} version {version}", **msgspec.json.schema(kind)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(format_schema())
