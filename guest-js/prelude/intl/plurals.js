// Plural rules: the category of a number.

import { supplemental } from "./data.js";
import { places } from "./decimal.js";

const made = new Map();

// The rules of CLDR, as expressions from `intl/supplemental.mjs`.
function compile(rules) {
  const names = Object.keys(rules);
  const tests = names.map((name) => `if(${rules[name]})return ${JSON.stringify(name)};`).join("");
  return { names: [...names, "other"], select: new Function("o", `${tests}return "other"`) };
}

export function pluralRules(locale, type) {
  const { plurals } = supplemental;
  const name = Object.hasOwn(plurals, locale) ? locale : /^pt-(?!BR)[A-Z]/.test(locale) ? "pt-PT" : locale.split("-")[0];
  const key = `${name} ${type}`;
  if (!made.has(key)) made.set(key, { ...compile(plurals[name][type]), ranges: plurals[name].ranges });
  return made.get(key);
}

// The operands of rules for a number with these digits. `exponent` is that of compact notation.
export function operands(number, minimumFraction, exponent = 0) {
  const [whole, fraction] = places({ ...number, point: number.point + (number.digits === "" ? 0 : exponent) }, 1, Math.max(0, minimumFraction - exponent));
  const short = fraction.replace(/0+$/, "");
  return {
    n: Number(`${whole}.${fraction || "0"}`),
    // ICU uses as many digits as fit its integers.
    i: Number(whole.slice(-18)),
    v: fraction.length,
    w: short.length,
    f: Number(fraction || "0"),
    t: Number(short || "0"),
    c: exponent,
    e: exponent,
  };
}
