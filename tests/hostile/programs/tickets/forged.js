// Built-ins, by which pending calls could be kept, that give wrong answers.
// expect: contained or timeout or exception *

const { get, set } = Map.prototype;
Map.prototype.delete = () => true;
Map.prototype.get = () => () => "forged";
Map.prototype.set = function () { return this; };
Array.prototype.push = () => 0;
Promise.prototype.then = function (resolve) { resolve?.("forged"); return this; };
const call = call_tool_async("echo", { value: 1 });
const first = await call;
Map.prototype.get = get;
Map.prototype.set = set;
result = "contained";
