"use strict";
// The stepper on a page. All positions, words and marks were made beforehand; this shows them and moves between them.

const game = JSON.parse(document.getElementById("game").textContent);
const first = game.first, last = first + game.frames.length - 1;
const SVG = "http://www.w3.org/2000/svg";
const CELL = 40, LEFT = 34, RIGHT = 14, TOP = 8, BOTTOM = 20;
const at = { turn: first, seat: game.own, overlay: "", output: false, speed: game.speed, word: "", timer: null };

const byId = (id) => document.getElementById(id);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const frame = () => game.frames[at.turn - first];

function make(tag, attributes = {}, text = "") {
  const inSvg = ["g", "rect", "use", "path", "line", "text"].includes(tag);
  const element = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

// Showing

function show() {
  byId("title").textContent = frame().title;
  byId("state").textContent = at.timer ? `▶ ${game.speeds[at.speed]} turns/s` : "";
  byId("things").replaceChildren(...frame().things.map(([thing, x, y]) =>
    make("use", { href: `#${game.things[thing]}`, x: x * CELL, y: y * CELL })));
  showMarks();
  byId("players").replaceChildren(...frame().players.map(playerCard));
  byId("text").replaceChildren(...(at.output ? outputText() : eventText()));
  byId("status").textContent = at.word || game.status;
  byId("status").classList.toggle("word", at.word !== "");
  showTimeline();
  document.body.dataset.turn = at.turn;
}

// Below the things in colour, above them in numbers.
function showMarks() {
  const { marks, legend } = at.overlay ? overlays[at.overlay]() : betterLine();
  byId("marks").replaceChildren(...marks.map(({ x, y, text, colour }) => make("rect", {
    x: x * CELL + 1, y: y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 5, fill: colour,
    "data-cell": `${x},${y}`, "data-text": text,
  })));
  byId("labels").replaceChildren(...marks.map(({ x, y, text }) =>
    make("text", { x: x * CELL + CELL - 4, y: y * CELL + CELL - 5 }, text)));
  byId("legend").textContent = legend;
}

function betterLine() {
  const { marks, legend } = frame().better ?? { marks: [], legend: "" };
  return { marks: marks.map(([x, y, text]) => ({ x, y, text, colour: game.safe })), legend };
}

const onCells = (codes, draw) => game.cells.flatMap(([x, y], i) => codes[i] === "." ? [] : [{ x, y, ...draw(codes[i]) }]);
const alive = () => frame().players[at.seat].alive;

const overlays = {
  danger() {
    const marks = onCells(frame().danger, (code) => ({ text: code, colour: game.heat[code - 1] }));
    return { marks, legend: marks.length ? "danger: in how many turns a cell burns" : "danger: no bomb ticks" };
  },
  survivable() {
    const marks = onCells(frame().survivable[at.seat], () => ({ text: game.tick, colour: game.safe }));
    const words = !alive() ? "is dead" : marks.length ? "" : "has no way out";
    return { marks, legend: words ? `survivable: player ${at.seat} ${words}` : `survivable: where player ${at.seat} gets away` };
  },
  reachable() {
    const marks = onCells(frame().reachable[at.seat], (code) => ({ text: parseInt(code, 36), colour: game.reached }));
    return { marks, legend: alive() ? `reachable: turns that player ${at.seat} needs` : `reachable: player ${at.seat} is dead` };
  },
  plan() {
    const plan = frame().plans[at.seat];
    const marks = plan.map(([x, y, text]) => ({ x, y, text, colour: `var(--seat${at.seat})` }));
    return { marks, legend: plan.length ? `plan: where player ${at.seat} meant to be when` : `plan: none known of player ${at.seat}` };
  },
};

function playerCard(player, seat) {
  const card = make("div", { class: "player", style: `--seat: var(--seat${seat})` });
  card.classList.toggle("focused", seat === at.seat);
  card.classList.toggle("dead", !player.alive);
  const rows = [[make("b", {}, `${game.symbols[seat]} ${seat} ${game.specs[seat]}`), `boxes ${player.boxes}`],
                [make("span", {}, player.has), player.move],
                [make("span", {}, [player.effort, player.message].filter(Boolean).join("  ")), player.value]];
  for (const [left, right] of rows) {
    const row = make("div");
    row.append(left, make("span", {}, right));
    card.append(row);
  }
  card.addEventListener("click", () => actions.focus_player(seat));
  return card;
}

function eventText() {
  const list = make("ul");
  list.append(...frame().notes.map((note) => make("li", { class: "note" }, note)));
  list.append(...frame().events.map((event) => make("li", {}, event)));
  const title = list.children.length ? `on turn ${at.turn - 1}` : "";
  return [make("p", { class: "quiet" }, title), list];
}

function outputText() {
  const title = make("p", { class: "quiet" }, `${game.symbols[at.seat]} ${at.seat} on turn ${at.turn}`);
  const parts = frame().output[at.seat].flatMap(([label, text]) => [make("p", { class: "quiet" }, label), make("pre", {}, text)]);
  return [title, ...(parts.length ? parts : [make("p", { class: "quiet" }, "nothing")])];
}

// The timeline

const timeline = byId("timeline");
const size = () => ({ width: timeline.clientWidth, height: timeline.clientHeight });
const xOf = (turn) => LEFT + (turn - first) / Math.max(1, last - first) * (size().width - LEFT - RIGHT);

function turnAt(x) {
  const part = (x - LEFT) / (size().width - LEFT - RIGHT);
  return clamp(Math.round(first + part * (last - first)), first, last);
}

function showTimeline() {
  const { height } = size();
  const most = Math.max(1, ...game.frames.flatMap((frame) => frame.players.map((player) => player.boxes)));
  const yOf = (boxes) => height - BOTTOM - boxes / most * (height - BOTTOM - TOP);
  const parts = [];
  const spacing = [1, 2, 5, 10, 20, 50, 100].find((turns) => (last - first) / turns * 34 <= size().width) ?? 200;
  for (let turn = Math.ceil(first / spacing) * spacing; turn <= last; turn += spacing) {
    parts.push(make("line", { x1: xOf(turn), x2: xOf(turn), y1: TOP, y2: height - BOTTOM, class: "grid" }));
    parts.push(make("text", { x: xOf(turn), y: height - 5, "text-anchor": "middle", class: "f-quiet" }, turn));
  }
  for (const boxes of [0, most]) {
    parts.push(make("text", { x: LEFT - 8, y: yOf(boxes) + 4, "text-anchor": "end", class: "f-quiet" }, boxes));
  }
  for (const turn of game.notes) {
    parts.push(make("text", { x: xOf(turn), y: TOP + 6, "text-anchor": "middle", class: "f-fire-word" }, "!"));
  }
  game.specs.forEach((_, seat) => {
    const died = game.died[seat] ?? last;
    const steps = (from, to) => game.frames.slice(from - first, to - first + 1).map((frame, i) =>
      `${i ? "L" : "M"}${xOf(from + i).toFixed(1)} ${yOf(frame.players[seat].boxes).toFixed(1)}`).join("");
    if (died < last) parts.push(make("path", { d: steps(died, last), class: "s-quiet", "stroke-dasharray": "2 3" }));
    parts.push(make("path", { d: steps(first, died), class: `s-seat${seat}` }));
    if (game.died[seat] !== null) {
      const y = yOf(game.frames[died - first].players[seat].boxes) - 6;
      parts.push(make("text", { x: xOf(died), y: Math.max(TOP + 4, y), "text-anchor": "middle", class: `f-seat${seat} death` }, "†"));
    }
  });
  parts.push(make("line", { x1: xOf(at.turn), x2: xOf(at.turn), y1: TOP, y2: height - BOTTOM, class: "cursor" }));
  timeline.replaceChildren(...parts);
}

function pick(event) {
  if (event.buttons) goTo(turnAt(event.clientX - timeline.getBoundingClientRect().left));
}
timeline.addEventListener("pointerdown", pick);
timeline.addEventListener("pointermove", pick);
window.addEventListener("resize", show);

// Keys: every action of the help

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

// Help, buttons, and the turn a link names: page.html#42

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
for (const [words, name, ...values] of [["«", "step", -10], ["‹", "step", -1], ["▶", "play"], ["›", "step", 1],
                                        ["»", "step", 10], ["?", "help"]]) {
  const button = make("button", { type: "button", title: name }, words);
  button.addEventListener("click", () => { run({ name, values }); button.blur(); });
  byId("buttons").append(button);
}
document.title = `hsctl replay: ${game.specs.join(", ")}`;
goTo(Number(location.hash.slice(1)) || first);
