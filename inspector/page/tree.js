// Sessions with their cells, snapshots and forks; and runs that are in none.
const DEPTH = 40, SHOWN = 3000;

function treeView(data, select, isLive) {
  const buttons = new Map();
  const runs = new Map(data.runs.map((run) => [run.run, run]));
  const inTree = new Set(data.tree.map((node) => node.run).filter(Boolean));
  const alone = data.runs.filter((run) => !inTree.has(run.run));
  const children = new Map();
  for (const node of data.tree) {
    if (!children.has(node.parent)) children.set(node.parent, []);
    children.get(node.parent).push(node);
  }
  let shown = 0;

  function entry(kind, name, time, id) {
    const run = id && runs.get(id);
    const target = id && (run || isLive) ? id : null;
    const state = run && run.ending !== "ok" ? el("span", { class: endingTone(run) }, ending(run, isLive)) : null;
    const content = [el("i", { class: `sign ${kind}${run ? ` ${endingTone(run)}` : ""}` }), el("span", { class: "name" }, name),
      el("span", { class: "soft" }, kind === "cell" || kind === "run" || kind === "session" ? state : kind)];
    const title = [name, kind, time && `${moment(time)} UTC`].filter(Boolean).join(", ");
    if (!target) return el("div", { class: "entry", title }, content);
    const element = el("button", { type: "button", class: "entry", title, on: { click: () => select(target) } }, content);
    buttons.set(target, element);
    return element;
  }

  // Cells follow one another: they are a list, and only what branches off is indented.
  function items(parent, depth) {
    const found = [];
    const waiting = [...(children.get(parent) || [])].reverse();
    while (waiting.length && shown < SHOWN) {
      const node = waiting.pop();
      shown += 1;
      const item = el("li", {}, entry(node.kind, node.name, node.time, node.run));
      found.push(item);
      const next = children.get(node.id) || [];
      const [cells, others] = [next.filter(({ kind }) => kind === "cell"), next.filter(({ kind }) => kind !== "cell")];
      if (node.kind === "cell") waiting.push(...cells.reverse());
      const below = node.kind === "cell" ? others.flatMap((other) => branch(other, depth + 1)) : items(node.id, depth + 1);
      if (below.length && depth < DEPTH) item.append(el("ul", {}, below));
    }
    return found;
  }

  function branch(node, depth) {
    if (depth >= DEPTH || shown >= SHOWN) return [];
    shown += 1;
    const item = el("li", {}, entry(node.kind, node.name, node.time, node.run));
    const below = items(node.id, depth + 1);
    if (below.length) item.append(el("ul", {}, below));
    return [item];
  }

  const parts = [];
  if (data.tree.length) parts.push(heading("Sessions"), el("ul", { class: "roots" }, items(null, 0)));
  if (alone.length) {
    const entries = alone.slice(0, SHOWN).map((run) => el("li", {}, entry("run", nameOf(run), run.began, run.run)));
    parts.push(heading("Runs", el("span", { class: "soft" }, count(alone.length))), el("ul", { class: "roots" }, entries));
  }
  if (shown >= SHOWN || alone.length > SHOWN) {
    const text = "More are not shown. The keys [ and ] reach all runs; inspect-run --run RUN shows one of them.";
    parts.push(el("p", { class: "soft" }, text));
  }
  return {
    parts,
    select(run) {
      for (const [id, element] of buttons) element.setAttribute("aria-current", String(id === run));
      const element = buttons.get(run);
      if (element && element.isConnected) element.scrollIntoView({ block: "nearest" });
    },
  };
}
