// What is known of the selected call.
function details(call) {
  if (!call) return [heading("Call"), el("p", { class: "soft" }, "Select a call in the timeline or in the table.")];
  const facts = [
    ["capability", call.capability], ["operation", call.operation], ["target", call.target],
    ["outcome", el("span", { class: isGood(call.outcome) ? "ok" : "bad" }, call.outcome)],
    ["rule", call.rule || "none"],
    ["started", milliseconds(call.started_ms)], ["took", milliseconds(call.duration_ms)],
    ["sent", bytes(call.bytes_out)], ["received", bytes(call.bytes_in)],
    ["line", call.line], ["approval", call.approval && pretty(call.approval)], ["mismatch", call.mismatch && pretty(call.mismatch)],
    ["types", call.signature && pretty(call.signature)], ["note", call.note && pretty(call.note)],
  ];
  const list = el("dl", {}, facts.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  const parts = [heading(`Call ${call.number}`), list];
  if (call.hops.length) {
    parts.push(heading("Requests"));
    for (const hop of call.hops) {
      parts.push(el("p", {}, el("code", {}, `${hop.operation} ${hop.target}`), ` ${hop.outcome}`,
        el("span", { class: "soft" }, ` ${hop.rule || "no rule"}`)));
    }
  }
  parts.push(heading("Arguments"));
  if (call.arguments !== null && call.arguments !== undefined) parts.push(el("pre", {}, pretty(call.arguments)));
  else if (call.arguments_sha256) {
    parts.push(el("p", { class: "soft" }, "Arguments are kept with --audit-arguments only. Their SHA-256:"),
      el("pre", {}, call.arguments_sha256));
  } else parts.push(el("p", { class: "soft" }, "They were not kept."));
  return parts;
}
