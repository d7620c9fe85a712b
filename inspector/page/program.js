// The program, with the lines that called.
const LINES = 5000;

function programView(run, select) {
  const title = heading("Program", run.code_bytes !== null && el("span", { class: "soft" }, bytes(run.code_bytes)));
  if (!run.code) {
    const why = run.code_sha256 ? "An audit keeps it with --audit-arguments only." : "It is not in this source.";
    return { parts: [title, el("p", { class: "soft" }, why)], select() {} };
  }
  const all = run.code.replace(/\n$/, "").split("\n");
  const calls = new Map();
  for (const call of run.calls) if (call.line) calls.set(call.line, [...(calls.get(call.line) || []), call].slice(0, 1000));
  const lines = all.slice(0, LINES).map((text, index) => line(text.slice(0, 2000), index + 1, calls.get(index + 1)));
  const view = el("div", { class: "code mono", tabindex: 0, role: "region", "aria-label": "Program" }, lines);
  const explained = el("p", { class: "soft", "aria-live": "polite" });

  function line(text, number, here) {
    const isWrong = number === run.error_line;
    const kinds = [here && "calls", isWrong && "wrong"].filter(Boolean).join(" ");
    const title = here && `${count(here.length)} calls`;
    const sign = here && el("button", { type: "button", title, on: { click: () => select(here[0]) } }, count(here.length));
    const gutter = el("span", { class: "gutter" }, sign, String(number));
    return el("div", { class: kinds || null, title: isWrong && "The error was raised here." }, gutter,
      el("span", { class: "text" }, text || " "));
  }

  function reveal(element) {
    const top = element.offsetTop - view.offsetTop;
    if (top < view.scrollTop || top > view.scrollTop + view.clientHeight - 40) view.scrollTop = top - view.clientHeight / 2;
  }

  const left = all.length - LINES;
  const cut = left > 0 && el("p", { class: "soft" }, `${count(left)} more lines are not shown.`);
  return {
    parts: [title, view, explained, cut],
    scroll: view,
    select(call) {
      for (const element of lines) element.classList.remove("selected", "named");
      explained.textContent = "";
      if (!call) return;
      if (call.line) {
        const element = lines[call.line - 1];
        if (element) {
          element.classList.add("selected");
          reveal(element);
        }
        return;
      }
      const { found, name } = linesThatName(call, all);
      if (!found.length) return;
      for (const index of found) if (lines[index]) lines[index].classList.add("named");
      if (lines[found[0]]) reveal(lines[found[0]]);
      const marked = found.length === 1 ? "the line that contains" : "lines that contain";
      explained.textContent = `Marked: ${marked} “${visible(name)}”. Which line made the call is not recorded.`;
    },
  };
}

// Where the program names what was called. It is no proof: programs can put names together.
function linesThatName(call, lines) {
  const last = call.target.split(" -> ")[0];
  const word = call.target.replace(/[^\p{L}\p{N}_$]/gu, "_");
  const [, host] = /^https?:\/\/([^/]+)/.exec(call.target) || [];
  const names = {
    tools: [call.target, word], files: [last, last.split("/").pop()], capabilities: [call.operation.split(".").pop()],
    http: [call.target, decoded(call.target), host],
  }[call.capability] || [];
  for (const name of names.filter((name) => name && name.length > 1)) {
    const found = [];
    lines.forEach((line, index) => { if (found.length < 200 && contains(line, name)) found.push(index); });
    if (found.length) return { found, name };
  }
  return { found: [], name: "" };
}

function contains(line, name) {
  const part = /[\p{L}\p{N}_$]/u;
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] || " ", line[at + name.length] || " "];
    if (!(part.test(before) && part.test(name[0])) && !(part.test(after) && part.test(name[name.length - 1]))) return true;
  }
  return false;
}

function decoded(url) {
  try {
    return decodeURI(url);
  } catch {
    return null;
  }
}
