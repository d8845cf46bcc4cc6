"use strict";
// A report of a league: numbers that were counted beforehand, and the games behind each of them. A number is a link whose
// address names a filter, such as #player=0&result=won; the list below shows the games that pass it.

const league = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const SHOWN = 200;
const RESULTS = ["won", "drawn", "lost"], AGAINST = ["above", "level", "below"], CAUSES = ["own", "others", "both", "error"];
const byId = (id) => document.getElementById(id);
let shown = SHOWN;

function make(tag, attributes = {}, ...inside) {
  const inSvg = ["rect", "line", "circle", "text", "title"].includes(tag);
  const element = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

const addressOf = (filter) => `#${new URLSearchParams(filter)}`;
const link = (words, filter) => make("a", { href: addressOf(filter) }, words);
const cell = (...inside) => make("td", {}, ...inside);
const row = (...cells) => { const made = make("tr"); made.append(...cells); return made; };
const middle = (name, most) => name.length <= most ? name
  : `${name.slice(0, Math.ceil(most / 2) - 1)}…${name.slice(name.length - Math.floor(most / 2))}`;

// Which games a filter means

function resultOf(game, seat) {
  return game.ranks[seat] > 1 ? "lost" : game.drawn ? "drawn" : "won";
}

function passes(game, filter) {
  if (filter.seed && String(game.seed) !== filter.seed) return false;
  if (filter.size && String(game.seats.length) !== filter.size) return false;
  return game.seats.some((player, seat) => (!filter.player || String(player) === filter.player)
    && (!filter.result || resultOf(game, seat) === filter.result)
    && (!filter.place || String(game.ranks[seat]) === filter.place)
    && (!filter.cause || game.causes[seat] === filter.cause)
    && (!filter.other || game.seats.some((other, at) => String(other) === filter.other && at !== seat
      && (!filter.against || AGAINST[Math.sign(game.ranks[seat] - game.ranks[at]) + 1] === filter.against))));
}

const filterNow = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const gamesOf = (filter) => league.games.filter((game) => passes(game, filter));

// Tables: players are sorted by rating, or by the column that was clicked

const KEYS = {
  player: (number) => league.names[number], games: (number) => league.players[number].games,
  ...Object.fromEntries(RESULTS.map((result) => [result, (number) => league.players[number][result]])),
  boxes: (number) => league.players[number].boxes ?? -1,
  ...Object.fromEntries(CAUSES.map((cause) => [`died: ${cause}`, (number) => league.players[number].causes[cause] ?? 0])),
  Elo: (number) => league.ratings[number].elo ?? -Infinity,
};

function sorted(column) {
  const key = KEYS[column], numbers = league.names.map((_, number) => number);
  const compare = (a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
  return numbers.sort((a, b) => (column === "player" ? compare(a, b) : compare(b, a)) || a - b);
}

const ORDER = sorted("Elo");

function showPlayers(column = "Elo") {
  const head = Object.keys(KEYS).map((words) => {
    const button = make("button", { type: "button", class: "sort", "aria-pressed": words === column, title: words }, words.replace("died: ", "†"));
    button.addEventListener("click", () => showPlayers(words));
    return make("th", {}, button);
  });
  byId("players").replaceChildren(row(...head));
  sorted(column).forEach((number) => {
    const player = league.players[number], rating = league.ratings[number];
    byId("players").append(row(
      make("td", { title: league.names[number] }, link(league.names[number], { player: number })), cell(link(player.games, { player: number })),
      ...RESULTS.map((result) => cell(link(player[result], { player: number, result }))),
      cell(player.boxes === null ? "" : link(player.boxes.toFixed(1), { player: number })),
      ...CAUSES.map((cause) => cell(player.causes[cause] ? link(player.causes[cause], { player: number, cause }) : "")),
      cell(rating.elo === null ? rating.note : link(eloOf(rating), { player: number }))));
  });
}

const signed = (elo) => elo === null ? "…" : `${elo >= 0 ? "+" : ""}${Math.round(elo)}`;
const eloOf = ({ elo, low, high }) => `${signed(elo)} (${signed(low)} to ${signed(high)})`;

function showPairs() {
  const names = ORDER.map((number) => make("th", { title: league.names[number] }, middle(league.names[number], 12)));
  byId("pairs").append(row(make("th"), ...names));
  ORDER.forEach((player) => byId("pairs").append(row(cell(league.names[player]), ...ORDER.map((other) => {
    const pair = league.pairs[player][other];
    if (!pair) return cell(player === other ? "" : "never met");
    const counts = AGAINST.flatMap((against, at) => [at ? " / " : "", link(pair[against], { player, other, against })]);
    const [share, low, high] = [pair.share, pair.low, pair.high].map((part) => Math.round(100 * part));
    return cell(...counts, make("br"), make("span", { class: "quiet" }, `${share} % (${low}–${high})`));
  }))));
}

// Plots

const WIDTH = Math.min(900, byId("ratings").clientWidth || 900), LEFT = WIDTH > 600 ? 220 : 120, RIGHT = 30, LINE = 26;
const LETTERS = Math.floor(LEFT / 7.5) - 1; // of a name beside a plot

function plot(id, low, high, lines) {
  const height = LINE * league.names.length + 24;
  const xOf = (value) => LEFT + (value - low) / (high - low || 1) * (WIDTH - LEFT - RIGHT);
  const parts = [];
  for (let i = 0; i <= 4; i++) {
    const value = low + (high - low) * i / 4;
    parts.push(make("line", { x1: xOf(value), x2: xOf(value), y1: 0, y2: height - 20, class: "grid" }),
               make("text", { x: xOf(value), y: height - 5, "text-anchor": "middle", class: "quiet" }, String(Math.round(value))));
  }
  ORDER.forEach((number, at) => {
    const y = LINE * at + LINE / 2, words = middle(league.names[number], LETTERS);
    parts.push(linked({ player: number }, make("text", { x: 0, y: y + 4 }, words)), ...lines(number, y, xOf));
  });
  byId(id).setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
  byId(id).append(...parts);
}

function linked(filter, ...inside) {
  const made = document.createElementNS(SVG, "a");
  made.setAttribute("href", addressOf(filter));
  made.append(...inside);
  return made;
}

function showRatings() {
  const ends = league.ratings.flatMap(({ elo, low, high }) => [elo, low, high]).filter((value) => value !== null);
  const low = 100 * Math.floor(Math.min(...ends, -100) / 100), high = 100 * Math.ceil(Math.max(...ends, 100) / 100);
  plot("ratings", low, high, (number, y, xOf) => {
    const { elo, low, high, note } = league.ratings[number];
    if (elo === null) return [make("text", { x: xOf(0), y: y + 4, "text-anchor": "middle", class: "quiet" }, note)];
    const bar = make("line", { x1: xOf(low ?? elo), x2: xOf(high ?? elo), y1: y, y2: y, class: "bar" });
    const ticks = [low, high].filter((end) => end !== null).map((end) =>
      make("line", { x1: xOf(end), x2: xOf(end), y1: y - 5, y2: y + 5, class: "bar" }));
    const dot = make("circle", { cx: xOf(elo), cy: y, r: 5, class: "dot" });
    dot.append(make("title", {}, eloOf(league.ratings[number])));
    return [linked({ player: number }, bar, ...ticks, dot)];
  });
}

function showPlaces() {
  plot("places", 0, 100, (number, y, xOf) => {
    let before = 0;
    const { places, games } = league.players[number];
    return places.flatMap((count, at) => {
      const [from, to] = [before, before + 100 * count / Math.max(1, games)];
      before = to;
      if (!count) return [];
      const bar = make("rect", { x: xOf(from), y: y - 8, width: xOf(to) - xOf(from), height: 16, class: `place${at + 1}` });
      bar.append(make("title", {}, `place ${at + 1}: ${count} of ${games} games`));
      return [linked({ player: number, place: at + 1 }, bar)];
    });
  });
}

// The list of games, and its filters

const FILTERS = {
  player: ["player", league.names.map((name, number) => [number, name])],
  result: ["result", RESULTS.map((one) => [one, one])],
  cause: ["died by", CAUSES.map((one) => [one, one])],
  place: ["place", [1, 2, 3, 4].map((one) => [one, one])],
  other: ["against", league.names.map((name, number) => [number, name])],
  against: ["ranked", AGAINST.map((one) => [one, one])],
  size: ["players", league.sizes.map((one) => [one, one])],
};

function makeFilters() {
  for (const [name, [words, choices]] of Object.entries(FILTERS)) {
    const select = make("select", { name }, make("option", { value: "" }, "any"),
      ...choices.map(([value, text]) => make("option", { value }, text)));
    byId("filters").append(make("label", {}, `${words} `, select));
  }
  byId("filters").append(make("label", {}, "seed ", make("input", { name: "seed", inputmode: "numeric" })));
  const clear = make("a", { href: "#all=" }, "all games");
  byId("filters").append(clear);
  byId("filters").addEventListener("change", () => {
    const chosen = [...new FormData(byId("filters"))].filter(([, value]) => value);
    location.hash = addressOf(Object.fromEntries(chosen));
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

function showList() {
  const filter = filterNow(), found = gamesOf(filter);
  for (const field of byId("filters").elements) {
    field.value = filter[field.name] ?? "";
    field.disabled = field.name === "against" && !filter.other;
  }
  byId("count").textContent = `${found.length} of ${league.games.length} games`;
  const missing = found.filter((game) => game.page === null).length;
  if (missing) byId("count").append(make("span", { class: "quiet" },
    `; ${missing} without a page: they were in the ledger; with another --ledger they are played again`));
  byId("list").replaceChildren(row(...["game", "seed", "turns", "end", "players: rank, boxes, death"].map((words) =>
    make("th", words.startsWith("players") || words === "end" ? { class: "left" } : {}, words))),
    ...found.slice(0, shown).map(gameRow));
  byId("more").hidden = found.length <= shown;
}

function gameRow(game) {
  const number = league.games.indexOf(game) + 1;
  const made = row(cell(game.page ? make("a", { href: game.page }, `game ${number}`) : `game ${number}`),
                   cell(link(game.seed, { seed: game.seed })), cell(game.turns), make("td", { class: "left" }, game.reason));
  const seats = game.seats.map((player, seat) => {
    const death = game.died[seat] === null ? "" : `, died on turn ${game.died[seat]}: ${game.deaths[seat]}`;
    return `${game.ranks[seat]}. ${league.names[player]} (${game.boxes[seat]}${death})`;
  });
  made.append(make("td", { class: "left" }, seats.join(" · ")));
  return made;
}

byId("warning").textContent = league.warning;
for (const fault of league.faults) byId("faults").appendChild(document.createElement("li")).textContent = fault;
byId("title").textContent = `hsctl league: ${league.games.length} games of ${league.names.length} players`;
showPlayers();
showRatings();
showPlaces();
showPairs();
makeFilters();
showList();
byId("more").addEventListener("click", () => { shown += SHOWN; showList(); });
window.addEventListener("hashchange", () => {
  shown = SHOWN;
  showList();
  byId("games").scrollIntoView();
});
