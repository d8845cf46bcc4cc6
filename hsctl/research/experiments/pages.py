"""Pages of docs whose tables are filled in by the commands in them, so that no figure is typed.

    <!-- hsctl paper table3 --games 40 --nodes 40000 --plot table3.svg -->
    what `hsctl paper table3 --games 40 --nodes 40000 --markdown` prints, and the plot
    <!-- end -->

A page is written after each of its sections, and finished games are kept: if you stop it, the same command resumes.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from engine.errors import HsctlError
from hsctl.league.games import SEED
from hsctl.research.experiments import find_experiment
from hsctl.research.experiments.data import PapersLedger, read_rows, refuse_to_play
from hsctl.research.experiments.frame import Effort, Experiment, ExperimentAnswer, ExperimentStage
from replays.files import write_text

OPENING, CLOSING = "<!-- hsctl paper ", "<!-- end -->"
SECTION = re.compile(rf"^{OPENING}(?P<words>.*?) -->\n(?P<body>.*?)^{CLOSING}$", re.MULTILINE | re.DOTALL)
NUMBERS = ("--games", "--nodes", "--time", "--seed")
PLOT = "--plot"

NOT_PLAYED = "Not played yet.\n"

Ask = Callable[["PageSection"], ExperimentAnswer]


@dataclass(frozen=True)
class PageSection:
    """What a section asks for."""

    name: str
    games: int | None = None
    nodes: int | None = None
    ms: float | None = None
    seed: int = SEED
    plot: str | None = None  # a file next to the page

    @property
    def experiment(self) -> Experiment:
        return find_experiment(self.name)

    @property
    def effort(self) -> Effort:
        return make_effort(self.experiment, self.games, self.ms, self.nodes, self.seed)

    @property
    def command(self) -> str:
        return f"hsctl paper {self.name}{self.effort.options}"

    def full(self) -> "PageSection":
        """The same at the experiment's own size."""
        return replace(self, games=None, nodes=None, ms=None)


def make_effort(
    experiment: Experiment, games: int | None, ms: float | None, nodes: int | None, seeds: Sequence[int] | int
) -> Effort:
    """What is played: as asked for, else the experiment's own size."""
    own_nodes = experiment.nodes if ms is None else None
    return Effort(games or experiment.games or 0, ms or experiment.ms, nodes or own_nodes, seeds)


def parse_section(words: str, where: str) -> PageSection:
    """A section from the words behind `hsctl paper`."""
    name, *options = words.split()
    given = dict(zip(options[::2], options[1::2], strict=False))
    if len(options) % 2 or not set(given) <= {*NUMBERS, PLOT}:
        raise HsctlError(f"{where}: {words!r}: write a name, then any of {', '.join((*NUMBERS, PLOT))} with a value")
    try:
        whole = {option: int(given[option]) for option in ("--games", "--nodes", "--seed") if option in given}
        ms = float(given["--time"]) if "--time" in given else None
    except ValueError:
        raise HsctlError(f"{where}: {words!r}: write numbers after {', '.join(NUMBERS)}") from None
    find_experiment(name)  # refuses what there is not, before anything is played
    games, nodes, seed = whole.get("--games"), whole.get("--nodes"), whole.get("--seed", SEED)
    return PageSection(name, games, nodes, ms, seed, given.get(PLOT))


def sections_of(page: Path) -> Iterator[tuple[re.Match[str], PageSection]]:
    """All sections of a page, where they are and what they ask for."""
    text = page.read_text(encoding="utf-8")
    for match in SECTION.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield match, parse_section(match["words"], f"{page}:{line}")


def fill_pages(folder: Path, name: str | None, is_full: bool, ask: Ask) -> Iterator[tuple[Path, str]]:
    """Fill in the sections, or those of one experiment; tells page and command of each once it is written."""
    pages = sorted(folder.glob("*.md"))
    wanted = [
        (page, at)
        for page in pages
        for at, (_, section) in enumerate(sections_of(page))
        if name in (None, section.name)
    ]
    if not wanted:
        what = "a section" if name is None else f"a section of {name}"
        raise HsctlError(f"{folder}: no page (*.md) has {what}: write {OPENING}NAME --> and {CLOSING}")
    for page, at in wanted:
        section = list(sections_of(page))[at][1]
        section = section.full() if is_full else section
        answer = ask(section)
        write_section(page, at, section, answer)
        yield page, section.command


def format_body(section: PageSection, answer: ExperimentAnswer) -> str:
    """A section's text, but for its plot."""
    from hsctl.report.tables import to_markdown

    return f"`{section.command}`:\n\n{to_markdown(answer.view())}"


def check_pages(folder: Path) -> dict[str, str]:
    """Sections that don't follow from the games kept as data -> why. Those that play no games can't be checked."""
    wrong = {}
    for page in sorted(folder.glob("*.md")):
        for match, section in sections_of(page):
            if match["body"] != NOT_PLAYED and section.experiment.is_from_games:
                where = f"{page.name}: {section.command}"
                try:
                    body = format_body(section, answer_from_data(section, folder / "data"))
                except HsctlError as error:
                    wrong[where] = str(error)
                else:
                    if not match["body"].startswith(body):
                        wrong[where] = "the page says something else than its data"
    return wrong


def answer_from_data(section: PageSection, folder: Path) -> ExperimentAnswer:
    """The answer of a section from its data alone."""
    rows = read_rows(section.name, folder)
    with TemporaryDirectory(prefix="hsctl-") as empty, PapersLedger(Path(empty) / "ledger", rows) as ledger:
        stage = ExperimentStage(section.effort, ledger, lambda league: refuse_to_play, Console(quiet=True))
        return section.experiment.run(stage)


def write_section(page: Path, at: int, section: PageSection, answer: ExperimentAnswer) -> None:
    """Put an answer in place of what a section had."""
    from hsctl.report.plots import save

    body = format_body(section, answer)
    marker = section.command
    if section.plot is not None:
        save(answer.draw(), page.parent / section.plot)
        body += f"\n![{section.name}]({section.plot})\n"
        marker += f" {PLOT} {section.plot}"
    text = page.read_text(encoding="utf-8")
    match = list(SECTION.finditer(text))[at]
    write_text(page, f"{text[: match.start()]}<!-- {marker} -->\n{body}{CLOSING}{text[match.end() :]}")
