// Numbers and words for people.
function milliseconds(value) {
  if (!Number.isFinite(value)) return "–";
  if (value < 0.9995) return `${(value * 1000).toFixed(0)} µs`;
  if (value < 999.5) return `${value.toFixed(value < 9.995 ? 2 : 1)} ms`;
  return `${(value / 1000).toFixed(2)} s`;
}

// A time on an axis whose marks are this far from each other.
function mark(time, step) {
  const [factor, unit] = step >= 1000 ? [1e-3, "s"] : step >= 1 ? [1, "ms"] : [1e3, "µs"];
  const digits = Math.max(0, Math.ceil(-Math.log10(step * factor) - 1e-9));
  return `${(Math.abs(time) < step / 2 ? 0 : time * factor).toFixed(digits)} ${unit}`;
}

function bytes(value) {
  if (!Number.isFinite(value)) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

function count(value) {
  return Number(value).toLocaleString("en");
}

function amount(value, unit) {
  return unit === "ms" ? milliseconds(value) : unit === "bytes" ? bytes(value) : count(value);
}

function moment(text) {
  return visible(text).replace("T", " ").replace(/(\.\d{3})\d*/, "$1").replace("Z", "");
}

function pretty(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

// The last part of the name of a program. The whole is in the details of the run.
function nameOf(run) {
  const name = (run.program || "").split(/[\\/]/).filter(Boolean).pop();
  return visible(name || "run");
}

const CAPABILITIES = ["tools", "http", "files", "capabilities"];

const OUTCOMES = {
  ok: "The call succeeded.", denied: "The policy, a check, the approver or the file system denied the call.",
  failed: "The call was executed and failed.", budget: "A limit or a shared budget was used up.",
  "unknown-tool": "No tool has this name.", "invalid-arguments": "The arguments do not match the tool's schema.",
  missing: "There is no such interface, function or file.", invalid: "The arguments do not have the types of the function.",
  dns: "The name of the server could not be resolved.", connect: "The connection to the server failed.",
  tls: "No trusted TLS connection could be established.", timeout: "The request took longer than one request may.",
  "too-large": "The server's response, or the request, is longer than allowed.", protocol: "The response was not valid HTTP.",
  deadline: "The time of the run was over. How far the call came is unknown.",
  cancelled: "The run was cancelled, or the program cancelled the call. How far it came is unknown.",
  malformed: "The guest sent a malformed message.", limit: "The run reached a limit that ended it.",
  unrecorded: "The audit could not be written.", unfinished: "The run ended before the call did.",
  redirected: "The response was a redirect.", repeated: "The server had closed the connection, so it was sent again.",
};

function isGood(outcome) {
  return ["ok", "redirected", "repeated"].includes(outcome);
}

// A file that is not there, or a call that its program gave up, is nothing to be alarmed by.
function tone(outcome) {
  return isGood(outcome) ? "ok" : ["missing", "cancelled", "unfinished"].includes(outcome) ? "warn" : "bad";
}
