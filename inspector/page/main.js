// The page: puts the parts together.
const source = parse(document.getElementById("document").textContent);
const isLive = Boolean(source.live);
let data = { runs: [], tree: [], notes: [] };
let run = null, call = null, tree = null, program = null, choices = [], choose = null;

const line = timeline((found) => selectCall(found));
const table = callTable((found) => selectCall(found));
const search = el("input", { type: "search", "aria-label": "Filter calls",
  placeholder: "Filter: words of target, outcome, rule, capability" });
const counted = el("span", { class: "soft", "aria-live": "polite" });
const left = el("aside", { class: "tree", "aria-label": "Runs" });
const middle = el("section", { class: "run", "aria-label": "Run" });
const right = el("aside", { class: "details", "aria-label": "Details", tabindex: -1 });
const name = el("b", {}), state = el("span", { class: "badge" }), identifier = el("code", { class: "soft" });
const trace = el("button", { type: "button", hidden: true, title: "For ui.perfetto.dev" }, "Perfetto trace");
const help = keyHelp();
const legend = el("div", { class: "legend" },
  CAPABILITIES.map((capability) => el("span", {}, el("i", { class: `dot ${capability}` }), capability)),
  el("span", {}, el("i", { class: "foot" }), "not ok"));
// These stay, with the focus that they may have; their contents are replaced.
const notes = el("div", {}), facts = el("div", {}), below = el("div", { class: "columns" });
const finder = el("div", { class: "filter" }, search, counted);
const parts = [notes, facts, heading("Calls", legend), line.element, finder, table.table, below];

document.body.append(
  el("header", {}, el("h1", {}, "Isolette"), name, state, identifier, el("span", { class: "space" }), trace,
    el("button", { type: "button", title: "Dark or light (t)", "aria-label": "Dark or light", on: { click: theme } }, "◐"),
    el("button", { type: "button", title: "Keys (?)", "aria-label": "Keys", on: { click: () => help.showModal() } }, "?")),
  el("main", {}, left, middle, right), help);

function show(found, wanted, offered, load) {
  if (offered) [choices, choose] = [offered, load];
  data = found;
  tree = treeView(data, selectRun, isLive);
  const isFocused = left.contains(document.activeElement);
  left.replaceChildren(...tree.parts, ...offers());
  const next = data.runs.find((one) => one.run === wanted || one.labels.run === wanted) || data.runs[data.runs.length - 1];
  if (next && run && next.run === run.run) update(next);
  else selectRun(next ? next.run : null);
  const current = left.querySelector("[aria-current=true]");
  if (isFocused && current) current.focus();
}

function offers() {
  if (!choices.length) return [];
  const entries = choices.map(({ id, state: listed, time }) => {
    // What was listed may have ended since.
    const shown = data.runs.find((one) => one.run === id);
    const word = !shown ? listed : shown.ending === "ok" ? "succeeded" : ending(shown, true);
    const sign = el("i", { class: `sign run ${word === "succeeded" ? "ok" : "warn"}` });
    const button = { type: "button", class: "entry", title: moment(time || ""), on: { click: () => choose(id) } };
    return el("li", {}, el("button", button, sign, el("span", { class: "name mono" }, id.slice(0, 14)),
      el("span", { class: "soft" }, word)));
  });
  return [heading("Latest runs"), el("ul", { class: "roots" }, entries)];
}

// The same run, which has gone on: what the reader looks at stays where it is.
function update(next) {
  const number = call && call.number;
  const places = () => [middle, right, program.scroll].filter(Boolean);
  const tops = places().map((element) => element.scrollTop);
  run = next;
  fill(true);
  selectCall(run.calls.find((one) => one.number === number) || null);
  places().forEach((element, index) => { element.scrollTop = tops[index] || 0; });
}

function selectRun(id) {
  // A cell of the same sandbox, which the server has.
  if (id && choose && !data.runs.some((one) => one.run === id)) return choose(id);
  run = data.runs.find((one) => one.run === id) || null;
  search.value = "";
  fill(false);
  if (run) selectCall(null);
}

function fill(isSame) {
  tree.select(run && run.run);
  name.textContent = run ? nameOf(run) : "";
  state.textContent = run ? ending(run, isLive) : "";
  state.className = run ? `badge ${endingTone(run)}` : "badge";
  identifier.textContent = run ? visible(run.run.slice(0, 24)) : "";
  document.title = run ? `${nameOf(run)}: ${ending(run, isLive)}` : "Isolette";
  trace.hidden = !(isLive && run);
  if (!run) {
    const text = data.runs.length || choices.length ? "Choose a run on the left." : "There are no runs in this source.";
    notes.replaceChildren(...data.notes.map((note) => el("p", { class: "note" }, note)));
    middle.replaceChildren(notes, el("p", { class: "soft" }, text));
    right.replaceChildren();
    return;
  }
  program = programView(run, selectCall);
  notes.replaceChildren(...notesOf(run, data.notes, isLive));
  facts.replaceChildren(summary(run, isLive));
  below.replaceChildren(el("div", {}, program.parts), el("div", {}, outputView(run, isLive)));
  if (!middle.contains(below)) middle.replaceChildren(...parts);
  line.show(run, isSame);
  table.show(run.calls, isSame);
  filter();
}

function selectCall(found) {
  call = found;
  line.select(found);
  table.select(found);
  program.select(found);
  right.replaceChildren(...(found ? callDetails(found) : runDetails(run)).filter(Boolean));
  right.scrollTop = 0;
}

function filter() {
  line.limit(table.filter(search.value));
  counted.textContent = `${count(table.count())} of ${count(run.calls.length)}`;
}

function theme() {
  const root = document.documentElement;
  const isOfSystem = !root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = root.classList.contains("dark") || isOfSystem;
  root.classList.toggle("dark", !isDark);
  root.classList.toggle("light", isDark);
  repaint();
}

function repaint() {
  colors.forget();
  line.draw();
}

function step(number) {
  const next = run && table.next(number);
  if (next) selectCall(next);
}

function other(number) {
  const next = data.runs[data.runs.indexOf(run) + number];
  if (next) selectRun(next.run);
}

const edge = (isLast) => { if (run && run.calls.length) selectCall(table.edge(isLast) || call); };
search.addEventListener("input", filter);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
listen({
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  Home: () => edge(false), End: () => edge(true),
  Enter: () => {
    if (!call) step(1);
    right.focus();
    right.scrollIntoView({ block: "nearest" });
  },
  "+": () => line.zoom(0.7), "=": () => line.zoom(0.7), "-": () => line.zoom(1.4), f: () => line.fit(), z: () => line.enlarge(),
  ArrowLeft: () => line.pan(-0.15), ArrowRight: () => line.pan(0.15), "/": () => { search.focus(); search.select(); },
  "[": () => other(-1), "]": () => other(1), t: theme, "?": () => help.showModal(),
  Escape: () => {
    if (search.value) {
      search.value = "";
      filter();
    } else if (run) selectCall(null);
    if (document.activeElement) document.activeElement.blur();
  },
});

if (isLive) {
  const server = live(show, (error) => {
    show({ ...data, notes: [error.message] }, run && run.run);
  });
  trace.addEventListener("click", server.save);
} else show(source, null);
