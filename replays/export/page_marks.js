// What is laid over the board: below the things in colour, above them in paths and numbers.

function showMarks() {
  const { marks, legend, paths = [] } = at.overlay && !showsBetter() ? overlays[at.overlay]() : betterLine();
  byId("marks").replaceChildren(...marks.map(({ x, y, text, colour }) => make("rect", {
    x: x * CELL + 1, y: y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 5, fill: colour,
    "data-cell": `${x},${y}`, "data-text": text,
  })));
  byId("paths").replaceChildren(...paths.map(([colour, cells]) => make("path", { d: pathThrough(cells), stroke: colour })));
  byId("labels").replaceChildren(...marks.filter(({ text }) => text !== "").flatMap(labelOf));
  byId("legend").textContent = legend;
}

// A line through the middle of its cells, with an arrow at its end; it begins beside whoever stands on the first.
function pathThrough(cells) {
  const points = cells.map(([x, y]) => [x * CELL + CELL / 2, y * CELL + CELL / 2]);
  const angle = ([x, y], [toX, toY]) => Math.atan2(toY - y, toX - x);
  const start = angle(...points), end = angle(...points.slice(-2));
  points[0] = [points[0][0] + 15 * Math.cos(start), points[0][1] + 15 * Math.sin(start)];
  const [x, y] = points[points.length - 1];
  const barb = (turn) => `M${x} ${y}l${(-11 * Math.cos(end + turn)).toFixed(1)} ${(-11 * Math.sin(end + turn)).toFixed(1)}`;
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("") + barb(0.5) + barb(-0.5);
}

// Where a label stands in its cell, so that nothing below it is hidden: in the middle if the cell is empty, in a free
// quarter if several things share it, else on the lower edge, below the number of what stands there.
const QUARTERS = [[11, 11], [29, 29], [29, 11], [11, 29]], LONGEST = 8;

function labelOf({ x, y, text }) {
  const names = frame().things.filter(([, atX, atY]) => atX === x && atY === y).map(([thing]) => game.things[thing]);
  const standing = names.filter((name) => name !== "fire");
  const taken = standing.map((name) => name.match(/-s(\d)$/)).filter(Boolean).map((match) => Number(match[1]));
  const free = [3, 2, 1, 0].find((slot) => !taken.includes(slot));
  const alone = standing.length === 1, shared = taken.length > 0 && free !== undefined;
  const [middleX, middleY] = shared ? QUARTERS[free] : standing.length ? [20, 34] : [20, 20];
  const short = String(text).length > LONGEST ? `${String(text).slice(0, LONGEST - 1)}…` : String(text);
  const wide = [...short].length * 0.62;
  const size = Math.min((shared ? 19 : 37) / wide, shared ? 11 : standing.length ? 12 : 15);
  const left = x * CELL + middleX, middle = y * CELL + middleY;
  const label = make("text", { x: left, y: middle + size * 0.35, "font-size": size.toFixed(1), "data-cell": `${x},${y}` }, short);
  label.append(make("title", {}, text));
  const back = { x: left - wide * size / 2 - 1, y: middle - size * 0.5, width: wide * size + 2, height: size, rx: 2 };
  return alone || taken.length > 3 ? [make("rect", back), label] : [label];
}

const showsBetter = () => at.overlay === "drawing" && frame().better;

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
  drawing() {
    const drawn = frame().drawings[at.seat];
    if (!drawn) return { marks: [], legend: `drawing: player ${at.seat} drew nothing` };
    return { marks: drawn.cells.map(([x, y, text, colour]) => ({ x, y, text, colour })), paths: drawn.paths, legend: drawn.legend };
  },
};
