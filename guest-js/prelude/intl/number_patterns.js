// Patterns of numbers in the syntax of CLDR: `¤#,##0.00;(¤#,##0.00)`.

const parsed = new Map();

// One side of the digits: letters for signs and currencies, everything else is literal.
function affix(text) {
  const result = [];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "'") {
      if (text[at + 1] === "'") {
        result.push({ text: "'" });
        at += 1;
      } else quoted = !quoted;
    } else if (!quoted && "-+%¤".includes(letter)) result.push({ sign: letter });
    else if (result.length > 0 && result.at(-1).text !== undefined) result.at(-1).text += letter;
    else result.push({ text: letter });
  }
  return result;
}

// Outside of quotes.
function split(pattern, isEnd) {
  let quoted = false;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "'") quoted = !quoted;
    else if (!quoted && isEnd(pattern[at])) return at;
  }
  return pattern.length;
}

function half(pattern) {
  const start = split(pattern, (letter) => "#0,.".includes(letter));
  let end = start;
  while (end < pattern.length && "#0,.E".includes(pattern[end])) end += 1;
  const groups = pattern.slice(start, end).split(".")[0].split(",").slice(1);
  return {
    prefix: affix(pattern.slice(0, start)),
    suffix: affix(pattern.slice(end)),
    digits: pattern.slice(start, end),
    primary: groups.at(-1)?.length ?? 0,
    secondary: groups.length > 1 ? groups.at(-2).length : (groups.at(-1)?.length ?? 0),
  };
}

export function numberPattern(pattern) {
  let result = parsed.get(pattern);
  if (result === undefined) {
    const end = split(pattern, (letter) => letter === ";");
    result = { positive: half(pattern.slice(0, end)), negative: end < pattern.length ? half(pattern.slice(end + 1)) : undefined };
    parsed.set(pattern, result);
  }
  return result;
}

const has = (side, sign) => side.some((part) => part.sign === sign);

// The two sides of a number whose sign is "-", "+" or "". For an approximate number of ICU it is "~".
export function sides({ positive, negative }, sign, approximate = "") {
  const isPlus = sign === "+" && !has(positive.prefix, "+") && !has(positive.suffix, "+");
  const negativeHasMinus = negative !== undefined && (has(negative.prefix, "-") || has(negative.suffix, "-"));
  const usesNegative = negative !== undefined && (sign === "-" || (negativeHasMinus && (isPlus || approximate !== "")));
  const { prefix, suffix } = usesNegative ? negative : positive;
  const shown = approximate + (sign === "-" || isPlus ? sign : "");
  const signs = Array.from(shown, (letter) => ({ sign: letter }));
  if (!usesNegative) return [[...signs, ...prefix], suffix];
  const replace = (side) => side.flatMap((part) => (part.sign === "-" ? signs : [part]));
  return [replace(prefix), replace(suffix)];
}
