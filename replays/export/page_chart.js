// The chart below the board: the boxes of all players over time, or the values that the player in focus told.

const LEFT = 44, RIGHT = 14, TOP = 10, BOTTOM = 20, LANE = 2.6;
const timeline = byId("timeline");
const size = () => ({ width: timeline.clientWidth, height: timeline.clientHeight });
const xOf = (turn) => LEFT + (turn - first) / Math.max(1, last - first) * (size().width - LEFT - RIGHT);

function turnAt(x) {
  const part = (x - LEFT) / (size().width - LEFT - RIGHT);
  return clamp(Math.round(first + part * (last - first)), first, last);
}

// Lines of equal boxes run side by side: each player has a lane.
const laneOf = (seat) => at.values ? 0 : (seat - (game.specs.length - 1) / 2) * LANE;
const numberOf = (frame, seat) => at.values ? frame.players[seat].worth : frame.players[seat].boxes;

function showTimeline() {
  const { height } = size();
  const seats = at.values ? [at.seat] : game.specs.map((_, seat) => seat);
  const known = game.frames.flatMap((frame) => seats.map((seat) => numberOf(frame, seat))).filter((number) => number !== null);
  const low = at.values ? Math.min(...known, Infinity) : 0, high = at.values ? Math.max(...known, -Infinity) : Math.max(1, ...known);
  const yOf = (number, seat) =>
    height - BOTTOM - (high > low ? (number - low) / (high - low) : 0) * (height - BOTTOM - TOP) + laneOf(seat);
  const parts = grid(height);
  for (const number of known.length ? new Set([low, high]) : []) {
    const words = Number.isInteger(number) ? number : number.toPrecision(3);
    parts.push(make("text", { x: LEFT - 8, y: yOf(number, at.seat) - laneOf(at.seat) + 4, "text-anchor": "end", class: "f-quiet" }, words));
  }
  for (const seat of seats) parts.push(...linesOf(seat, yOf));
  parts.push(make("line", { x1: xOf(at.turn), x2: xOf(at.turn), y1: TOP, y2: height - BOTTOM, class: "cursor" }));
  timeline.replaceChildren(...parts);
  const words = !at.values ? "boxes" : known.length ? "value, as told by" : "no value told by";
  byId("caption").replaceChildren(words, ...seats.map((seat) =>
    make("b", { style: `color: var(--seat${seat})` }, `${game.symbols[seat]} ${seat} ${game.specs[seat].slice(0, 24)}`)));
}

function grid(height) {
  const parts = [];
  const spacing = [1, 2, 5, 10, 20, 50, 100].find((turns) => (last - first) / turns * 34 <= size().width) ?? 200;
  for (let turn = Math.ceil(first / spacing) * spacing; turn <= last; turn += spacing) {
    parts.push(make("line", { x1: xOf(turn), x2: xOf(turn), y1: TOP, y2: height - BOTTOM, class: "grid" }));
    parts.push(make("text", { x: xOf(turn), y: height - 5, "text-anchor": "middle", class: "f-quiet" }, turn));
  }
  for (const turn of game.notes) {
    parts.push(make("text", { x: xOf(turn), y: TOP + 6, "text-anchor": "middle", class: "f-fire-word" }, "!"));
  }
  return parts;
}

// A player's line, with gaps where no number is known; dashed after a death, with a cross.
function linesOf(seat, yOf) {
  const died = game.died[seat] ?? last;
  const steps = (from, to) => {
    let pen = "M";
    return game.frames.slice(from - first, to - first + 1).map((frame, i) => {
      const number = numberOf(frame, seat);
      const piece = number === null ? "" : `${pen}${xOf(from + i).toFixed(1)} ${yOf(number, seat).toFixed(1)}`;
      pen = number === null ? "M" : "L";
      return pen === "L" && piece.startsWith("M") ? `${piece}h0.1` : piece;
    }).join("");
  };
  const parts = [];
  if (died < last) parts.push(make("path", { d: steps(died, last), class: "s-quiet", "stroke-dasharray": "2 3" }));
  parts.push(make("path", { d: steps(first, died), class: `s-seat${seat}` }));
  const number = numberOf(game.frames[died - first], seat);
  if (game.died[seat] !== null && number !== null) {
    const y = Math.max(TOP + 4, yOf(number, seat) - 6);
    parts.push(make("text", { x: xOf(died), y, "text-anchor": "middle", class: `f-seat${seat} death` }, "†"));
  }
  return parts;
}

function pick(event) {
  if (event.buttons) goTo(turnAt(event.clientX - timeline.getBoundingClientRect().left));
}
timeline.addEventListener("pointerdown", pick);
timeline.addEventListener("pointermove", pick);
window.addEventListener("resize", show);
