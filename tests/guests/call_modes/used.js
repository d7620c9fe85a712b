// Calls whose results are used at once, in a program that also awaits calls.
const first = tools.meet({ of: 1, name: "a" }).toUpperCase();
const others = await Promise.all([...tools.meet({ of: 1, name: "bc" })].map((name) => tools.meet({ of: 1, name })));
result = [first, ...others];
