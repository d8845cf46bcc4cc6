"""An adapter for `hsctl conform`: the line protocol around the simulator of simulator.py. Put your own there."""

from simulator import Bomb, Player, State


def read_state():
    state = State()
    for y in range(11):
        state.boxes.update({(x, y): int(mark) for x, mark in enumerate(input()) if mark in "012"})
    for _ in range(int(input())):
        kind, owner, x, y, first, second = map(int, input().split())
        if kind == 0:
            state.players[owner] = Player(x, y, first, second)
        elif kind == 1:
            state.bombs.append(Bomb(owner, x, y, first, second))
        else:
            state.items[x, y] = first
    return state


def write_state(state):
    for y in range(11):
        print("".join("X" if x % 2 and y % 2 else str(state.boxes.get((x, y), ".")) for x in range(13)))
    lines = [f"0 {id} {p.x} {p.y} {p.bombs_left} {p.reach}" for id, p in state.players.items()]
    lines += [f"1 {b.owner} {b.x} {b.y} {b.timer} {b.reach}" for b in state.bombs]
    lines += [f"2 0 {x} {y} {kind} {kind}" for (x, y), kind in state.items.items()]
    print(len(lines), *lines, "scores {} {} {} {}".format(*state.scores), sep="\n", flush=True)


print(input(), "scores", flush=True)  # the greeting; "scores": we tell them too
for line in iter(input, ""):
    word, *count = line.split()
    if word == "state":
        state = read_state()
    else:
        orders = [input().split() for _ in range(int(count[0]))]  # 0 BOMB 3 4
        state.step({int(id): (order == "BOMB", (int(x), int(y))) for id, order, x, y in orders})
        write_state(state)
