// The number of digits: ECMA-402's digit options, and their effect on a number.

import { isZero, places, roundTo } from "./decimal.js";
import { choice, range, whole } from "./options.js";

const INCREMENTS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000];
const MODES = ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"];

export function digitOptions(options, leastDefault, mostDefault, isCompact, service) {
  const minimumIntegerDigits = whole(options.minimumIntegerDigits, "minimumIntegerDigits", 1, 21, 1);
  let least = options.minimumFractionDigits;
  let most = options.maximumFractionDigits;
  let leastSignificant = options.minimumSignificantDigits;
  let mostSignificant = options.maximumSignificantDigits;
  let priority = choice(options, "roundingPriority", ["auto", "morePrecision", "lessPrecision"], "auto", service);
  const roundingIncrement = whole(options.roundingIncrement, "roundingIncrement", 1, 5000, 1);
  if (!INCREMENTS.includes(roundingIncrement)) throw range("roundingIncrement value is out of range.");
  const roundingMode = choice(options, "roundingMode", MODES, "halfExpand", service);
  const trailingZeroDisplay = choice(options, "trailingZeroDisplay", ["auto", "stripIfInteger"], "auto", service);
  if (roundingIncrement !== 1) mostDefault = leastDefault;
  const isSignificant = leastSignificant !== undefined || mostSignificant !== undefined;
  const isFraction = least !== undefined || most !== undefined;
  let needsSignificant = true;
  let needsFraction = true;
  if (priority === "auto") {
    needsSignificant = isSignificant;
    if (needsSignificant || (!isFraction && isCompact)) needsFraction = false;
  }
  if (needsSignificant) {
    if (isSignificant) {
      leastSignificant = whole(leastSignificant, "minimumSignificantDigits", 1, 21, 1);
      mostSignificant = whole(mostSignificant, "maximumSignificantDigits", leastSignificant, 21, 21);
    } else [leastSignificant, mostSignificant] = [1, 21];
  }
  if (needsFraction) {
    if (isFraction) {
      least = whole(least, "minimumFractionDigits", 0, 100, undefined);
      most = whole(most, "maximumFractionDigits", 0, 100, undefined);
      if (least === undefined) least = Math.min(leastDefault, most);
      else if (most === undefined) most = Math.max(mostDefault, least);
      else if (least > most) throw range("maximumFractionDigits value is out of range.");
    } else [least, most] = [leastDefault, mostDefault];
  }
  let type;
  if (!needsSignificant && !needsFraction) {
    [least, most, leastSignificant, mostSignificant] = [0, 0, 1, 2];
    type = "morePrecision";
    priority = "morePrecision";
  } else if (priority !== "auto") type = priority;
  else type = isSignificant ? "significantDigits" : "fractionDigits";
  if (roundingIncrement !== 1) {
    if (type !== "fractionDigits") throw new TypeError("RoundingType is not fractionDigits");
    if (most !== least) throw range("maximumFractionDigits value is out of range.");
  }
  const hasFraction = type !== "significantDigits";
  const hasSignificant = type !== "fractionDigits";
  return {
    type,
    minimumIntegerDigits,
    minimumFractionDigits: hasFraction ? least : undefined,
    maximumFractionDigits: hasFraction ? most : undefined,
    minimumSignificantDigits: hasSignificant ? leastSignificant : undefined,
    maximumSignificantDigits: hasSignificant ? mostSignificant : undefined,
    roundingMode,
    roundingIncrement,
    trailingZeroDisplay,
    roundingPriority: priority,
  };
}

// The rounded number, and its minimum number of decimals.
export function rounded(number, options) {
  if (number.kind !== "finite") return { number, fraction: 0 };
  const { type, roundingMode: mode } = options;
  const point = isZero(number) ? 1 : number.point;
  const significant = (shown) => Math.max(0, options.minimumSignificantDigits - (isZero(shown) ? 1 : shown.point));
  const result = { number, fraction: 0 };
  if (type === "significantDigits") {
    result.number = roundTo(number, options.maximumSignificantDigits - point, mode);
    result.fraction = significant(result.number);
  } else if (type === "fractionDigits") {
    result.number = roundTo(number, options.maximumFractionDigits, mode, options.roundingIncrement);
    result.fraction = options.minimumFractionDigits;
  } else {
    const isMore = type === "morePrecision";
    const byFraction = options.maximumFractionDigits;
    let bySignificance = options.maximumSignificantDigits - point;
    result.number = roundTo(number, isMore ? Math.max(byFraction, bySignificance) : Math.min(byFraction, bySignificance), mode);
    if (byFraction === bySignificance && !isZero(result.number) && result.number.point !== point) bySignificance -= 1;
    result.fraction = bySignificance >= byFraction === isMore ? significant(result.number) : options.minimumFractionDigits;
  }
  if (options.trailingZeroDisplay === "stripIfInteger" && places(result.number, 1, 0)[1] === "") result.fraction = 0;
  return result;
}
