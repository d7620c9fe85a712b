// `path.win32`, for programs that process Windows paths.

const split = (path) => {
  const [, root] = /^([\\/]{2}[^\\/]+[\\/]+[^\\/]+[\\/]?|[a-z]:[\\/]?|[\\/]?)/i.exec(path);
  const device = root.replace(/[\\/]+$/, "");
  const isUnc = /^[\\/]{2}/.test(root);
  const isAbsolute = isUnc || /[\\/]$/.test(root);
  return { root, device: isUnc ? device.replaceAll("/", "\\") : device, isUnc, isAbsolute, rest: path.slice(root.length) };
};

function steps(rest, isAbsolute) {
  const kept = [];
  for (const step of rest.split(/[\\/]+/)) {
    if (step === "" || step === ".") continue;
    if (step !== "..") kept.push(step);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isAbsolute) kept.push("..");
  }
  return kept;
}

const check = (path, name = "path") => {
  if (typeof path !== "string") {
    const error = new TypeError(`The "${name}" argument must be of type string. Received ${path === null ? "null" : typeof path}`);
    throw Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
  }
};

function normalize(path) {
  check(path);
  if (path === "") return ".";
  const { device, isUnc, isAbsolute, rest } = split(path);
  let tail = steps(rest, isAbsolute).join("\\");
  if (tail !== "" && /[\\/]$/.test(path)) tail += "\\";
  if (isUnc) return `${device}\\${tail}`;
  if (tail === "" && !isAbsolute) tail = ".";
  return `${device}${isAbsolute ? "\\" : ""}${tail}`;
}

function join(...parts) {
  parts.forEach((part) => check(part));
  const joined = parts.filter((part) => part !== "").join("\\");
  // Joined parts must not become a UNC path.
  return joined === "" ? "." : normalize(/^[\\/]{2}[^\\/]/.test(parts.find(Boolean)) ? joined : joined.replace(/^[\\/]{2,}/, "\\"));
}

function resolve(...parts) {
  let [device, tail, isAbsolute, isUnc] = ["", "", false, false];
  for (const part of [...parts].reverse()) {
    check(part);
    if (part === "") continue;
    const split_ = split(part);
    if (split_.device !== "" && device !== "" && split_.device.toLowerCase() !== device.toLowerCase()) continue;
    if (device === "") [device, isUnc] = [split_.device, split_.isUnc];
    if (isAbsolute) {
      if (device !== "") break;
      continue;
    }
    tail = `${split_.rest}\\${tail}`;
    isAbsolute = split_.isAbsolute;
    if (isAbsolute && device !== "") break;
  }
  if (device === "") device = "C:";
  return `${device}\\${steps(tail, true).join("\\")}`;
}

function dirname(path) {
  check(path);
  const { root, rest } = split(path);
  const cut = rest.replace(/[\\/]+$/, "").search(/[\\/]+[^\\/]*$/);
  return cut < 0 ? root || "." : root + rest.slice(0, cut);
}

function basename(path, suffix) {
  check(path);
  const name = split(path).rest.replace(/[\\/]+$/, "").split(/[\\/]/).at(-1);
  return suffix !== undefined && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function extname(path) {
  const name = basename(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 && name !== ".." ? name.slice(dot) : "";
}

function parse(path) {
  check(path);
  const { root } = split(path);
  const base = basename(path);
  const ext = extname(path);
  const dir = dirname(path);
  return { root, dir: dir === "." && !path.startsWith(".") ? "" : dir, base, ext, name: ext === "" ? base : base.slice(0, -ext.length) };
}

function format({ dir, root = "", base, name = "", ext = "" }) {
  const file = base || `${name}${ext && !ext.startsWith(".") ? "." : ""}${ext}`;
  const folder = dir || root;
  if (!folder) return file;
  return folder === root ? `${folder}${file}` : `${folder}\\${file}`;
}

function relative(from, to) {
  const [left, right] = [resolve(from), resolve(to)];
  const [leftSteps, rightSteps] = [left.split("\\"), right.split("\\")];
  if (leftSteps[0].toLowerCase() !== rightSteps[0].toLowerCase()) return right;
  let same = 0;
  while (same < leftSteps.length && same < rightSteps.length && leftSteps[same].toLowerCase() === rightSteps[same].toLowerCase()) same += 1;
  return [...leftSteps.slice(same).filter(Boolean).map(() => ".."), ...rightSteps.slice(same).filter(Boolean)].join("\\");
}

const win32 = {
  resolve,
  normalize,
  isAbsolute: (path) => split(path).isAbsolute,
  join,
  relative,
  toNamespacedPath: (path) => path,
  dirname,
  basename,
  extname,
  format,
  parse,
  sep: "\\",
  delimiter: ";",
};

export default (posix) => Object.assign(win32, { posix, win32 });
