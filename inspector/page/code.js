// The program, its output, its value and its pictures.
function codeView(run, selectCall) {
  if (!run.code) {
    const why = run.code_bytes ? `The program has ${bytes(run.code_bytes)}. An audit keeps its text with --audit-arguments only.`
      : "The text of the program was not kept.";
    return { parts: [heading("Program"), el("p", { class: "soft" }, why)], mark() {} };
  }
  const calls = new Map();
  for (const call of run.calls) if (call.line) calls.set(call.line, [...(calls.get(call.line) || []), call]);
  const lines = run.code.replace(/\n$/, "").split("\n").slice(0, 20000).map((text, index) => {
    const here = calls.get(index + 1);
    const number = el("span", { title: here ? `${here.length} calls` : null }, here ? `● ${index + 1}` : String(index + 1));
    if (here) number.addEventListener("click", () => selectCall(here[0]));
    return el("div", { class: here ? "calls" : null }, number, el("span", {}, text || " "));
  });
  const view = el("pre", { class: "code", tabindex: 0 }, lines);
  return {
    parts: [heading(run.program ? `Program ${run.program}` : "Program"), view],
    mark(call) {
      for (const line of lines) line.classList.remove("selected");
      const line = call && call.line && lines[call.line - 1];
      if (line) {
        line.classList.add("selected");
        line.scrollIntoView({ block: "nearest" });
      }
    },
  };
}

function outputView(run) {
  const parts = [];
  if (run.error) parts.push(heading("Error"), el("pre", { class: "output bad" }, run.error));
  if (run.output.length) {
    parts.push(heading("Output"), el("pre", { class: "output", tabindex: 0 }, run.output.map((part) => el("span", { class: part.stream }, part.text))));
  }
  if (run.value !== null && run.value !== undefined) parts.push(heading("Value"), el("pre", { class: "output" }, pretty(run.value)));
  const pictures = run.files.filter((file) => file.base64);
  if (pictures.length) {
    const kinds = { iVBORw: "png", "/9j/": "jpeg", R0lGOD: "gif", UklGR: "webp" };
    const kind = (text) => Object.entries(kinds).find(([begin]) => text.startsWith(begin));
    parts.push(heading("Pictures"), el("div", { class: "pictures" }, pictures.filter((file) => kind(file.base64)).map((file) =>
      el("figure", {}, el("img", { alt: file.path, src: `data:image/${kind(file.base64)[1]};base64,${file.base64}` }),
        el("figcaption", {}, `${file.path}, ${bytes(file.size)}`)))));
  }
  if (run.files.length) {
    parts.push(heading("Files"), el("dl", {}, run.files.map((file) => [el("dt", { class: "mono" }, file.path), el("dd", {}, bytes(file.size))])));
  }
  return parts;
}

function factsView(run) {
  const fact = (name, value, extra) => el("div", { class: "fact" }, el("b", {}, value), el("span", {}, name), extra);
  const good = run.ending === "ok";
  const ending = el("b", { class: good ? "ok" : run.ending ? "bad" : null }, run.ending || "not ended");
  const facts = [el("div", { class: "fact" }, ending, el("span", {}, run.exit_code === null ? "ending" : `exit code ${run.exit_code}`))];
  facts.push(fact("calls", String(run.calls_in_all ?? run.calls.length)));
  const failed = run.calls.filter((call) => !isGood(call.outcome)).length;
  if (failed) facts.push(fact("calls that were not ok", el("span", { class: "bad" }, String(failed))));
  for (const use of run.limits) {
    const share = use.limit ? Math.min(1, use.used / use.limit) : null;
    const bar = share === null ? null : el("div", { class: "bar" }, el("i", { class: share >= 1 ? "full" : null }));
    if (bar) bar.firstChild.style.width = `${(share * 100).toFixed(1)}%`;
    const name = use.limit ? `${use.name}, of ${amount(use.limit, use.unit)}` : use.name;
    facts.push(fact(name, amount(use.used, use.unit), bar));
  }
  for (const [name, value] of [["language", run.language], ["isolation", run.engine], ["began (UTC)", run.began && moment(run.began)]]) if (value) facts.push(fact(name, value));
  for (const pause of run.pauses) facts.push(fact(pause.kind, moment(pause.time)));
  const parts = [el("div", { class: "facts" }, facts)];
  const labels = Object.entries(run.labels);
  if (labels.length) parts.push(el("p", { class: "soft" }, labels.map(([name, value]) => `${name}: ${value}`).join(" · ")));
  if (run.counted.length) {
    const text = run.counted.map((entry) => `${entry.calls} × ${entry.operation} (${entry.outcome})`).join(", ");
    parts.push(el("p", { class: "note" }, `File calls that were only counted: ${text}`));
  }
  const missing = (run.calls_in_all ?? 0) - run.calls.length;
  if (missing > 0) parts.push(el("p", { class: "note" }, `${missing} more calls are not in this source. An audit has all of them.`));
  return parts;
}
