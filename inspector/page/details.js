// What is known of the selected call.
function callDetails(call) {
  const outcome = el("span", { class: `badge ${tone(call.outcome)}` }, call.outcome);
  const parts = [
    heading(`Call ${count(call.number)}`, outcome),
    el("p", { class: "target mono" }, el("b", {}, call.operation), " ", call.target),
    list([
      ["outcome", OUTCOMES[call.outcome]],
      ["rule", call.rule ? el("code", {}, call.rule) : "None matched, or none was needed."],
      ["approval", call.approval && pretty(call.approval)],
      ["capability", call.capability],
      ["start", milliseconds(call.started_ms)], ["took", milliseconds(call.duration_ms)],
      ["sent", bytes(call.bytes_out)], ["received", bytes(call.bytes_in)],
      ["line", call.line],
      ["mismatch", call.mismatch && pretty(call.mismatch)],
      ["types", call.signature && el("code", {}, pretty(call.signature))],
      ["note", call.note && pretty(call.note)],
    ]),
  ];
  if (call.hops.length) {
    const hops = call.hops.map((hop) => el("li", {},
      el("p", { class: "mono" }, `${hop.operation} ${hop.target}`),
      el("p", { class: "soft" }, el("span", { class: tone(hop.outcome) }, hop.outcome),
        ` · ${hop.rule || "no rule"}`)));
    parts.push(heading("Requests"), el("ol", { class: "hops" }, hops));
  }
  return [...parts, heading("Arguments"), ...argumentsOf(call)];
}

function argumentsOf(call) {
  const digest = call.arguments_sha256 && list([["SHA-256", el("code", { class: "digest" }, call.arguments_sha256)]]);
  if (call.arguments === null || call.arguments === undefined) {
    const why = digest ? "Only their digest was kept. With --audit-arguments, arguments are kept as well, without the secrets "
      + "that the sandbox knows." : "The arguments were not kept.";
    return [el("p", { class: "soft" }, why), digest];
  }
  return [el("pre", { class: "block", tabindex: 0, "aria-label": "Arguments" }, clipped(pretty(call.arguments))), digest];
}

// What is known of the run, while no call is selected.
function runDetails(run) {
  const parts = [heading("Run"), list([
    ["program", run.program && run.program],
    ["language", run.language && run.language], ["isolation", run.engine && run.engine],
    ["run", el("code", {}, run.run)], ["session", run.session && el("code", {}, run.session)],
    ["began", run.began && `${moment(run.began)} UTC`], ["ended", run.ended && `${moment(run.ended)} UTC`],
    ["exit code", run.exit_code],
    ...Object.entries(run.labels).map(([name, value]) => [name, value]),
    ["code", run.code_bytes !== null && bytes(run.code_bytes)],
    ["SHA-256", run.code_sha256 && el("code", { class: "digest" }, run.code_sha256)],
  ])];
  if (run.limits.length) parts.push(heading("Used"), el("div", { class: "limits" }, run.limits.map(limit)));
  if (run.limits.length && !run.limits.some((use) => use.limit)) {
    parts.push(el("p", { class: "soft" }, "The limits are not in this source. A result names those that were reached."));
  }
  if (run.pauses.length) {
    const pauses = run.pauses.slice(0, 100)
      .map(({ kind, time, calls }) => [kind, `${moment(time)}, after ${count(calls)} calls`]);
    parts.push(heading("Pauses"), list(pauses));
  }
  if (run.files.length) {
    const files = run.files.slice(0, 1000)
      .map((file) => [el("span", { class: "mono" }, file.path), bytes(file.size)]);
    parts.push(heading("Files"), list(files));
  }
  parts.push(el("p", { class: "soft" }, "Select a call to see its arguments, rule and outcome. ", el("kbd", {}, "?"),
    " shows the keys."));
  return parts;
}

function limit(use) {
  const share = use.limit ? use.used / use.limit : null;
  const bar = share !== null && el("div", { class: `bar${share >= 1 ? " full" : ""}` }, el("i", {}));
  if (bar) bar.firstChild.style.width = `${Math.min(100, Math.max(1, share * 100))}%`;
  const of = use.limit ? el("span", { class: "soft" }, ` of ${amount(use.limit, use.unit)}`) : null;
  const used = el("span", { class: "number" }, amount(use.used, use.unit), of);
  return el("div", { class: "limit" }, el("span", {}, use.name), used, bar);
}
