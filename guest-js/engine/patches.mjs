// Applies the unified diffs in `patches/` to the sources of the engine, in the order of their names.
//
// A patch applies where it says and to what it quotes, or it fails: the source is one pinned version, so a difference means that
// the patches have to be adapted to another one.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("patches", import.meta.url));

/** The paths of all patches. */
export function patches() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".patch"));
  return names.sort().map((name) => join(FOLDER, name));
}

/** The text of a file of the engine with every patch of that file in it. */
export function patched(file, source) {
  return patches().reduce((text, path) => {
    const section = sections(readFileSync(path, "utf-8")).get(file);
    return section === undefined ? text : applied(text, section, basename(path));
  }, source);
}

/** The part of a patch for each file, by the name of the file. */
export function sections(patch) {
  const found = new Map();
  for (const section of patch.split(/^(?=--- a\/)/m)) {
    const name = /^--- a\/(.+)$/m.exec(section)?.[1];
    if (section.startsWith("--- a/")) found.set(name, section);
  }
  return found;
}

/** `source` with the part of a patch for one file in it. What comes before the first hunk is a description. */
export function applied(source, patch, name) {
  const lines = source.split("\n");
  const result = [];
  let next = 0;
  for (const { header, start, changes } of hunks(patch, name)) {
    if (start < next) throw new Error(`${name}: ${header} overlaps with the hunk before`);
    result.push(...lines.slice(next, start));
    next = start;
    for (const { kind, text } of changes) {
      if (kind === "+") {
        result.push(text);
        continue;
      }
      if (lines[next] !== text) {
        throw new Error(
          `${name} does not apply: ${header} expects this in line ${next + 1} of the source:\n  ${text}\n` +
            `it is:\n  ${lines[next] ?? "the end of the file"}\n` +
            "hint: adapt the patch to this version of the engine, as guest-js/README.md describes",
        );
      }
      if (kind === " ") result.push(text);
      next += 1;
    }
  }
  result.push(...lines.slice(next));
  return result.join("\n");
}

/** The hunks of a patch: where each starts, counted from zero, and its lines. */
function hunks(patch, name) {
  const found = [];
  const lines = patch.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const match = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[at]);
    if (match === null) continue;
    const hunk = { header: match[0], start: Number(match[1]) - 1, changes: [] };
    let [removed, added] = [Number(match[2] ?? 1), Number(match[3] ?? 1)];
    while (removed > 0 || added > 0) {
      at += 1;
      // Editors and mail programs drop the space of an empty line.
      const line = lines[at] === "" ? " " : (lines[at] ?? "");
      const kind = line[0];
      removed -= kind === "+" ? 0 : 1;
      added -= kind === "-" ? 0 : 1;
      const fits = [" ", "-", "+"].includes(kind) && removed >= 0 && added >= 0;
      if (!fits) throw new Error(`${name}: ${hunk.header} is cut off`);
      hunk.changes.push({ kind, text: line.slice(1) });
    }
    found.push(hunk);
  }
  if (found.length === 0) throw new Error(`${name} has no hunk`);
  return found;
}
