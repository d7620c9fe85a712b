// AbortController, AbortSignal, Event, EventTarget.
const controller = new AbortController();
const { signal } = controller;
signal.addEventListener("abort", (event) => console.log("listener", event.type, event.target === signal), {
  once: true,
});
signal.onabort = () => console.log("onabort", signal.aborted);
console.log(signal.aborted, signal.reason);
controller.abort();
controller.abort("again");
console.log(signal.aborted, signal.reason.name, signal.reason instanceof DOMException);
try {
  signal.throwIfAborted();
} catch (error) {
  console.log(error.name, error.code);
}
console.log(
  AbortSignal.abort("because").reason,
  AbortSignal.any([new AbortController().signal, AbortSignal.abort(1)]).aborted,
);
const sleep = (delay, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, delay, "slept");
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
async function main() {
  const first = new AbortController();
  setTimeout(() => first.abort(new Error("stopped")), 5);
  console.log(await sleep(1000, first.signal).catch((error) => error.message));
  console.log(await sleep(1, first.signal));
  console.log(await sleep(5000, AbortSignal.timeout(5)).catch((error) => error.name), await sleep(1));
  const keepAlive = setTimeout(() => {}, 50);
  clearTimeout(keepAlive);
}
main();
const target = new EventTarget();
const heard = [];
const listener = { handleEvent: (event) => heard.push(`object ${event.type}`) };
target.addEventListener("ping", (event) => heard.push(`function ${event.cancelable}`));
target.addEventListener("ping", listener);
target.addEventListener("ping", listener);
target.addEventListener("ping", (event) => event.preventDefault());
console.log(target.dispatchEvent(new Event("ping", { cancelable: true })), heard);
target.removeEventListener("ping", listener);
target.dispatchEvent(new Event("ping"));
console.log(heard);
class Store extends EventTarget {
  set(value) {
    this.value = value;
    this.dispatchEvent(new Event("change"));
  }
}
const store = new Store();
store.addEventListener("change", function () {
  console.log("changed to", this.value);
});
store.set(42);
