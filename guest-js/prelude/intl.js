// `Intl` and the methods that depend on it, as a module that is loaded when a program first uses one of them.

import { host } from "./host.js";

let loaded;
const load = () => (loaded ??= host.loadIntl());

function replace(prototype, methods) {
  for (const [name, method] of Object.entries(methods)) {
    const { length } = prototype[name];
    Object.defineProperty(method, "length", { value: length, configurable: true });
    Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true, enumerable: false });
  }
}

const own = (value) => ({ value, writable: true, configurable: true, enumerable: false });

export function installIntl() {
  Object.defineProperty(globalThis, "Intl", {
    configurable: true,
    enumerable: false,
    get() {
      const { Intl } = load();
      Object.defineProperty(globalThis, "Intl", own(Intl));
      return Intl;
    },
    set(value) {
      Object.defineProperty(globalThis, "Intl", own(value));
    },
  });
  replace(Number.prototype, {
    toLocaleString(locales, options) {
      return load().number(Number.prototype.valueOf.call(this), locales, options);
    },
  });
  replace(BigInt.prototype, {
    toLocaleString(locales, options) {
      return load().number(BigInt.prototype.valueOf.call(this), locales, options);
    },
  });
  const { getTime } = Date.prototype;
  replace(Date.prototype, {
    toLocaleString(locales, options) {
      return load().date(getTime.call(this), locales, options, "any", "all");
    },
    toLocaleDateString(locales, options) {
      return load().date(getTime.call(this), locales, options, "date", "date");
    },
    toLocaleTimeString(locales, options) {
      return load().date(getTime.call(this), locales, options, "time", "time");
    },
  });
  replace(String.prototype, {
    localeCompare(that, locales, options) {
      return load().compare(textOf(this, "localeCompare"), `${that}`, locales, options);
    },
    toLocaleLowerCase(locales) {
      const text = textOf(this, "toLocaleLowerCase");
      return locales === undefined ? text.toLowerCase() : load().lower(text, locales);
    },
    toLocaleUpperCase(locales) {
      const text = textOf(this, "toLocaleUpperCase");
      return locales === undefined ? text.toUpperCase() : load().upper(text, locales);
    },
  });
  const TypedArray = Object.getPrototypeOf(Uint8Array);
  replace(Array.prototype, {
    toLocaleString(locales, options) {
      return joined(Object(this), locales, options);
    },
  });
  const { length } = Object.getOwnPropertyDescriptors(TypedArray.prototype);
  replace(TypedArray.prototype, {
    toLocaleString(locales, options) {
      length.get.call(this);
      return joined(this, locales, options);
    },
  });
}

function textOf(value, method) {
  if (value === undefined || value === null)
    throw new TypeError(`String.prototype.${method} called on null or undefined`);
  return `${value}`;
}

const joining = new Set();

function joined(array, locales, options) {
  // An array inside of itself is formatted as nothing.
  if (joining.has(array)) return "";
  joining.add(array);
  try {
    const texts = [];
    const length = Number(array.length) || 0;
    for (let index = 0; index < length; index += 1) {
      const value = array[index];
      texts[index] = value === undefined || value === null ? "" : `${value.toLocaleString(locales, options)}`;
    }
    return texts.join(",");
  } finally {
    joining.delete(array);
  }
}
