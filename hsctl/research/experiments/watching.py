"""One game of two agents, watched: what each did turn by turn that no record of a game contains."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from engine.board import cells_of
from engine.events import Drop, Event, ItemPicked, round_events
from engine.game import Explosion, Game
from engine.position import Cell
from engine.survival import fill_forecast, is_survivable, new_forecast
from search.agent import Agent, Budget, Decision
from search.common.planning import PlanningAgent
from search.rhea.agent import RheaAgent


@dataclass
class Manner:
    """What one player did in a game."""

    turns: int = 0
    bombs: int = 0
    idle_bombs: int = 0  # that exploded without reaching a box
    returns: int = 0  # steps away and back at once, without a reason
    depths: list[int] = field(default_factory=list)  # of the own searches, by turn
    other_depths: list[int] = field(default_factory=list)  # of those for opponents
    generations: list[int] = field(default_factory=list)  # of an evolution
    died: bool = False
    trapped: bool = False  # dead by a position that the others' actions made hopeless
    died_together: bool = False  # in one fire with everybody else, and the boxes told who won
    path: list[tuple[Cell, bool]] = field(default_factory=list)  # cells, and whether leaving them had a reason

    def as_dict(self) -> dict[str, Any]:
        """All but the path, which nobody needs after the game."""
        return {name: value for name, value in asdict(self).items() if name != "path"}

    def per_turn(self, count: float) -> float | None:
        return count / self.turns if self.turns else None

    def think(self, agent: Agent, decision: Decision) -> None:
        """Note what the search of a turn was like."""
        self.turns += 1
        self.depths.append(decision.depth)
        if isinstance(agent, PlanningAgent):
            self.other_depths += agent.thinking.depths.values()
        if isinstance(agent, RheaAgent):
            self.generations.append(int(agent.evolution.generation))

    def walk(self, cell: Cell, has_reason: bool) -> None:
        """Note where the turn began; a way from A to B and back to A counts if neither step had a reason."""
        self.path.append((cell, has_reason))
        if len(self.path) > 2:
            (first, was_urged), (second, was_urged_back), (third, _) = self.path[-3:]
            self.returns += first == third != second and not was_urged and not was_urged_back


def watch_game(agents: Sequence[Agent], seed: int, budget: Budget) -> list[Manner]:
    """Play a game and return what everybody did."""
    game, manners = Game.start(seed, len(agents)), [Manner() for _ in agents]
    for seat, agent in enumerate(agents):
        agent.start_game(game.map, seat, seed)
    while not game.is_over:
        actions = [0] * len(agents)
        for seat in game.living:
            decision = agents[seat].decide(game.state, seat, budget)
            manners[seat].think(agents[seat], decision)
            actions[seat] = decision.action
        before = game.copy()
        note_events(before, round_events(before, actions), manners)
        game.step(actions)
        note_survival(before, game, actions, manners)
    note_end(game, manners)
    return manners


def note_events(game: Game, events: Sequence[Event], manners: Sequence[Manner]) -> None:
    """Bombs that explode, bombs dropped, and who had a reason to go where they went."""
    boxes, danger = set(cells_of(game.state.boxes)), cells_in_danger(game)
    busy = {event.player for event in events if isinstance(event, Drop | ItemPicked)}
    for event in events:
        if isinstance(event, Explosion):
            manners[event.owner].idle_bombs += boxes.isdisjoint(event.cells)
        elif isinstance(event, Drop):
            manners[event.player].bombs += 1
    for player in game.players():
        manners[player.id].walk(player.cell, player.id in busy or player.cell in danger)


def cells_in_danger(game: Game) -> set[Cell]:
    """All cells that the bombs on the board will burn."""
    forecast = new_forecast()
    fill_forecast(game.state, game.map, forecast)
    return {cell for fire in forecast.fire[: int(forecast.rounds)] for cell in cells_of(fire)}


def note_survival(before: Game, after: Game, actions: Sequence[int], manners: Sequence[Manner]) -> None:
    """Who was trapped: could survive, can't any more, and could have if the others had stood still."""
    for seat in after.living:
        if can_survive(after, seat):
            manners[seat].trapped = False
        elif can_survive(before, seat):
            alone = before.copy()
            alone.step([action if at == seat else 0 for at, action in enumerate(actions)])
            manners[seat].trapped = can_survive(alone, seat)


def can_survive(game: Game, seat: int) -> bool:
    return bool(is_survivable(game.state, game.map, np.int64(seat)))


def note_end(game: Game, manners: Sequence[Manner]) -> None:
    ranks = game.ranks()
    for seat, manner in enumerate(manners):
        manner.died = seat not in game.living
        manner.trapped &= manner.died
        manner.died_together = not game.living and len(set(ranks)) > 1 and len({each.turns for each in manners}) == 1
