"""A simulator of Hypersonic in plain Python: the rules of one round, as a bot would use them to look ahead.

Play on from a position with `step`, whose phases are those of docs/reference/rules.md. It is compared with the rules by
hsctl conform "python3 examples/conform.py".
"""

WIDTH, HEIGHT = 13, 11
ARMS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
FUSE = 8
RANGE_ITEM, BOMB_ITEM = 1, 2


class Player:
    def __init__(self, x, y, bombs_left, reach):
        self.x, self.y, self.bombs_left, self.reach = x, y, bombs_left, reach


class Bomb:
    def __init__(self, owner, x, y, timer, reach):
        self.owner, self.x, self.y, self.timer, self.reach = owner, x, y, timer, reach


class State:
    def __init__(self):
        self.boxes = {}  # (x, y) -> content: 0, RANGE_ITEM or BOMB_ITEM
        self.players = {}  # id -> Player, the living
        self.bombs = []
        self.items = {}  # (x, y) -> kind
        self.scores = [0, 0, 0, 0]

    def is_floor(self, cell):
        x, y = cell
        return 0 <= x < WIDTH and 0 <= y < HEIGHT and not (x % 2 and y % 2)

    def blocked(self):
        """Where nobody can walk."""
        return set(self.boxes) | {(bomb.x, bomb.y) for bomb in self.bombs}

    def blast(self, bomb, blocked):
        """The cells that a bomb covers: arms end at walls, and on the first box, item or bomb."""
        cells = {(bomb.x, bomb.y)}
        for dx, dy in ARMS:
            for distance in range(1, bomb.reach):
                cell = (bomb.x + dx * distance, bomb.y + dy * distance)
                if not self.is_floor(cell):
                    break
                cells.add(cell)
                if cell in blocked or cell in self.items:
                    break
        return cells

    def explode(self, blocked):
        """The bombs that explode in this round, each with its cells: those that are due, and what they light."""
        exploded = {}
        lit = [bomb for bomb in self.bombs if bomb.timer == 0]
        while lit:
            for bomb in lit:
                exploded[bomb] = self.blast(bomb, blocked)
            fire = set().union(*exploded.values())
            lit = [bomb for bomb in self.bombs if bomb not in exploded and (bomb.x, bomb.y) in fire]
        return exploded

    def step(self, actions):
        """Play a round; actions: id -> (drops a bomb, target cell), for every living player."""
        blocked = self.blocked()
        for bomb in self.bombs:
            bomb.timer -= 1
        exploded = self.explode(blocked)
        fire = set().union(*exploded.values())
        dead = {id: player for id, player in self.players.items() if (player.x, player.y) in fire}
        self.players = {id: player for id, player in self.players.items() if id not in dead}
        self.drop_bombs(actions, blocked)
        self.come_back(exploded)
        opened = {cell: content for cell, content in self.boxes.items() if cell in fire}
        self.score(exploded, opened)
        self.items = {cell: kind for cell, kind in self.items.items() if cell not in fire}
        self.move(actions, blocked)
        self.boxes = {cell: content for cell, content in self.boxes.items() if cell not in fire}
        self.items.update({cell: content for cell, content in opened.items() if content})

    def drop_bombs(self, actions, blocked):
        for id, player in self.players.items():
            drops, _ = actions[id]
            if drops and player.bombs_left > 0 and (player.x, player.y) not in blocked:
                player.bombs_left -= 1
                self.bombs.append(Bomb(id, player.x, player.y, FUSE, player.reach))

    def come_back(self, exploded):
        self.bombs = [bomb for bomb in self.bombs if bomb not in exploded]
        for bomb in exploded:
            if bomb.owner in self.players:
                self.players[bomb.owner].bombs_left += 1

    def score(self, exploded, opened):
        for owner in range(4):
            hit = {cell for bomb, cells in exploded.items() if bomb.owner == owner for cell in cells}
            self.scores[owner] += len(hit & set(opened))

    def move(self, actions, blocked):
        taken = set()
        for id, player in self.players.items():
            _, cell = actions[id]
            if cell == (player.x, player.y) or cell in blocked or not self.is_floor(cell):
                continue
            player.x, player.y = cell
            taken.add(cell)
            if self.items.get(cell) == RANGE_ITEM:
                player.reach += 1
            elif self.items.get(cell) == BOMB_ITEM:
                player.bombs_left += 1
        self.items = {cell: kind for cell, kind in self.items.items() if cell not in taken}
