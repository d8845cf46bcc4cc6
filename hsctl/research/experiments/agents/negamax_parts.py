"""What do table, ordering and killers save, and does the agent stall against itself?

Saved are nodes: each variant searches the same positions (every tenth turn of games between two `simple`) to the same
depth. The report says that its agents, playing themselves, stayed apart until the game was a tie: asked are the games
of each strategy against itself, how many were drawn and in how many nobody died. By nodes one side is told apart a
little (hsctl/research/experiments/mirrors.py): mirrored games are drawn whatever the strategy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from engine.game import Game
from hsctl.league.intervals import Share, share_of
from hsctl.league.lineups import Block
from hsctl.report.plots import bars
from hsctl.report.tables import format_share, new_table
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage, Played
from hsctl.research.experiments.mirrors import NOTE, tell_apart
from hsctl.research.experiments.tables import Judged, is_less, judged_table, measured, share_record
from search import make_agent
from search.agent import Budget

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEPTH = 4  # plies, the most that the report tried
EVERY = 10  # turns between two positions
MOST = 10_000_000  # nodes: never reached
PARTS = ("", "table=0", "ordering=0", "killers=0", "table=0,ordering=0,killers=0", "pruning=0")
SWITCHING, CAREFUL = "auto", "defensive"
UNPUBLISHED = "the report has no figures of what its parts save, and names killers as future work"
STRATEGIES = (SWITCHING, "sniper", "mortar", CAREFUL, "nuke")


@dataclass(frozen=True)
class PartsAnswer:
    """Nodes by variant, and how games against itself ended by strategy."""

    nodes: dict[str, int]  # variant -> over all positions
    positions: int
    stalls: dict[str, tuple[Share | None, Share | None]]  # strategy -> drawn, nobody died
    budget: str
    note: str = ""  # on the games

    def view(self) -> RenderableType:
        nodes = new_table(f"Nodes of {self.positions} searches of {DEPTH} plies")
        for head in ("variant", "nodes", "of all parts'"):
            nodes.add_column(head, justify="left" if head == "variant" else "right")
        for variant, count in self.nodes.items():
            share = count / self.nodes[PARTS[0]]
            nodes.add_row(variant or "all parts", f"{count:,}", f"{share:.2f}")
        stalls = new_table(f"Against itself, {self.budget}")
        for head in ("strategy", "drawn (95 %)", "nobody died (95 %)"):
            stalls.add_column(head, justify="left" if head == "strategy" else "right")
        for strategy, shares in self.stalls.items():
            stalls.add_row(strategy, *(format_share(share, 1) for share in shares))
        notes = [Text(note, "dim") for note in (UNPUBLISHED, self.note)]
        return Group(nodes, notes[0], Text(""), stalls, notes[1], Text(""), judged_table(self.statements()))

    def statements(self) -> list[Judged]:
        """The report saw games in which both stayed apart, and took more aggressive strategies for these."""
        careful, switching = self.stalls[CAREFUL][1], self.stalls[SWITCHING][1]
        shares = f"{format_share(switching, 1)} beside {format_share(careful, 1)}"
        stalled = f"nobody died in {format_share(careful, 1)}"
        return [
            Judged("who is careful stays apart from itself", stalled, True if careful and careful.count else None),
            Judged("with aggressive strategies somebody dies more often", shares, is_less(switching, careful)),
        ]

    def as_dict(self) -> dict[str, Any]:
        stalls = {
            strategy: {"drawn": share_record(drawn), "nobody_died": share_record(alive)}
            for strategy, (drawn, alive) in self.stalls.items()
        }
        claims = [each.as_dict() for each in self.statements()]
        return {
            "nodes": self.nodes,
            "positions": self.positions,
            "stalls": stalls,
            "claims": claims,
            "budget": self.budget,
            "notes": [UNPUBLISHED, self.note],
        }

    def draw(self) -> "Figure":
        series = {
            name: [measured(shares[at]) for shares in self.stalls.values()]
            for at, name in enumerate(("drawn", "nobody died"))
        }
        return bars("negamax against itself", list(self.stalls), series, "share of games")


def positions_of(seed: int) -> Iterator[Game]:
    """Some positions of a game between two `simple`."""
    agents = [make_agent("simple"), make_agent("simple")]
    game = Game.start(seed, len(agents))
    for seat, agent in enumerate(agents):
        agent.start_game(game.map, seat, seed)
    while not game.is_over and len(game.living) == len(agents):
        if game.turn % EVERY == 0:
            yield game.copy()
        game.step([agent.decide(game.state, seat, Budget(nodes=1)).action for seat, agent in enumerate(agents)])


def count_nodes(part: str, games: list[Game]) -> int:
    """What one variant needs for all positions."""
    agent = make_agent(f"negamax:opening=0,depth={DEPTH}{',' if part else ''}{part}")
    agent.warm_up()
    total = 0
    for game in games:
        agent.start_game(game.map, 0, 0)
        total += agent.decide(game.state, 0, Budget(nodes=MOST)).nodes
    return total


def ask_stalls(stage: ExperimentStage, strategy: str) -> tuple[Share | None, Share | None]:
    """How many games of a strategy against itself were drawn, and in how many nobody died."""
    text = f"negamax:strategy={strategy}"
    rival = tell_apart(text, stage.effort)
    played = stage.play([text, rival], [Block(seed, (0, 1)) for seed in stage.seeds(stage.games, 2)])
    return share_where(played, lambda game: game.is_drawn), share_where(played, lambda game: not any(game.deaths))


def share_where(played: Played, is_so: Any) -> Share | None:
    return share_of([sum(map(is_so, block)) for block in played], [len(block) for block in played])


def run(stage: ExperimentStage) -> ExperimentAnswer:
    games = [game for seed in stage.seeds(max(2, stage.games // 10), 2) for game in positions_of(seed)]
    nodes = {part: count_nodes(part, games) for part in PARTS}
    stalls = {strategy: ask_stalls(stage, strategy) for strategy in STRATEGIES}
    note = f"{stage.games} games a strategy"
    note += f"; {NOTE}" if stage.effort.nodes is not None else ""
    return PartsAnswer(nodes, len(games), stalls, stage.effort.budget, note)


EXPERIMENT = Experiment(run, games=100, ms=10.0)
