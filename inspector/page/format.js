// Numbers for people.
function milliseconds(value) {
  if (!Number.isFinite(value)) return "–";
  if (value < 1) return `${(value * 1000).toFixed(0)} µs`;
  if (value < 1000) return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
  return `${(value / 1000).toFixed(2)} s`;
}

function bytes(value) {
  if (!Number.isFinite(value)) return "–";
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

function amount(value, unit) {
  return unit === "ms" ? milliseconds(value) : unit === "bytes" ? bytes(value) : String(value);
}

function moment(text) {
  return text.replace("T", " ").replace(/(\.\d{3})\d*/, "$1").replace("Z", "");
}

function pretty(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

const CAPABILITIES = ["tools", "http", "files", "capabilities"];

function isGood(outcome) {
  return ["ok", "redirected", "repeated"].includes(outcome);
}
