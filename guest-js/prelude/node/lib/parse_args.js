// `util.parseArgs`.

import { coded, invalidType } from "./errors.js";

const failure = (code, message) => coded(TypeError, `ERR_PARSE_ARGS_${code}`, message);

// The words of a command line as tokens.
function tokensOf(args, options) {
  const tokens = [];
  const byShort = (letter) => Object.keys(options).find((name) => options[name].short === letter);
  const takesValue = (name) => options[name]?.type === "string";
  const words = [...args];
  let index = -1;
  let terminated = false;
  while (words.length > 0) {
    const word = words.shift();
    index += 1;
    if (terminated || !word.startsWith("-") || word === "-") {
      tokens.push({ kind: "positional", index, value: word });
    } else if (word === "--") {
      terminated = true;
      tokens.push({ kind: "option-terminator", index });
    } else if (word.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
      let value = equals < 0 ? undefined : word.slice(equals + 1);
      const inlineValue = equals < 0 ? undefined : true;
      const token = { kind: "option", name, rawName: `--${name}`, index };
      if (value === undefined && takesValue(name) && words.length > 0) {
        value = words.shift();
        index += 1;
        tokens.push({ ...token, value, inlineValue: false });
      } else tokens.push({ ...token, value, inlineValue });
    } else {
      const letters = [...word.slice(1)];
      for (let at = 0; at < letters.length; at += 1) {
        const name = byShort(letters[at]) ?? letters[at];
        const token = { kind: "option", name, rawName: `-${letters[at]}`, index };
        if (!takesValue(name)) {
          tokens.push({ ...token, value: undefined, inlineValue: undefined });
          continue;
        }
        const rest = letters.slice(at + 1).join("");
        if (rest !== "") tokens.push({ ...token, value: rest, inlineValue: true });
        else if (words.length > 0) {
          tokens.push({ ...token, value: words.shift(), inlineValue: false });
          index += 1;
        } else tokens.push({ ...token, value: undefined, inlineValue: undefined });
        break;
      }
    }
  }
  return tokens;
}

function checkOption({ name, rawName, value, inlineValue }, options) {
  const option = options[name];
  if (option === undefined) {
    const advice = `To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${rawName}"`;
    throw failure("UNKNOWN_OPTION", `Unknown option '${rawName}'. ${advice}`);
  }
  const shown = `${option.short ? `-${option.short}, ` : ""}--${name}`;
  if (option.type === "string" && typeof value !== "string") {
    throw failure("INVALID_OPTION_VALUE", `Option '${shown} <value>' argument missing`);
  }
  if (option.type === "string" && inlineValue === false && value.length > 1 && value.startsWith("-")) {
    const example = rawName.startsWith("--") ? `'${rawName}=-XYZ'` : `'--${name}=-XYZ' or '${rawName}-XYZ'`;
    throw failure(
      "INVALID_OPTION_VALUE",
      `Option '${rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${rawName}'?\nTo specify an option argument starting with a dash use ${example}.`,
    );
  }
  if (option.type === "boolean" && value !== undefined) {
    throw failure("INVALID_OPTION_VALUE", `Option '${shown}' does not take an argument`);
  }
}

export function parseArgs({ args = process.argv.slice(2), options = {}, strict = true, allowPositionals = !strict, tokens: wantsTokens = false, allowNegative = false } = {}) {
  if (!Array.isArray(args)) throw invalidType("args", "an instance of Array", args);
  for (const [name, { type }] of Object.entries(options)) {
    if (type !== "string" && type !== "boolean")
      throw invalidType(`options.${name}.type`, "('string|boolean')", type);
  }
  const tokens = tokensOf(args, options);
  const values = Object.create(null);
  const positionals = [];
  const store = (name, value) => {
    if (name === "__proto__") return;
    if (options[name]?.multiple) (values[name] ??= []).push(value);
    else values[name] = value;
  };
  for (const token of tokens) {
    if (token.kind === "option") {
      const isNegative = allowNegative && token.name.startsWith("no-") && options[token.name.slice(3)]?.type === "boolean";
      if (isNegative) {
        store(token.name.slice(3), false);
        continue;
      }
      if (strict) checkOption(token, options);
      store(token.name, token.value ?? (options[token.name]?.type === "string" ? token.value : true));
    } else if (token.kind === "positional") {
      if (!allowPositionals) {
        throw failure(
          "UNEXPECTED_POSITIONAL",
          `Unexpected argument '${token.value}'. This command does not take positional arguments`,
        );
      }
      positionals.push(token.value);
    }
  }
  for (const [name, option] of Object.entries(options)) {
    if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
  }
  return wantsTokens ? { values, positionals, tokens } : { values, positionals };
}
