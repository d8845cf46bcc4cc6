"""A trace as a file: JSON lines, CSV, Parquet or a drawing, by the name's ending; and read again.

Rows are written as they come, to a draft (replays/files.py). It gets its name when it is complete, or when its end
says that it was cut.
"""

import csv
import gzip
import json
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any, AnyStr, TextIO, get_args

import msgspec

from engine.errors import HsctlError
from hsctl.analysis.explain.tracing.rows import ROW_KINDS, OwnRow, RowBatch, TraceEnd, TraceHeader, columns_of
from hsctl.files import csv_cell
from replays.files import draft_of, is_device, written_whole

STDOUT = "-"
ENDINGS = (".jsonl", ".jsonl.gz", ".csv", ".parquet", ".dot")
COMMENT = "# "  # before header and end in CSV
HEADER_KEY, END_KEY = "hsctl.header", "hsctl.end"  # in the metadata of Parquet
GROUP = 1 << 16  # rows of a group of Parquet
Kinds = Sequence[type]
ENCODER = msgspec.json.Encoder()


class TraceFile(ABC):
    """Where rows go."""

    is_drawing = False
    out: Any = None  # a file or a stream, once it is open

    def __init__(self, path: str) -> None:
        self.path = path
        self.draft = Path(path)  # until `written`
        self.is_open = False

    @contextmanager
    def written(self) -> Iterator[None]:
        """Open and close it in here: then it gets its name. An error leaves the file that was there before."""
        with nullcontext(self.draft) if self.path == STDOUT else written_whole(Path(self.path)) as self.draft:
            try:
                yield
            finally:
                if self.is_open and self.path != STDOUT and self.out is not None:
                    with suppress(OSError):
                        self.out.close()

    def open(self, header: TraceHeader, kinds: Kinds, own: Sequence[str] = ()) -> None:
        """Begin; `own` are columns of rows that only their agent knows."""
        self.is_open = True
        self.begin(header, kinds, own)

    def close(self, end: TraceEnd) -> None:
        """The end of the file."""
        self.end(end)
        self.is_open = False

    @abstractmethod
    def begin(self, header: TraceHeader, kinds: Kinds, own: Sequence[str]) -> None: ...

    @abstractmethod
    def write(self, batch: RowBatch) -> None: ...

    @abstractmethod
    def end(self, end: TraceEnd) -> None: ...


def open_trace(path: str, top: int) -> TraceFile:
    """The file for a name; `top` is how many siblings a drawing has on each layer."""
    if path == STDOUT or path.endswith((".jsonl", ".jsonl.gz")):
        found: TraceFile = JsonLines(path)
    elif path.endswith(".csv"):
        found = CsvTrace(path)
    elif path.endswith(".parquet"):
        check_pyarrow()
        found = ParquetTrace(path)
    elif path.endswith(".dot"):
        found = DotTrace(path, top)
    else:
        raise HsctlError(f"--trace {path}: end the name in {', '.join(ENDINGS)}, or write - for stdout")
    if path != STDOUT:
        check_writable(Path(path))
    return found


def check_writable(path: Path) -> None:
    """Say so before anything is searched if nothing can be written there."""
    if path.is_dir():
        raise HsctlError(f"{path}: is a folder; name a file")
    if not path.parent.is_dir():
        raise HsctlError(f"{path.parent}: no such folder; make it first, or write elsewhere")
    if not is_device(path):
        draft = draft_of(path)
        try:
            draft.touch()
            draft.unlink()
        except OSError as error:
            raise HsctlError(f"{path.parent}: can't write there: {error.strerror}; write elsewhere") from None


def check_pyarrow() -> None:
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise HsctlError("a .parquet file needs pyarrow: pip install 'hsctl[parquet]', or write .jsonl.gz")


def lists_of(batch: RowBatch) -> list[list[Any]]:
    """The columns of a batch as plain lists."""
    return [column if isinstance(column, list) else column.tolist() for column in batch.columns.values()]


def rows_of(batch: RowBatch) -> Iterator[dict[str, Any]]:
    """The rows of a batch, each with the name of its kind."""
    names, tag = ["record", *batch.columns], tag_of(batch.kind)
    return (dict(zip(names, row, strict=True)) for row in zip([tag] * batch.count, *lists_of(batch), strict=True))


def tag_of(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]


class JsonLines(TraceFile):
    """A line of JSON for the header, for each row and for the end."""

    def begin(self, header: TraceHeader, kinds: Kinds, own: Sequence[str]) -> None:
        if self.path == STDOUT:
            self.out = sys.stdout.buffer
        else:
            self.out = gzip.open(self.draft, "wb", 6) if self.path.endswith(".gz") else open(self.draft, "wb")  # noqa: SIM115
        self.out.write(ENCODER.encode(header) + b"\n")

    def write(self, batch: RowBatch) -> None:
        self.out.write(b"".join(ENCODER.encode(row) + b"\n" for row in rows_of(batch)))

    def end(self, end: TraceEnd) -> None:
        self.out.write(ENCODER.encode(end) + b"\n")
        self.out.flush() if self.path == STDOUT else self.out.close()


def union_of(kinds: Kinds, own: Sequence[str]) -> list[str]:
    """The columns of a table for rows of several kinds."""
    names = [name for kind in kinds if kind is not OwnRow for name in columns_of(kind).values()]
    return list(dict.fromkeys(["record", *names, *own]))


class CsvTrace(TraceFile):
    """A table of all columns; header and end are comments before and after it."""

    def begin(self, header: TraceHeader, kinds: Kinds, own: Sequence[str]) -> None:
        self.out = open(self.draft, "w", encoding="utf-8", newline="")  # noqa: SIM115
        self.out.write(f"{COMMENT}{ENCODER.encode(header).decode()}\n")
        self.columns = union_of(kinds, own)
        self.table = csv.writer(self.out, lineterminator="\n")
        self.table.writerow(self.columns)

    def write(self, batch: RowBatch) -> None:
        given = dict(zip(batch.columns, lists_of(batch), strict=True))
        given["record"] = [tag_of(batch.kind)] * batch.count
        nothing = [None] * batch.count
        self.table.writerows(zip(*(map(flat, given.get(name, nothing)) for name in self.columns), strict=True))

    def end(self, end: TraceEnd) -> None:
        self.out.write(f"{COMMENT}{ENCODER.encode(end).decode()}\n")
        self.out.close()


def flat(value: Any) -> Any:
    """A value as a cell: lists and dicts as JSON, and nothing that a spreadsheet would run."""
    return json.dumps(value) if isinstance(value, list | dict) else csv_cell(value)


class ParquetTrace(TraceFile):
    """A table of all columns; header and end are metadata of the file."""

    def begin(self, header: TraceHeader, kinds: Kinds, own: Sequence[str]) -> None:
        import pyarrow
        from pyarrow import parquet

        types = {name: kind_type for kind in kinds for name, kind_type in arrow_types(kind).items()}
        self.columns = union_of(kinds, own)
        fields = [(name, types.get(name, pyarrow.string())) for name in self.columns]
        self.schema = pyarrow.schema(fields, {HEADER_KEY: ENCODER.encode(header)})
        self.out = parquet.ParquetWriter(self.draft, self.schema, compression="zstd")
        self.waiting: list[Any] = []  # tables

    def write(self, batch: RowBatch) -> None:
        import pyarrow

        def column(name: str) -> Any:
            kind = self.schema.field(name).type
            if name == "record":
                return pyarrow.array([tag_of(batch.kind)] * batch.count, kind)
            if name not in batch.columns:
                return pyarrow.nulls(batch.count, kind)
            values = batch.columns[name]
            if kind == pyarrow.string() and isinstance(values, list):
                values = [flat(value) if isinstance(value, list | dict) else as_text(value) for value in values]
            return pyarrow.array(values, kind)

        self.waiting.append(pyarrow.table([column(name) for name in self.columns], schema=self.schema))
        if sum(table.num_rows for table in self.waiting) >= GROUP:
            self.flush()

    def flush(self) -> None:
        import pyarrow

        if self.waiting:
            self.out.write_table(pyarrow.concat_tables(self.waiting))
            self.waiting = []

    def end(self, end: TraceEnd) -> None:
        self.flush()
        self.out.add_key_value_metadata({END_KEY: ENCODER.encode(end)})
        self.out.close()


def as_text(value: Any) -> str | None:
    return None if value is None else str(value)


def arrow_types(kind: type) -> dict[str, Any]:
    """Arrow's types for the columns of a kind of row."""
    import pyarrow

    known = {int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_(), str: pyarrow.string()}
    hints = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    found = {}
    for name, hint in hints.items():
        inner = next((each for each in get_args(hint) or (hint,) if each in known), str)
        found[name] = pyarrow.list_(pyarrow.string()) if "list" in str(hint) else known[inner]
    return found


class HeldRows(TraceFile):
    """No file: rows are kept, for Python."""

    def __init__(self) -> None:
        super().__init__(STDOUT)
        self.batches: list[RowBatch] = []

    def begin(self, header: TraceHeader, kinds: Kinds, own: Sequence[str]) -> None:
        self.header = header

    def write(self, batch: RowBatch) -> None:
        self.batches.append(batch)

    def end(self, end: TraceEnd) -> None:
        self.ended = end


# Reading


UNREADABLE = (  # whatever decodes
    msgspec.MsgspecError,
    OSError,
    ValueError,
    EOFError,
    KeyError,
    TypeError,
    RecursionError,
    csv.Error,
    zlib.error,
)
LONGEST_LINE = 1 << 24  # of a trace that is read; a few compressed bytes can make a line of any length


def next_line(file: IO[AnyStr]) -> AnyStr:
    """The next line, empty at the end; ValueError for one that no trace has."""
    line = file.readline(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise ValueError("a line without end")
    return line


def lines_of(file: IO[AnyStr]) -> Iterator[AnyStr]:
    while line := next_line(file):
        yield line


class TraceReader:
    """The header, the rows one by one, then the end (None if the file has none)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ended: TraceEnd | None = None
        if not path.is_file():
            raise HsctlError(f"{path}: no such file")
        try:
            self.header, self._rows = self.begin()
        except UNREADABLE:
            raise HsctlError(f"{path}: not a trace; write one with hsctl explain --trace") from None

    def damaged(self) -> HsctlError:
        return HsctlError(f"{self.path}: damaged; write it again with hsctl explain --trace")

    def rows(self) -> Iterator[dict[str, Any]]:
        try:
            yield from self._rows
        except UNREADABLE:
            raise self.damaged() from None

    def begin(self) -> tuple[TraceHeader, Iterator[dict[str, Any]]]:
        name = self.path.name
        if name.endswith((".jsonl", ".jsonl.gz")):
            lines: Any = gzip.open(self.path, "rb") if name.endswith(".gz") else open(self.path, "rb")  # noqa: SIM115
            return msgspec.json.decode(next_line(lines), type=TraceHeader), self.json_rows(lines)
        if name.endswith(".csv"):
            text = open(self.path, encoding="utf-8", newline="")  # noqa: SIM115
            return self.header_of(next_line(text).removeprefix(COMMENT)), self.csv_rows(text)
        if name.endswith(".parquet"):
            return self.begin_parquet()
        raise HsctlError(f"{self.path}: only .jsonl, .jsonl.gz, .csv and .parquet can be checked")

    def header_of(self, text: str | bytes) -> TraceHeader:
        return msgspec.json.decode(text, type=TraceHeader)

    def note_end(self, text: str | bytes) -> None:
        self.ended = msgspec.json.decode(text, type=TraceEnd)

    def json_rows(self, lines: Any) -> Iterator[dict[str, Any]]:
        with lines:
            for line in lines_of(lines):
                row = msgspec.json.decode(line)
                if self.ended is not None:
                    raise ValueError("rows after the end")
                if row["record"] == "end":
                    self.note_end(line)
                else:
                    yield row

    def csv_rows(self, text: TextIO) -> Iterator[dict[str, Any]]:
        def table_lines() -> Iterator[str]:
            for line in lines_of(text):
                if self.ended is not None:
                    raise ValueError("rows after the end")
                if line.startswith(COMMENT):
                    self.note_end(line.removeprefix(COMMENT))
                else:
                    yield line

        with text:
            readers = {tag: csv_readers(kind) for tag, kind in ROW_KINDS.items()}
            for row in csv.DictReader(table_lines()):
                known = readers[row["record"]]
                yield {name: known.get(name, read_text)(value) if value else None for name, value in row.items()}

    def begin_parquet(self) -> tuple[TraceHeader, Iterator[dict[str, Any]]]:
        check_pyarrow()
        from pyarrow import parquet

        file = parquet.ParquetFile(self.path)
        metadata = file.metadata.metadata or {}
        if ended := metadata.get(END_KEY.encode()):
            self.note_end(ended)
        rows = (row for batch in file.iter_batches(GROUP) for row in batch.to_pylist())
        return self.header_of(metadata.get(HEADER_KEY.encode(), b"")), rows


def csv_readers(kind: type) -> dict[str, Callable[[str], Any]]:
    """What makes a value of each cell that isn't text."""
    found: dict[str, Callable[[str], Any]] = {}
    for each in msgspec.structs.fields(kind):
        hint = str(each.type)
        if "list" in hint or "dict" in hint:
            found[each.encode_name] = json.loads
        elif "bool" in hint:
            found[each.encode_name] = lambda text: text == "True"
        elif "float" in hint:
            found[each.encode_name] = float
        elif "int" in hint and "Literal" not in hint:
            found[each.encode_name] = int
    return found


def read_text(text: str) -> str:
    return text.removeprefix("'")


# Drawings


VALUES = ("score", "mean", "fitness", "value")  # what a node is worth, by kind of row
RANKINGS = ("score", "visits", "fitness", "value")  # by what siblings are compared
LABELS = ("fate", "visits", "terminal", "operator", "kind", "verdict")


class DotTrace(TraceFile):
    """Holds the rows of the last own search that can be on the drawing, and writes them at the end."""

    is_drawing = True

    def __init__(self, path: str, top: int) -> None:
        super().__init__(path)
        self.top = top
        self.held: dict[int, dict[int, dict[str, Any]]] = {}  # depth -> node -> row
        self.number: int | None = None  # of the pass they are of

    def begin(self, header: TraceHeader, kinds: Kinds, own: Sequence[str]) -> None:
        self.header = header

    def write(self, batch: RowBatch) -> None:
        columns = batch.columns
        if "node" not in columns or "parent" not in columns or columns["stage"][0] != "own":
            return
        if columns["pass"][0] != self.number:
            self.held, self.number = {}, columns["pass"][0]
        names = list(columns)
        for values in zip(*lists_of(batch), strict=True):
            row = dict(zip(names, values, strict=True))
            self.held.setdefault(row["depth"], {})[row["node"]] = row
        for layer in self.held.values():
            self.thin_out(layer)

    def thin_out(self, layer: dict[int, dict[str, Any]]) -> None:
        """Leave the best line and the best of all others; below an alpha-beta search the line is known at the end."""
        ranked = sorted((row for row in layer.values() if not row.get("best")), key=rank_of, reverse=True)
        if "best" in next(iter(layer.values())):
            for row in ranked[self.top :]:
                del layer[row["node"]]

    def end(self, end: TraceEnd) -> None:
        rows = {node: row for layer in self.held.values() for node, row in layer.items()}
        line = line_to(rows, end.best)
        shown = {
            node
            for layer in self.held.values()
            for node in [*(set(layer) & line), *siblings(layer, line, self.top)]
            if rows[node]["parent"] is None or rows[node]["parent"] in line
        }
        text = [f"// {ENCODER.encode(self.header).decode()}", "digraph trace {", "  rankdir=LR; node [shape=box];"]
        for node in sorted(shown):
            row = rows[node]
            style = " penwidth=3" if node in line else ""
            text.append(f'  n{node} [label="{label_of(row)}"{style}];')
            if row["parent"] in shown:
                text.append(f"  n{row['parent']} -> n{node};")
        text += ["}", f"// {ENCODER.encode(end).decode()}", ""]
        self.draft.write_text("\n".join(text), encoding="utf-8")


def rank_of(row: dict[str, Any]) -> float:
    found = next((row[name] for name in RANKINGS if row.get(name) is not None), None)
    return float("-inf") if found is None else float(found)


def line_to(rows: dict[int, dict[str, Any]], node: int | None) -> set[int]:
    """The nodes from the root to the best one."""
    found: set[int] = set()
    while node is not None and node in rows:
        found.add(node)
        node = rows[node]["parent"]
    return found


def siblings(layer: dict[int, dict[str, Any]], line: set[int], top: int) -> list[int]:
    ranked = sorted((row for node, row in layer.items() if node not in line), key=rank_of, reverse=True)
    return [row["node"] for row in ranked[:top]]


def label_of(row: dict[str, Any]) -> str:
    """`up+bomb`, what it is worth, and what became of it."""
    value = next((f"{row[name]:.2f}" for name in VALUES if row.get(name) is not None), None)
    said = [f"{name} {row[name]}" if name == "visits" else row[name] for name in LABELS if row.get(name) is not None]
    words = [row.get("action") or "start", value, *said]
    return "\\n".join(str(word).replace('"', "'") for word in words if word is not None)
