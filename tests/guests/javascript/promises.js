// Promise and its combinators.
const after = (delay, value) => new Promise((resolve) => setTimeout(resolve, delay, value));
const fails = (delay, reason) => new Promise((_, reject) => setTimeout(reject, delay, new Error(reason)));
async function main() {
  console.log(await Promise.all([1, after(5, 2), Promise.resolve(3)]));
  console.log(await Promise.race([after(20, "slow"), after(1, "fast")]));
  console.log(await Promise.any([fails(1, "a"), after(5, "won")]));
  const settled = await Promise.allSettled([1, fails(1, "lost"), after(2, { x: 1 })]);
  console.log(settled.map(({ status, value, reason }) => [status, value, reason?.message]));
  try {
    await Promise.any([fails(1, "a"), fails(2, "b")]);
  } catch (error) {
    console.log(
      error.constructor.name,
      error.errors.map((each) => each.message),
    );
  }
  try {
    await Promise.all([after(1), fails(2, "first failure"), fails(3, "second failure")]);
  } catch (error) {
    console.log(error.message);
  }
  console.log(
    await Promise.resolve(1)
      .then((x) => x + 1)
      .then((x) => {
        throw x;
      })
      .catch((x) => x * 10)
      .finally(() => 99),
  );
  console.log(await Promise.all([]), await Promise.allSettled([]));
  console.log(await new Promise((resolve) => resolve(new Promise((inner) => inner("nested")))));
  console.log(
    await Promise.reject(new TypeError("t")).then(
      () => "no",
      (error) => error.name,
    ),
  );
  const order = [];
  const chain = (name) =>
    Promise.resolve()
      .then(() => order.push(`${name}1`))
      .then(() => order.push(`${name}2`));
  await Promise.all([chain("a"), chain("b")]);
  console.log(order);
  let reject;
  const manual = new Promise((_, r) => (reject = r));
  manual.catch((error) => console.log("manual", error));
  reject("reason");
  await null;
  console.log(Object.prototype.toString.call(manual), Promise.resolve(manual) === manual);
  class Special extends Promise {}
  console.log(Special.resolve(1) instanceof Special, Special.resolve(1).then(() => {}) instanceof Special);
  return "finished";
}
main().then(console.log);
console.log("synchronous");
