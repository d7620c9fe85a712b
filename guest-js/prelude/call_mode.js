// What calls return in this program: their results, or promises of them. The host decides it, from the text of the program or
// by its settings (`tool_calls`). Functions of custom interfaces have a mode of their own, which `src/state.rs` has.

import { forgetLater } from "./session.js";

const NONE = { asynchronous: false, reason: "" };
export let tools = NONE;
let interfaces = NONE;

function forget() {
  tools = interfaces = NONE;
}

export function setModes(forTools, forInterfaces) {
  forgetLater(forget);
  tools = forTools;
  interfaces = forInterfaces;
}

const explained = ([what, { asynchronous, reason }]) =>
  `\n(calls of ${what} are ${asynchronous ? "asynchronous" : "synchronous"} in this program: ${reason})`;

// A hint for an error of a program that expects the other mode, or undefined.
export function aboutMode(error) {
  if (!(error instanceof TypeError)) return undefined;
  const modes = [
    ["tools", tools],
    ["custom interfaces", interfaces],
  ].filter(([, { reason }]) => reason !== "");
  if (modes.length === 0) return undefined;
  const asynchronous = modes.filter(([, mode]) => mode.asynchronous);
  const synchronous = modes.filter(([, mode]) => !mode.asynchronous);
  const isMissing = /not a function$/.test(error.message);
  if (asynchronous.length > 0 && (isMissing || /of undefined|not iterable/.test(error.message)))
    return `hint: the result of a call is a promise in this program; await it${asynchronous.map(explained).join("")}`;
  if (isMissing && synchronous.length > 0)
    return `hint: the result of a call is no promise in this program; use await, or call_tool_async${synchronous.map(explained).join("")}`;
  return undefined;
}
