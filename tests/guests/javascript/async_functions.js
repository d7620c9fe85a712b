// async and await, in order.
const log = [];
const note = (text) => log.push(text);
async function first() {
  note("first begins");
  await null;
  note("first goes on");
  return 1;
}
async function second() {
  note("second begins");
  const value = await first();
  note(`second got ${value}`);
  throw new Error("from second");
}
const later = (value) => new Promise((resolve) => queueMicrotask(() => resolve(value)));
async function main() {
  note("main begins");
  try {
    await second();
  } catch (error) {
    note(`caught ${error.message}`);
  } finally {
    note("finally");
  }
  const values = [];
  for (const delay of [3, 1, 2]) values.push(await later(delay));
  note(values.join());
  const arrow = async (x) => (await x) * 2;
  note(await arrow(21));
  const object = {
    async method() {
      return this.name;
    },
    name: "object",
  };
  note(await object.method());
  class Waiter {
    static async make() {
      const waiter = new Waiter();
      await null;
      return waiter;
    }
  }
  note((await Waiter.make()).constructor.name);
  const thenable = { then: (resolve) => resolve("thenable") };
  note(await thenable);
  return "done";
}
main().then((value) => {
  note(value);
  console.log(log.join("\n"));
});
note("after main");
