// `structuredClone`, from core-js.

import "core-js/modules/web.structured-clone.js";

import { define } from "./globals.js";

export function installClone() {
  define("structuredClone", globalThis.structuredClone);
}
