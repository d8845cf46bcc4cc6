"""A greedy agent in plain Python: play one round for every action, and take the one that looks best after it."""

from dataclasses import dataclass

import hsctl
from engine.position import boxes_on, is_free
from engine.survival import is_survivable

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
LOST = -1000.0


@dataclass(frozen=True)
class GreedyParams(hsctl.Params):
    box: float = hsctl.param(10.0, "points for a box that an own bomb will hit", "guess", least=0, most=100)
    item: float = hsctl.param(3.0, "points for an item", "guess", least=0, most=100)
    step: float = hsctl.param(0.5, "points lost per step to the nearest box", "guess", least=0, most=10)


class Greedy(hsctl.Agent):
    """Looks one round ahead: boxes hit, items taken, the way to the nearest box."""

    PARAMS = GreedyParams

    def decide(self, state, player, budget):
        actions = self.legal(state, player)[: budget.nodes]
        self.values = {action: self.value_of(state, player, action) for action in actions}
        best = max(self.values, key=self.values.get)
        nodes = len(actions)
        return hsctl.Decision(best, (best,), self.values[best], nodes, {"own": nodes}, 1)

    def trace(self):
        return {"first moves": self.values}

    def value_of(self, state, player, action):
        game = self.game(state)
        game.step([action if seat == player else 0 for seat in range(game.seats)])
        me = next((each for each in game.players() if each.id == player), None)
        if me is None or not is_survivable(game.state, game.map, player):
            return LOST
        boxes = set(boxes_on(game.state, game.map))
        hit = {cell for bomb in game.bombs if bomb.owner == player for cell in self.cells_hit(game, bomb, boxes)}
        gained = me.range + me.bombs_left + sum(bomb.owner == player for bomb in game.bombs)
        way = self.way_to_box(game, me.cell, boxes - hit)
        return self.params.box * (me.boxes + len(hit)) + self.params.item * gained - self.params.step * way

    def way_to_box(self, game, cell, boxes):
        """Steps to the nearest cell beside a box."""
        seen, reached, steps = {cell}, {cell}, 0
        while reached and not any((x + dx, y + dy) in boxes for x, y in reached for dx, dy in DIRECTIONS):
            beside = {(x + dx, y + dy) for x, y in reached for dx, dy in DIRECTIONS} - seen
            reached, steps = {each for each in beside if is_free(game.state, *each)}, steps + 1
            seen |= reached
        return steps

    def cells_hit(self, game, bomb, boxes):
        """The boxes that a bomb reaches."""
        for dx, dy in DIRECTIONS:
            for distance in range(1, bomb.range):
                cell = bomb.x + distance * dx, bomb.y + distance * dy
                if cell in boxes:
                    yield cell
                if not is_free(game.state, *cell):
                    break
