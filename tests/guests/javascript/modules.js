// The modules that there are in both worlds.
const path = require("path");
console.log(
  path.join("/a", "b", "../c", "./d.txt"),
  path.basename("/x/y.tar.gz", ".gz"),
  path.extname("a.b.c"),
  path.dirname("/a/b/c"),
  path.normalize("/a//b/../c/."),
  path.isAbsolute("a"),
  path.relative("/a/b/c", "/a/d"),
  path.parse("/home/u/file.txt"),
  path.format({ dir: "/d", base: "f.x" }),
  path.resolve("/a", "b", "/c", "d"),
  path.sep,
);
const { EventEmitter } = require("node:events");
const emitter = new EventEmitter();
const heard = [];
emitter.on("data", (...values) => heard.push(["on", ...values]));
emitter.once("data", (value) => heard.push(["once", value]));
emitter.prependListener("data", () => heard.push(["first"]));
console.log(
  emitter.emit("data", 1, 2),
  emitter.emit("data", 3),
  emitter.emit("none"),
  emitter.listenerCount("data"),
  heard,
);
emitter.off("data", heard.push);
emitter.removeAllListeners("data");
console.log(emitter.emit("data"), emitter.eventNames());
try {
  emitter.emit("error", new Error("unheard"));
} catch (error) {
  console.log(error.message);
}
class Job extends EventEmitter {
  run() {
    this.emit("start", this.constructor.name);
    return this;
  }
}
new Job().on("start", (name) => console.log("started", name)).run();
const fs = require("fs");
console.log(
  typeof fs.readFileSync,
  fs === require("node:fs"),
  typeof fs.promises.readFile,
  fs.existsSync("/surely/not/here"),
);
try {
  fs.readFileSync("/surely/not/here");
} catch ({ code, syscall, path, message, errno }) {
  console.log(code, syscall, path, message, errno);
}
try {
  require("surely-not-a-module");
} catch (error) {
  console.log(error.code, error.message.split("\n")[0]);
}
import("node:path").then(async (module) => {
  console.log(module.join("x", "y"), module.default === path);
  const { readFile } = await import("fs/promises");
  console.log(await readFile("/surely/not/here").catch((error) => error.code));
  await import("surely-not-a-module").catch((error) => console.log("no such module"));
  const { setTimeout: sleep } = require("timers/promises");
  console.log(await sleep(1, "slept"));
  const { performance } = require("perf_hooks");
  console.log(typeof performance.now(), performance.now() <= performance.now());
  const { URL: FromModule } = require("url");
  console.log(FromModule === URL, typeof require("process").exit, typeof require("crypto").randomUUID());
});
