"use strict";
// The stepper on a page. All positions, words and marks were made beforehand; this shows them.

const game = JSON.parse(document.getElementById("data").textContent);
const first = game.first, last = first + game.frames.length - 1;
const SVG = "http://www.w3.org/2000/svg";
const CELL = 40;
const at = {
  turn: first, seat: game.own, overlay: game.drawings.length ? "drawing" : "", output: false, values: false,
  speed: game.speed, word: "", timer: null,
};

const byId = (id) => document.getElementById(id);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const frame = () => game.frames[at.turn - first];

function make(tag, attributes = {}, text = "") {
  const inSvg = ["g", "rect", "use", "path", "line", "text", "title"].includes(tag);
  const element = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

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
  showButtons();
  followTurn();
  document.body.dataset.turn = at.turn;
}

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
  const said = at.overlay === "drawing" ? frame().drawings[at.seat]?.texts ?? [] : [];
  list.append(...said.map((words) => make("li", { class: "said" }, words)));
  list.append(...frame().notes.map((note) => make("li", { class: "note" }, note)));
  list.append(...frame().events.map((event) => make("li", {}, event)));
  const title = frame().events.length + frame().notes.length ? `on turn ${at.turn - 1}` : "";
  return [make("p", { class: "quiet" }, title), list];
}

function outputText() {
  const title = make("p", { class: "quiet" }, `${game.symbols[at.seat]} ${at.seat} on turn ${at.turn}`);
  const parts = frame().output[at.seat].flatMap(([label, text]) => [make("p", { class: "quiet" }, label), make("pre", {}, text)]);
  return [title, ...(parts.length ? parts : [make("p", { class: "quiet" }, "nothing")])];
}

function showFindings() {
  byId("findings").hidden = !game.verdict;
  byId("verdict").textContent = game.verdict;
  byId("mistakes").replaceChildren(...game.mistakes.map(([turn, words]) => {
    const entry = make("li"), link = make("button", { "data-turn": turn }, words);
    link.addEventListener("click", () => goTo(turn));
    entry.append(link);
    return entry;
  }));
}
