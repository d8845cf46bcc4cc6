// A flame graph: bars as wide as their time, the caller above what it calls.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const HEIGHT = 26;
let root = null; // of the profile shown
let zoomed = null; // the bar that has the whole width

function treeOf(places) {
  const top = { name: "", self: 0, total: 0, calls: 0, below: new Map(), above: null };
  for (const [path, ns, calls] of places) {
    let at = top;
    for (const name of path) {
      if (!at.below.has(name)) at.below.set(name, { name, self: 0, total: 0, calls: 0, below: new Map(), above: at });
      at = at.below.get(name);
    }
    at.self += ns;
    at.calls += calls;
    for (let each = at; each; each = each.above) each.total += ns;
  }
  return [...top.below.values()][0];
}

function colour(name) {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 360;
  return `hsl(${(hash * 47) % 360} 62% 72%)`;
}

function format(ns) {
  if (ns >= 1e6) return `${(ns / 1e6).toFixed(1)} ms`;
  return ns >= 1e3 ? `${(ns / 1e3).toFixed(1)} us` : `${ns.toFixed(1)} ns`;
}

function describe(node) {
  const share = (100 * node.total) / root.total;
  const words = [`${node.name}: ${share.toFixed(1)} % of the time, ${format(node.total)}`, `${format(node.self)} of it its own`];
  if (node.calls >= 1) words.push(`${Math.round(node.calls).toLocaleString("en")} calls of ${format(node.total / node.calls)}`);
  return words.join("; ");
}

function draw() {
  const bars = [];
  let deepest = 0;
  const add = (node, left, width, depth) => {
    if (width < 0.05) return;
    deepest = Math.max(deepest, depth);
    const bar = document.createElement("button");
    bar.type = "button";
    bar.textContent = node.name;
    bar.title = describe(node);
    Object.assign(bar.style, {
      left: `${left}%`, width: `${width}%`, top: `${depth * HEIGHT}px`, background: colour(node.name),
    });
    bar.onmouseenter = bar.onfocus = () => { byId("told").textContent = describe(node); };
    bar.onclick = () => { zoomed = node; draw(); };
    bars.push(bar);
    let at = left;
    for (const below of [...node.below.values()].sort((one, other) => other.total - one.total)) {
      const part = (width * below.total) / node.total;
      add(below, at, part, depth + 1);
      at += part;
    }
  };
  const above = [];
  for (let each = zoomed.above; each && each.name; each = each.above) above.unshift(each);
  above.forEach((node, depth) => add({ ...node, below: new Map() }, 0, 100, depth));
  bars.forEach((bar, depth) => { bar.onclick = () => { zoomed = above[depth]; draw(); }; });
  add(zoomed, 0, 100, above.length);
  byId("flames").replaceChildren(...bars);
  byId("flames").style.height = `${(deepest + 1) * HEIGHT}px`;
  byId("told").textContent = describe(zoomed);
}

function show(number) {
  root = zoomed = treeOf(data.profiles[number].places);
  draw();
}

data.profiles.forEach((profile, number) => byId("profile").add(new Option(profile.name, number)));
byId("profile").onchange = () => show(byId("profile").value);
byId("whole").onclick = () => { zoomed = root; draw(); };
document.addEventListener("keydown", (event) => { if (event.key === "Escape") { zoomed = root; draw(); } });
show(0);
