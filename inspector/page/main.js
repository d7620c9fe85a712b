// The page: puts the parts together, and listens to keys.
const source = JSON.parse(document.getElementById("document").textContent);
let data = { runs: [], tree: [], notes: [] };
let run = null, call = null, tree = null, code = null, choices = [], choose = null;

const line = timeline((found) => selectCall(found));
const table = callTable((found) => selectCall(found));
const search = el("input", { type: "search", placeholder: "Filter calls: words of target, capability, outcome, rule", "aria-label": "Filter calls" });
const count = el("span", { class: "soft" });
const left = el("aside", { class: "tree", "aria-label": "Runs" });
const middle = el("section", { class: "run" });
const right = el("aside", { class: "details", "aria-label": "Call", "aria-live": "polite" });
const keys = [["j / k, ↓ / ↑", "next or previous call"], ["Home / End", "first or last call"], ["+ / -", "zoom"], ["← / →", "pan"], ["f", "fit"],
  ["/", "filter"], ["[ / ]", "previous or next run"], ["t", "dark or light"], ["?", "these keys"], ["Esc", "close, or clear the filter"]];
const help = el("dialog", { "aria-label": "Keys" }, heading("Keys"),
  el("dl", {}, keys.map(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)])));

document.body.append(
  el("header", {}, el("h1", {}, "Isolette"), el("span", { class: "soft", id: "title" }), el("span", { class: "space" }),
    el("span", { id: "links" }),
    el("button", { type: "button", on: { click: () => theme() } }, "Dark or light"),
    el("button", { type: "button", on: { click: () => help.showModal() } }, "Keys")),
  el("main", {}, left, middle, right), help);

function show(found, wanted, offered, load) {
  const kept = call && run && { run: run.run, number: call.number };
  data = found;
  if (offered) [choices, choose] = [offered, load];
  tree = treeView(data, (id) => selectRun(id), Boolean(source.live));
  const offers = choices.length ? [heading("Latest runs"), el("ul", {}, choices.map((choice) =>
    el("li", {}, el("button", { type: "button", title: choice.time, on: { click: () => choose(choice.id) } }, choice.name))))] : [];
  left.replaceChildren(...tree.parts, ...offers);
  const first = data.runs.find((one) => one.run === wanted || one.labels.run === wanted) || data.runs[data.runs.length - 1];
  selectRun(first ? first.run : null);
  if (kept && run && kept.run === run.run) selectCall(run.calls.find((one) => one.number === kept.number) || null);
}

function selectRun(id) {
  // A cell of the same sandbox, which the server has.
  if (id && choose && !data.runs.some((one) => one.run === id)) return choose(id);
  run = data.runs.find((one) => one.run === id) || null;
  tree.mark(id);
  const notes = data.notes.map((note) => el("p", { class: "note" }, note));
  document.getElementById("title").textContent = run ? `${run.program || "run"} ${run.run}` : "";
  if (!run) {
    middle.replaceChildren(...notes, el("p", { class: "soft" }, data.runs.length || choices.length ? "Choose a run." : "There are no runs."));
    right.replaceChildren();
    return;
  }
  const legend = el("div", { class: "legend" }, CAPABILITIES.map((name) => {
    const box = el("i", {});
    box.style.background = `var(--${name})`;
    return el("span", {}, box, name);
  }), el("span", {}, "a red line: not ok"));
  code = codeView(run, selectCall);
  middle.replaceChildren(...notes, ...factsView(run), heading("Calls"), line.canvas, legend,
    el("div", { class: "filter" }, search, count), table.table, ...code.parts, ...outputView(run));
  search.value = "";
  line.show(run);
  line.limit(null);
  table.show(run.calls);
  counted();
  selectCall(null);
}

function selectCall(found) {
  call = found;
  line.mark(found);
  table.mark(found);
  if (code) code.mark(found);
  right.replaceChildren(...details(found));
}

function counted() {
  count.textContent = run ? `${table.count()} of ${run.calls.length}` : "";
}

function theme() {
  const root = document.documentElement;
  const isDark = root.classList.contains("dark") || (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", !isDark);
  root.classList.toggle("light", isDark);
  line.draw();
}

search.addEventListener("input", () => {
  line.limit(table.filter(search.value));
  counted();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const inField = event.target instanceof HTMLInputElement;
  if (inField && !["Escape", "ArrowDown", "ArrowUp"].includes(event.key)) return;
  const step = (number) => { const next = table.next(number); if (next) selectCall(next); };
  const other = (number) => {
    const next = data.runs[data.runs.indexOf(run) + number];
    if (next) selectRun(next.run);
  };
  const actions = {
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    Home: () => selectCall(table.edge(false)), End: () => selectCall(table.edge(true)),
    "+": () => line.zoom(0.7), "=": () => line.zoom(0.7), "-": () => line.zoom(1.4), f: () => line.fit(),
    ArrowLeft: () => line.pan(-0.15), ArrowRight: () => line.pan(0.15),
    "/": () => search.focus(), "[": () => other(-1), "]": () => other(1), t: () => theme(), "?": () => help.showModal(),
    Escape: () => {
      if (search.value) { search.value = ""; line.limit(table.filter("")); counted(); } else selectCall(null);
      search.blur();
    },
  };
  if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => line.draw());

if (source.live) live(show, (error) => { show({ runs: data.runs, tree: data.tree, notes: [error.message] }, run && run.run); });
else show(source, null);
