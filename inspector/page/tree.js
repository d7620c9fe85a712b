// Sessions with their cells, snapshots and forks; and runs that are in none.
function treeView(data, selectRun, isLive) {
  const buttons = new Map();
  const button = (run, kind, name, title) => {
    const element = el("button", { type: "button", title: title && moment(title), disabled: !run, on: { click: () => run && selectRun(run) } },
      el("span", { class: "kind" }, kind), name);
    if (run) buttons.set(run, element);
    return element;
  };
  const children = new Map();
  for (const node of data.tree) children.set(node.parent || "", [...(children.get(node.parent || "") || []), node]);
  const signs = { session: "▣", cell: "▸", snapshot: "◆", fork: "⑂" };
  const runs = new Map(data.runs.map((run) => [run.run, run]));
  // Cells follow one another: they are a list, and only what branches off is indented.
  const list = (parent, depth) => {
    const items = [];
    let level = (children.get(parent) || []).slice();
    while (level.length) {
      const node = level.shift();
      const run = runs.get(node.run);
      const ending = run ? (run.ending === "ok" ? "" : ` ${run.ending || "…"}`) : "";
      const item = el("li", {}, button(node.run && (isLive || runs.has(node.run)) ? node.run : null, signs[node.kind] || "·", node.name + ending, node.time));
      items.push(item);
      const next = children.get(node.id) || [];
      const cells = next.filter((child) => child.kind === "cell");
      const others = next.filter((child) => child.kind !== "cell");
      if (others.length && depth < 50) item.append(el("ul", {}, others.flatMap((child) => branch(child, depth + 1))));
      level = [...cells, ...level];
    }
    return items;
  };
  const branch = (node, depth) => {
    const item = el("li", {}, button(null, signs[node.kind] || "·", node.name, node.time));
    const below = list(node.id, depth);
    if (below.length) item.append(el("ul", {}, below));
    return [item];
  };
  const inTree = new Set(data.tree.map((node) => node.run).filter(Boolean));
  const alone = data.runs.filter((run) => !inTree.has(run.run)).map((run) =>
    el("li", {}, button(run.run, "▸", `${run.program || "run"} ${run.run.slice(0, 8)}${run.ending === "ok" ? "" : ` ${run.ending || "…"}`}`, run.began)));
  const parts = [];
  if (data.tree.length) parts.push(heading("Sessions"), el("ul", {}, list("", 0)));
  if (alone.length) parts.push(heading("Runs"), el("ul", {}, alone));
  return {
    parts,
    mark(run) {
      for (const [id, element] of buttons) element.setAttribute("aria-current", String(id === run));
    },
  };
}
