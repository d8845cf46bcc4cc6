"""Valid things, changed a little: bytes, lines, numbers in a text, values of a JSON document, words of a command."""

import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

# What must never reach a terminal: a screen that is cleared, a clipboard that is filled, a line that is turned round.
EVIL = ["\x1b[2J", "\x1b]52;c;ZXZpbA==\x07", "\x9b31m", "\u202egnp.exe", "a\nhsctl: b", "\r\x00", "\ud800", "\u2028"]
MARKUP = ["[/x]", "[link=file:///etc/passwd]x[/link]", "[bold", ":smile:", "</script><script>x", "{0}{x}%s", "$0"]
NUMBERS = [0, -1, 1, 2, 3, 7, 8, 9, 10, 99, 127, 128, 199, 200, 201, 255, 256, 2**15, 2**16, 2**31, 2**63, 10**25]
FLOATS = [0.5, -0.0, 1e-300, 1e300, 1e308, -1e9, 2.5]
WORDS = ["", " ", "x", "none", "inf", "nan", "true", "²", "١", "1_0", "0x10", "+1", "1e3", "é🤖", "a" * 300]
NUMBER = re.compile(r"-?\d+")


def mutate_bytes(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, cut out, doubled or put in."""
    changed = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 5, 20])):
        at = chance.randrange(len(changed) + 1)
        upto = at + chance.choice([1, 1, 2, 10, 100])
        kind = chance.randrange(6)
        if kind == 0 and at < len(changed):
            changed[at] ^= 1 << chance.randrange(8)
        elif kind == 1 and at < len(changed):
            changed[at] = chance.randrange(256)
        elif kind == 2:
            del changed[at:upto]
        elif kind == 3:
            changed[at:at] = changed[at:upto] * chance.choice([1, 2, 50])
        elif kind == 4:
            changed[at:at] = any_text(chance).encode(errors="surrogatepass")
        else:
            del changed[chance.choice([at, 0, len(changed) // 2, len(changed) - 1]) :]
    return bytes(changed)


def mutate_text(text: str, chance: random.Random) -> str:
    """Lines dropped, doubled, exchanged or filled with anything; numbers replaced."""
    lines = text.split("\n")
    for _ in range(chance.choice([0, 1, 1, 1, 2, 5])):
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(6)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(other, lines[at])
        elif kind == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            lines[at] = any_text(chance)
        else:
            lines[at] = mutate_line(lines[at], chance)
    return "\n".join(lines)


def mutate_line(line: str, chance: random.Random) -> str:
    """Another number, another character, or something put in."""
    numbers = list(NUMBER.finditer(line))
    kind = chance.randrange(4)
    if kind < 2 and numbers:
        found = chance.choice(numbers)
        return f"{line[: found.start()]}{any_number(chance)}{line[found.end() :]}"
    at = chance.randrange(len(line) + 1)
    if kind == 2:
        return line[:at] + any_text(chance) + line[at:]
    return line[:at] + chance.choice(".X012 -\t") + line[at + 1 :]


def mutate_json(document: Any, chance: random.Random) -> Any:
    """A value or a name somewhere in the document replaced, dropped or doubled."""
    document = copy.deepcopy(document)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        holder, key = pick_place(document, chance)
        if holder is None:
            return any_value(chance)
        change_at(holder, key, chance)
    return document


def mutate_alike(document: Any, chance: random.Random) -> Any:
    """A value somewhere in the document replaced by one of its own type, which so gets further in."""
    if not isinstance(document, dict | list) or not document:
        return any_alike(document, chance)
    document = copy.deepcopy(document)
    key = chance.choice(list(document)) if isinstance(document, dict) else chance.randrange(len(document))
    document[key] = mutate_alike(document[key], chance)
    return document


def any_alike(value: Any, chance: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice([chance.randrange(13), chance.randrange(1000), chance.choice(NUMBERS)])
    if isinstance(value, float):
        return float(any_number(chance))
    return any_text(chance) if isinstance(value, str) else value


def pick_place(document: Any, chance: random.Random) -> tuple[Any, Any]:
    """Some place in it: a walk down that ends anywhere."""
    holder, key, value = None, None, document
    while isinstance(value, dict | list) and value and (holder is None or chance.random() < 0.9):
        holder = value
        key = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        value = holder[key]
    return holder, key


def change_at(holder: Any, key: Any, chance: random.Random) -> None:
    kind = chance.randrange(8)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[any_text(chance)] = holder.pop(key)
    elif kind == 1:
        holder.insert(key, copy.deepcopy(holder[key]))
    elif kind == 2 and isinstance(holder[key], str):
        holder[key] = mutate_line(holder[key], chance)
    elif kind <= 4 and isinstance(holder[key], int | float):
        holder[key] = any_number(chance)
    elif kind <= 6 and isinstance(holder[key], str):
        holder[key] = any_text(chance)
    else:
        holder[key] = any_value(chance)


def dump(document: Any, chance: random.Random) -> bytes:
    """JSON as strangers write it, with half characters too."""
    return json.dumps(document, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")


def any_number(chance: random.Random) -> int | float:
    return chance.choice(
        [chance.randrange(13), chance.choice(NUMBERS), chance.choice([*FLOATS, chance.randrange(300)])]
    )


def any_text(chance: random.Random) -> str:
    pick: Sequence[str] = chance.choice([EVIL, EVIL, MARKUP, WORDS])
    return chance.choice([chance.choice(pick), chance.choice(pick) + chance.choice(WORDS), str(any_number(chance))])


def any_value(chance: random.Random) -> Any:
    makers: list[Callable[[], Any]] = [
        lambda: None,
        lambda: chance.random() < 0.5,
        lambda: any_number(chance),
        lambda: any_text(chance),
        lambda: [any_number(chance) for _ in range(chance.randrange(5))],
        lambda: {any_text(chance): any_number(chance)},
        lambda: [[[[[]]]]],
        list,
        dict,
    ]
    return chance.choice(makers)()


def as_word(text: str) -> str:
    """As it can stand in a command line, and name no file elsewhere; bytes that are no text come as half characters."""
    return text.replace("/", "_").replace("\0", "0").replace("\ud800", "\udcff")
