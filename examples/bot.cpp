// A small Hypersonic bot: walks to where bombs hit boxes, drops them, and never stands in a blast.
//
//     g++ -O2 -std=c++17 -o bot examples/bot.cpp
//     hsctl play simple ./bot
//
// Every turn it looks at its ten actions (five moves, with or without a bomb). Those that the known bombs would
// punish with death are out; of the rest it takes the one with the most boxes bombed now plus the best spot to
// walk to. The same idea, in the same order, as bot.py beside it. With --draw it draws what it thinks: hsctl shows it
// on the board (docs/reference/protocol.md).

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

constexpr int WIDTH = 13, HEIGHT = 11, CELLS = WIDTH * HEIGHT, FUSE = 8;
constexpr double DECAY = 0.9;  // what a box is worth less for each step of the way
constexpr double ITEM = 1.2;   // an item's worth, in boxes

using Set = std::bitset<CELLS>;

struct Cell {
    int x, y;
    int index() const { return y * WIDTH + x; }
    bool is_floor() const { return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT && !(x % 2 && y % 2); }
    Cell operator+(Cell other) const { return {x + other.x, y + other.y}; }
};

const std::vector<Cell> MOVES = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
const std::vector<Cell> ARMS(MOVES.begin() + 1, MOVES.end());

struct Bomb {
    Cell cell;
    int timer, range;  // a timer of 1 explodes in this round
};

struct Board {
    Set boxes, items;
    std::vector<Bomb> bombs;

    Set bomb_cells() const {
        Set cells;
        for (const Bomb& bomb : bombs) cells.set(bomb.cell.index());
        return cells;
    }

    Board with_bomb(Cell cell, int range) const {
        Board next = *this;
        next.bombs.push_back({cell, FUSE, range});
        return next;
    }

    bool is_free(Cell cell) const {
        return cell.is_floor() && !boxes[cell.index()] && !bomb_cells()[cell.index()];
    }

    // The cells that a bomb covers: arms end at walls, and on the first box, item or bomb.
    Set blast(Cell cell, int range) const {
        Set stops = boxes | items | bomb_cells(), covered;
        covered.set(cell.index());
        for (Cell arm : ARMS) {
            Cell at = cell;
            for (int distance = 1; distance < range; distance++) {
                at = at + arm;
                if (!at.is_floor()) break;
                covered.set(at.index());
                if (stops[at.index()]) break;
            }
        }
        return covered;
    }

    // The cells that burn in this round, bombs lit by others included.
    Set fire() const {
        Set burning;
        std::vector<bool> is_spent(bombs.size());
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (size_t i = 0; i < bombs.size(); i++) {
                const Bomb& bomb = bombs[i];
                if (is_spent[i] || !(bomb.timer == 1 || burning[bomb.cell.index()])) continue;
                burning |= blast(bomb.cell, bomb.range);
                is_spent[i] = goes_on = true;
            }
        }
        return burning;
    }

    // The board after this round, if nobody drops a bomb. What the burnt boxes held is left out.
    Board after(const Set& burning) const {
        Board next{boxes & ~burning, items & ~burning, {}};
        for (const Bomb& bomb : bombs)
            if (!burning[bomb.cell.index()]) next.bombs.push_back({bomb.cell, bomb.timer - 1, bomb.range});
        return next;
    }
};

// Whether somebody on the cell can get away from all known bombs.
bool can_survive(Board board, Cell cell) {
    std::vector<Cell> reach = {cell};
    while (!board.bombs.empty()) {
        Set burning = board.fire(), seen;
        std::vector<Cell> next;
        for (Cell from : reach) {
            if (burning[from.index()]) continue;
            for (Cell move : MOVES) {
                Cell to = from + move;
                bool stays = move.x == 0 && move.y == 0;
                if ((!stays && !board.is_free(to)) || seen[to.index()]) continue;
                seen.set(to.index());
                next.push_back(to);
            }
        }
        if (next.empty()) return false;
        reach = next;
        board = board.after(burning);
    }
    return true;
}

// Boxes that the bombs on the board will destroy.
Set doomed_boxes(Board board) {
    Set doomed;
    while (!board.bombs.empty()) {
        Set burning = board.fire();
        doomed |= board.boxes & burning;
        board = board.after(burning);
    }
    return doomed;
}

struct Spot {
    double value = 0;
    std::vector<Cell> way;
};

// The best worth that can be walked to, discounted per step, and the way there.
Spot best_spot(const Board& board, Cell start, const std::vector<double>& worth) {
    double best = 0, factor = 1;
    Cell spot = start;
    Set seen;
    seen.set(start.index());
    std::vector<Cell> edge = {start}, before(CELLS, start);
    while (!edge.empty()) {
        std::vector<Cell> next;
        for (Cell cell : edge) {
            if (factor * worth[cell.index()] > best) {
                best = factor * worth[cell.index()];
                spot = cell;
            }
            for (Cell arm : ARMS) {
                Cell to = cell + arm;
                if (!board.is_free(to) || seen[to.index()]) continue;
                seen.set(to.index());
                before[to.index()] = cell;
                next.push_back(to);
            }
        }
        edge = next;
        factor *= DECAY;
    }
    std::vector<Cell> way = {spot};
    while (way.back().index() != start.index()) way.push_back(before[way.back().index()]);
    std::reverse(way.begin(), way.end());
    return {best, way};
}

struct Player {
    Cell cell{0, 0};
    int bombs_left = 0, range = 0;
};

struct Action {
    double value = -1;
    bool drops = false;
    std::vector<Cell> way;  // from the next cell on
};

Action choose(const Board& board, const Player& me, std::vector<double>& worth) {
    Board later = board.after(board.fire());
    Set fair = board.boxes & ~doomed_boxes(board);
    auto hits = [&](Cell cell) { return static_cast<int>((board.blast(cell, me.range) & fair).count()); };
    worth.assign(CELLS, 0);  // of a cell to go to: an item, or a spot for a bomb that one can get away from
    for (int at = 0; at < CELLS; at++) {
        Cell cell{at % WIDTH, at / WIDTH};
        if (!cell.is_floor()) continue;
        int boxes = hits(cell);
        bool is_trap = boxes > 0 && !can_survive(later.with_bomb(cell, me.range), cell);
        worth[at] = std::max<double>(is_trap ? 0 : boxes, later.items[at] ? ITEM : 0);
    }
    Action best{-1, false, {me.cell}};
    bool can_drop = me.bombs_left > 0 && !board.bomb_cells()[me.cell.index()] && hits(me.cell) > 0;
    for (Cell move : MOVES) {
        Cell target = me.cell + move;
        bool stays = move.x == 0 && move.y == 0;
        if (!stays && !board.is_free(target)) continue;
        for (bool drops : {false, true}) {
            if (drops && !can_drop) continue;
            Board after = drops ? later.with_bomb(me.cell, me.range) : later;
            after.items[target.index()] = false;  // taken, it no longer stops blasts
            if (!can_survive(after, target)) continue;
            Spot spot = best_spot(after, target, worth);
            double value = DECAY * spot.value + (drops ? hits(me.cell) : 0);
            if (!stays && later.items[target.index()]) value += ITEM;
            if (value > best.value) best = {value, drops, spot.way};
        }
    }
    return best;
}

// What the bot thinks, for hsctl: the worth of cells, the way to the best of them, the value of the action.
void draw(const Board& board, const Player& me, const Action& action, const std::vector<double>& worth) {
    for (int at = 0; at < CELLS; at++) {
        Cell cell{at % WIDTH, at / WIDTH};
        if (worth[at] > 0 && board.is_free(cell))
            std::fprintf(stderr, "@cell %d %d %g %s\n", cell.x, cell.y, worth[at], worth[at] < 2 ? "yellow" : "green");
    }
    std::string path;
    for (Cell cell : action.way)
        if (cell.index() != me.cell.index()) path += " " + std::to_string(cell.x) + "," + std::to_string(cell.y);
    if (!path.empty()) std::fprintf(stderr, "@path %d,%d%s\n", me.cell.x, me.cell.y, path.c_str());
    Cell spot = action.way.back();
    std::fprintf(stderr, "@value %.2f\n@text worth %g at %d,%d\n", std::max(0.0, action.value), worth[spot.index()],
                 spot.x, spot.y);
}

int main(int count, char** arguments) {
    bool draws = count > 1 && std::string(arguments[1]) == "--draw";
    int width, height, my_id;
    std::cin >> width >> height >> my_id;
    while (true) {
        Board board;
        Player me;
        for (int y = 0; y < HEIGHT; y++) {
            std::string row;
            if (!(std::cin >> row)) return 0;  // the game is over
            for (int x = 0; x < WIDTH; x++)
                if (row[x] >= '0' && row[x] <= '2') board.boxes.set(Cell{x, y}.index());
        }
        int entities;
        std::cin >> entities;
        for (int i = 0; i < entities; i++) {
            int type, owner, x, y, first, second;
            std::cin >> type >> owner >> x >> y >> first >> second;
            if (type == 0 && owner == my_id) me = {{x, y}, first, second};
            if (type == 1) board.bombs.push_back({{x, y}, first, second});
            if (type == 2) board.items.set(Cell{x, y}.index());
        }
        std::vector<double> worth;
        Action action = choose(board, me, worth);
        if (draws) draw(board, me, action, worth);
        std::printf("%s %d %d %.1f\n", action.drops ? "BOMB" : "MOVE", action.way[0].x, action.way[0].y,
                    std::max(0.0, action.value));
        std::fflush(stdout);
    }
}
