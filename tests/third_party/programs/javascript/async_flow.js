const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
async function work(name, ms) {
  console.log("start", name);
  await wait(ms);
  console.log("end", name);
  return name.toUpperCase();
}
(async () => {
  console.log(await Promise.all([work("a", 30), work("b", 10), work("c", 20)]));
  console.log(await Promise.race([wait(30, "slow"), wait(5, "fast")]));
  console.log(await Promise.allSettled([wait(1, 1), Promise.reject(new TypeError("no"))]));
  console.log(await Promise.any([Promise.reject(1), wait(2, "any")]));
  try { await Promise.any([Promise.reject(1), Promise.reject(2)]); } catch (e) { console.log(e.constructor.name, e.errors, e.message); }
  for await (const x of (async function* () { yield 1; await wait(1); yield 2; })()) console.log(x);
  console.log("done");
})();
console.log("sync end");
