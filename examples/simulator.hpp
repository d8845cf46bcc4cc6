// A simulator of Hypersonic: the rules of one round, as a bot would use them to look ahead.
//
// Play on from a position with step(), whose phases are those of docs/reference/rules.md. It is compared with the rules by
//     g++ -O2 -std=c++17 -o conform examples/conform.cpp && hsctl conform ./conform
#include <array>
#include <vector>

const int WIDTH = 13, HEIGHT = 11, FUSE = 8, RANGE_ITEM = 1, BOMB_ITEM = 2;
const char FLOOR = '.', WALL = 'X';
const int DX[] = {-1, 1, 0, 0}, DY[] = {0, 0, -1, 1};

struct Player { bool alive = false; int x = 0, y = 0, bombsLeft = 0, range = 0; };
struct Bomb { int owner, x, y, timer, range; bool explodes = false; };
struct Action { bool drops = false; int x = 0, y = 0; };

struct State {
    char grid[HEIGHT][WIDTH];       // '.', 'X', or a box with its content: '0', '1', '2'
    int items[HEIGHT][WIDTH] = {};  // 0, RANGE_ITEM or BOMB_ITEM
    std::array<Player, 4> players;
    std::array<int, 4> scores = {};
    std::vector<Bomb> bombs;

    bool isWall(int x, int y) const {
        return x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT || grid[y][x] == WALL;
    }
    bool isBox(int x, int y) const { return grid[y][x] != FLOOR && grid[y][x] != WALL; }
    bool hasBomb(int x, int y) const {
        for (const Bomb& bomb : bombs)
            if (bomb.x == x && bomb.y == y) return true;
        return false;
    }
    bool isBlocked(int x, int y) const { return isWall(x, y) || isBox(x, y) || hasBomb(x, y); }

    void burn(int (&fire)[HEIGHT][WIDTH], const Bomb& bomb) const {
        fire[bomb.y][bomb.x] |= 1 << bomb.owner;
        for (int arm = 0; arm < 4; arm++)
            for (int k = 1; k < bomb.range; k++) {
                int x = bomb.x + k * DX[arm], y = bomb.y + k * DY[arm];
                if (isWall(x, y)) break;
                fire[y][x] |= 1 << bomb.owner;
                if (isBox(x, y) || items[y][x] || hasBomb(x, y)) break;
            }
    }

    // Actions of the living; those of the dead don't matter.
    void step(const std::array<Action, 4>& actions) {
        int fire[HEIGHT][WIDTH] = {};  // one bit for each owner
        for (Bomb& bomb : bombs) bomb.timer--;
        for (bool found = true; found;) {
            found = false;
            for (Bomb& bomb : bombs)
                if (!bomb.explodes && (bomb.timer == 0 || fire[bomb.y][bomb.x])) {
                    bomb.explodes = found = true;
                    burn(fire, bomb);
                }
        }
        for (Player& player : players)
            if (player.alive && fire[player.y][player.x]) player.alive = false;

        std::array<bool, 4> drops, moves;  // on the board as it was: what burns still blocks
        for (int id = 0; id < 4; id++) {
            const Player& player = players[id];
            const Action& action = actions[id];
            bool isElsewhere = action.x != player.x || action.y != player.y;
            drops[id] = player.alive && action.drops && player.bombsLeft > 0 && !hasBomb(player.x, player.y);
            moves[id] = player.alive && isElsewhere && !isBlocked(action.x, action.y);
        }
        std::vector<Bomb> left;
        for (const Bomb& bomb : bombs)
            if (bomb.explodes) players[bomb.owner].bombsLeft++;
            else left.push_back(bomb);
        bombs = left;
        for (int id = 0; id < 4; id++)
            if (drops[id]) {
                players[id].bombsLeft--;
                bombs.push_back({id, players[id].x, players[id].y, FUSE, players[id].range});
            }
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                if (fire[y][x]) {
                    items[y][x] = 0;
                    for (int id = 0; id < 4; id++) scores[id] += isBox(x, y) && (fire[y][x] >> id & 1);
                }
        for (int id = 0; id < 4; id++)
            if (moves[id]) {
                players[id].x = actions[id].x, players[id].y = actions[id].y;
                players[id].range += items[players[id].y][players[id].x] == RANGE_ITEM;
                players[id].bombsLeft += items[players[id].y][players[id].x] == BOMB_ITEM;
            }
        for (int id = 0; id < 4; id++)
            if (moves[id]) items[players[id].y][players[id].x] = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                if (fire[y][x] && isBox(x, y)) items[y][x] = grid[y][x] - '0', grid[y][x] = FLOOR;
    }
};
