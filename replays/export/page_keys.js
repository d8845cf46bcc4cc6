// Every action of the help: by keys, buttons, and the turn that an address names (page.html#turn=42).

function goTo(turn) {
  at.turn = clamp(turn, first, last);
  at.word = "";
  byId("text").scrollTop = 0;
  show();
}

function say(word) {
  at.word = word;
  show();
}

function stop() {
  clearInterval(at.timer);
  at.timer = null;
}

function startTimer() {
  stop();
  at.timer = setInterval(() => {
    if (at.turn + 1 >= last) stop();
    goTo(at.turn + 1);
  }, 1000 / game.speeds[at.speed]);
}

const actions = {
  step: (turns) => goTo(at.turn + turns),
  start: () => goTo(first),
  finish: () => goTo(last),
  ask_turn() {
    const answer = window.prompt(`go to turn (${first} to ${last})`);
    if (answer === null) return;
    const turn = Number(answer);
    if (answer.trim() && Number.isInteger(turn) && turn >= first && turn <= last) goTo(turn);
    else say(`no turn ${answer}: expected ${first} to ${last}`);
  },
  seek(what, direction) {
    const found = game[what].filter((turn) => (turn - at.turn) * direction > 0);
    if (found.length) goTo(direction > 0 ? found[0] : found[found.length - 1]);
    else say(`no ${game.words[what]} ${direction > 0 ? "after" : "before"} turn ${at.turn}`);
  },
  way_out() {
    const [turn, word] = game.ways_out[at.seat];
    if (turn !== null) goTo(turn);
    say(word);
  },
  play() {
    if (at.timer) stop();
    else {
      if (at.turn === last) at.turn = first;
      startTimer();
    }
    say("");
  },
  speed(faster) {
    at.speed = clamp(at.speed + faster, 0, game.speeds.length - 1);
    if (at.timer) startTimer();
    say(`${game.speeds[at.speed]} turns a second`);
  },
  focus_player(seat) {
    if (seat >= game.specs.length) return say(`there is no player ${seat}`);
    at.seat = seat;
    say("");
  },
  overlay(name) {
    at.overlay = at.overlay === name ? "" : name;
    say("");
  },
  chart() {
    at.values = !at.values;
    say("");
  },
  output() {
    at.output = !at.output;
    say("");
  },
  scroll_text: (lines) => byId("text").scrollBy(0, 18 * lines),
  help: () => byId("help").open ? byId("help").close() : byId("help").showModal(),
};

function run({ name, values }) {
  actions[name](...values);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const action = game.keys[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key];
  if (!action || byId("help").open && action.name !== "help") return;
  event.preventDefault();
  run(action);
});

// Help and buttons

for (const section of game.help) {
  const table = make("table");
  table.append(make("th", { colspan: 2 }, section.title));
  for (const [shown, words] of section.keys) {
    const row = make("tr");
    row.append(make("td", {}, shown), make("td", {}, words));
    table.append(row);
  }
  byId("help").firstElementChild ?? byId("help").append(make("div"));
  byId("help").firstElementChild.append(table);
}
const turnedOn = []; // buttons that stay pressed, each with whether it is

function addButton(place, words, title, name, values, isOn = null) {
  const button = make("button", { type: "button", title }, words);
  button.addEventListener("click", () => { run({ name, values }); button.blur(); });
  byId(place).append(button);
  if (isOn) turnedOn.push([button, isOn]);
}

function showButtons() {
  for (const [button, isOn] of turnedOn) button.setAttribute("aria-pressed", isOn());
}

for (const [words, title, name, ...values] of [
  ["«", "ten turns back", "step", -10], ["‹", "one turn back", "step", -1], ["▶", "play, pause", "play"],
  ["›", "one turn forward", "step", 1], ["»", "ten turns forward", "step", 10], ["?", "all keys", "help"],
]) addButton("buttons", words, title, name, values);
for (const name of Object.keys(overlays)) {
  if (name !== "drawing" || game.drawings.length) {
    addButton("overlays", name, `show or hide: ${name}`, "overlay", [name], () => at.overlay === name);
  }
}
addButton("overlays", "output", "what the player wrote", "output", [], () => at.output);
addButton("overlays", "values", "a chart of values in place of boxes", "chart", [], () => at.values);

// The address

let address = null;

// A little later, as browsers allow few changes of it a second; where there is no address to change, nothing happens.
function followTurn() {
  clearTimeout(address);
  address = setTimeout(() => {
    try { history.replaceState(null, "", `#turn=${at.turn}`); } catch { /* a page inside another */ }
  }, 150);
}

function turnOfAddress() {
  const named = /^#turn=(\d+)$/.exec(location.hash);
  return named ? Number(named[1]) : first;
}
window.addEventListener("hashchange", () => goTo(turnOfAddress()));
showFindings();
goTo(turnOfAddress());
