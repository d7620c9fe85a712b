// The table of calls. Only the rows in sight are elements.
function callTable(select) {
  const ROW = 26;
  const COLUMNS = ["number", "started", "capability", "target", "outcome", "duration"];
  const body = el("div", {});
  const table = el("div", { class: "table", tabindex: 0, role: "grid", "aria-label": "Calls" }, head(), body);
  let calls = [], shown = [], selected = null;

  function head() {
    const cells = COLUMNS.map((name) => el("span", { class: ["number", "started", "duration"].includes(name) ? "number" : null }, name));
    const row = el("div", { class: "row head", role: "row" }, cells);
    row.style.position = "sticky";
    return row;
  }

  function show(all) {
    calls = all;
    filter("");
  }

  function filter(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (call) => {
      const where = `${call.number} ${call.capability} ${call.operation} ${call.target} ${call.outcome} ${call.rule || ""}`.toLowerCase();
      return words.every((word) => where.includes(word));
    };
    shown = words.length ? calls.filter(has) : calls;
    body.style.height = `${shown.length * ROW}px`;
    body.style.position = "relative";
    table.style.height = `${Math.min(Math.max(shown.length, 2), 14) * ROW + ROW + 8}px`;
    paint();
    return words.length ? new Set(shown) : null;
  }

  function paint() {
    const first = Math.max(0, Math.floor(table.scrollTop / ROW) - 5);
    const last = Math.min(shown.length, first + Math.ceil(table.clientHeight / ROW) + 12);
    const rows = [];
    for (let index = first; index < last; index += 1) rows.push(row(shown[index], index));
    if (!shown.length) rows.push(el("p", { class: "soft", style: null }, calls.length ? "No call matches." : "The program made no calls."));
    body.replaceChildren(...rows);
  }

  function row(call, index) {
    const cells = [
      el("span", { class: "number" }, String(call.number)),
      el("span", { class: "number" }, milliseconds(call.started_ms)),
      el("span", {}, call.capability),
      el("span", { class: "mono", title: call.target }, `${call.operation} ${call.target}`),
      el("span", { class: isGood(call.outcome) ? "ok" : "bad" }, call.outcome),
      el("span", { class: "number" }, milliseconds(call.duration_ms)),
    ];
    const element = el("div", { class: `row${call === selected ? " selected" : ""}`, role: "row", "aria-selected": call === selected,
      on: { click: () => select(call) } }, cells);
    element.style.top = `${index * ROW}px`;
    return element;
  }

  table.addEventListener("scroll", paint);
  new ResizeObserver(paint).observe(table);

  return {
    table, show, filter,
    count: () => shown.length,
    mark(call) {
      selected = call;
      const index = shown.indexOf(call);
      if (index >= 0) {
        const top = index * ROW;
        if (top < table.scrollTop) table.scrollTop = top;
        else if (top + ROW * 2 > table.scrollTop + table.clientHeight) table.scrollTop = top + ROW * 2 - table.clientHeight;
      }
      paint();
    },
    next(step) {
      if (!shown.length) return null;
      const index = shown.indexOf(selected);
      return shown[Math.min(shown.length - 1, Math.max(0, index < 0 ? (step > 0 ? 0 : shown.length - 1) : index + step))];
    },
    edge: (last) => (shown.length ? shown[last ? shown.length - 1 : 0] : null),
  };
}
