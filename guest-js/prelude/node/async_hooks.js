// `async_hooks`: the parts that programs use without hooks into the engine.

import { require } from "isolette:prelude";

const { EventEmitter } = require("events");

const refusal = () => {
  throw new Error(
    "AsyncLocalStorage does not exist in the sandbox: the engine does not say which promise a callback belongs to\nhint: pass the value as an argument",
  );
};

class AsyncResource {
  constructor(type) {
    this.type = type;
  }
  runInAsyncScope(callback, self, ...args) {
    return Reflect.apply(callback, self, args);
  }
  bind(callback) {
    return (...args) => this.runInAsyncScope(callback, undefined, ...args);
  }
  emitDestroy() {
    return this;
  }
  static bind(callback) {
    return (...args) => callback(...args);
  }
}

export default {
  AsyncLocalStorage: class AsyncLocalStorage {
    constructor() {
      refusal();
    }
  },
  AsyncResource,
  EventEmitterAsyncResource: class extends EventEmitter {},
  createHook: () => ({ enable: refusal, disable() {} }),
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
};
