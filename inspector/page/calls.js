// The table of calls. Only the rows in sight are elements.
function callTable(select) {
  const ROW = 25, ROWS = 13;
  const COLUMNS = [
    ["#", (call) => call.number, "number"], ["start", (call) => call.started_ms, "number"],
    ["capability", (call) => call.capability], ["call", (call) => `${call.operation} ${call.target}`],
    ["outcome", (call) => call.outcome], ["rule", (call) => call.rule || ""], ["took", (call) => call.duration_ms, "number"],
  ];
  let calls = [], shown = [], selected = null, place = -1, sorted = { column: 0, isDown: false }, words = [];
  // The rows in sight, by their places.
  const rows = new Map();
  const titles = COLUMNS.map(([name, , kind], column) => el("span", { role: "columnheader", class: kind },
    el("button", { type: "button", title: "Sort", tabindex: -1, on: { click: () => sort(column) } }, name)));
  const body = el("div", { class: "body", role: "rowgroup" });
  const table = el("div", { class: "table", tabindex: 0, role: "grid", "aria-label": "Calls", "aria-colcount": COLUMNS.length },
    el("div", { class: "row head", role: "row" }, titles), body);

  function show(all, keep) {
    calls = all;
    if (!keep) [sorted, table.scrollTop] = [{ column: 0, isDown: false }, 0];
    arrange();
  }

  function textOf(call) {
    // Once for each call: the filter looks at all of them with each key.
    const { number, capability, operation, target, outcome, rule } = call;
    call.words = call.words || [number, capability, operation, target, outcome, rule || ""].join(" ").toLowerCase();
    return call.words;
  }

  function arrange() {
    shown = words.length ? calls.filter((call) => words.every((word) => textOf(call).includes(word))) : calls.slice();
    const [, of] = COLUMNS[sorted.column];
    const sign = sorted.isDown ? -1 : 1;
    if (sorted.column || sorted.isDown) {
      shown.sort((one, other) => (of(one) < of(other) ? -sign : of(one) > of(other) ? sign : one.number - other.number));
    }
    titles.forEach((title, column) => {
      const order = column === sorted.column ? (sorted.isDown ? "descending" : "ascending") : "none";
      title.setAttribute("aria-sort", order);
    });
    table.setAttribute("aria-rowcount", shown.length + 1);
    body.style.height = `${Math.max(1, shown.length) * ROW}px`;
    table.style.height = `${(Math.min(Math.max(shown.length, 1), ROWS) + 1) * ROW + 5}px`;
    place = shown.indexOf(selected);
    repaint();
  }

  function sort(column) {
    sorted = { column, isDown: sorted.column === column && !sorted.isDown };
    arrange();
  }

  function filter(text) {
    const next = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (next.join(" ") !== words.join(" ")) table.scrollTop = 0;
    words = next;
    arrange();
    return words.length ? new Set(shown) : null;
  }

  // Rows that stay in sight stay as they are.
  function paint() {
    const first = Math.max(0, Math.floor(table.scrollTop / ROW) - 4);
    const last = Math.min(shown.length, first + Math.ceil((table.clientHeight || ROWS * ROW) / ROW) + 8);
    for (const [index, element] of rows) {
      if (index >= first && index < last) continue;
      element.remove();
      rows.delete(index);
    }
    for (let index = first; index < last; index += 1) {
      if (rows.has(index)) continue;
      rows.set(index, row(shown[index], index));
      body.append(rows.get(index));
    }
    const active = rows.has(place) && rows.get(place).id;
    if (active) table.setAttribute("aria-activedescendant", active);
    else table.removeAttribute("aria-activedescendant");
  }

  function repaint() {
    rows.clear();
    const text = calls.length ? "No call matches the filter. Esc clears it." : "There are no calls.";
    body.replaceChildren(...(shown.length ? [] : [el("p", { class: "soft empty" }, text)]));
    paint();
  }

  function choose(call) {
    const old = rows.get(place);
    selected = call;
    place = call ? shown.indexOf(call) : -1;
    for (const element of [old, rows.get(place)]) {
      if (!element) continue;
      const isSelected = element === rows.get(place);
      element.classList.toggle("selected", isSelected);
      element.setAttribute("aria-selected", String(isSelected));
    }
  }

  function row(call, index) {
    const cell = (kind, ...content) => el("span", { class: kind, role: "gridcell" }, ...content);
    const known = CAPABILITIES.includes(call.capability) ? call.capability : "wait";
    const element = el("div", { class: `row${call === selected ? " selected" : ""}`, role: "row", id: `call-${call.number}`,
      "aria-selected": call === selected, "aria-rowindex": index + 2, on: { click: () => select(call) } },
      cell("number soft", count(call.number)), cell("number", milliseconds(call.started_ms)),
      cell(null, el("i", { class: `dot ${known}` }), call.capability),
      cell("mono", el("span", { class: "soft" }, `${call.operation} `), call.target.slice(0, 500)),
      cell(tone(call.outcome), call.outcome), cell("soft", call.rule ? call.rule : "–"),
      cell("number", milliseconds(call.duration_ms)));
    element.style.top = `${index * ROW}px`;
    return element;
  }

  table.addEventListener("scroll", paint, { passive: true });
  new ResizeObserver(paint).observe(table);

  return {
    table, show, filter,
    count: () => shown.length,
    select(call) {
      choose(call);
      if (place >= 0) {
        const [top, room] = [place * ROW, table.clientHeight - ROW * 2];
        if (top < table.scrollTop) table.scrollTop = top;
        else if (top > table.scrollTop + room) table.scrollTop = top - room;
      }
      paint();
    },
    next(step) {
      if (!shown.length) return null;
      if (place < 0) return shown[step > 0 ? 0 : shown.length - 1];
      return shown[Math.min(shown.length - 1, Math.max(0, place + step))];
    },
    edge: (isLast) => (shown.length ? shown[isLast ? shown.length - 1 : 0] : null),
  };
}
