// An adapter for `hsctl conform`: the line protocol around the simulator of simulator.hpp. Put your own there.
#include <iostream>
#include "simulator.hpp"
using namespace std;

State readState() {
    State state;
    for (auto& row : state.grid) for (char& mark : row) cin >> mark;
    int count, type, owner, x, y, a, b;
    for (cin >> count; count-- && cin >> type >> owner >> x >> y >> a >> b;)
        if (type == 0) state.players[owner] = {true, x, y, a, b};
        else if (type == 1) state.bombs.push_back({owner, x, y, a, b});
        else state.items[y][x] = a;
    return state;
}
void writeState(const State& state) {
    vector<array<int, 6>> entities;
    for (int id = 0; id < 4; id++)
        if (auto& p = state.players[id]; p.alive) entities.push_back({0, id, p.x, p.y, p.bombsLeft, p.range});
    for (auto& b : state.bombs) entities.push_back({1, b.owner, b.x, b.y, b.timer, b.range});
    for (int cell = 0; cell < WIDTH * HEIGHT; cell++)
        if (int x = cell % WIDTH, y = cell / WIDTH, k = state.items[y][x]; k) entities.push_back({2, 0, x, y, k, k});
    for (auto& row : state.grid) cout << string(row, WIDTH) << "\n";
    cout << entities.size() << "\n";
    for (auto& entity : entities) for (int k = 0; k < 6; k++) cout << entity[k] << (k < 5 ? " " : "\n");
    auto& s = state.scores;
    cout << "scores " << s[0] << " " << s[1] << " " << s[2] << " " << s[3] << endl;  // which flushes
}
int main() {
    string word;
    cout << (getline(cin, word), word) << " scores" << endl;  // the greeting; "scores": we tell them too
    for (State state; cin >> word;) {
        if (word == "state") { state = readState(); continue; }
        array<Action, 4> actions;
        int n, id, x, y;
        for (cin >> n; n-- && cin >> id >> word >> x >> y;) actions[id] = {word == "BOMB", x, y};
        state.step(actions), writeState(state);
    }
}
