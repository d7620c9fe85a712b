// A run in one line, and what readers should know about it.
function summary(run, isLive) {
  const bad = run.calls.filter((call) => tone(call.outcome) === "bad").length;
  const used = (key, unit) => (run.usage[key] === undefined ? null : amount(run.usage[key], unit));
  const notOk = bad > 0 && el("span", { class: "bad" }, `, ${count(bad)} not ok`);
  const calls = el("span", {}, count(run.calls_in_all ?? run.calls.length), notOk);
  const lanes = run.calls.reduce((most, call) => Math.max(most, call.lane + 1), 0);
  const facts = [
    ["ending", el("span", { class: endingTone(run) }, ending(run, isLive))],
    ["calls", calls], ["at the same time", lanes > 1 ? count(lanes) : null],
    ["time", used("wall_ms", "ms")], ["processor time", used("cpu_ms", "ms")], ["memory", used("memory_peak_bytes", "bytes")],
    ["HTTP", run.usage.http_requests ? `${count(run.usage.http_requests)}, ${bytes(run.usage.http_bytes || 0)}` : null],
  ];
  return el("div", { class: "facts" }, facts.filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => el("div", {}, el("span", { class: "soft" }, name), el("b", {}, value))));
}

function ending(run, isLive) {
  if (run.ending) return visible(run.ending);
  return isLive && !run.ended ? "running" : "not ended";
}

function endingTone(run) {
  return run.ending === "ok" ? "ok" : run.ending ? "bad" : "warn";
}

function notesOf(run, notes, isLive) {
  const all = [...notes, ...run.notes];
  if (!run.ending && !isLive) all.push("The end of this run is not in the source: the process was killed, or the run goes on.");
  if (!run.began && !isLive && run.calls_in_all === null) all.push("The beginning of this run is not in the source.");
  const missing = (run.calls_in_all ?? 0) - run.calls.length;
  if (missing > 0) all.push(`${count(missing)} more calls are not in this source. An audit has all of them.`);
  if (run.counted.length) {
    const counts = run.counted.slice(0, 50).map((entry) => `${count(entry.calls)} × ${entry.operation} (${entry.outcome})`);
    all.push(`File calls beyond the limit of the audit were only counted: ${counts.join(", ")}.`);
  }
  return all.slice(0, 50).map((note) => el("p", { class: "note" }, note));
}
