// One result is chained and another one is used, so the text cannot decide for both.
tools.meet({ of: 1, name: "a" }).then(() => {});
result = tools.meet({ of: 1, name: "b" }).toUpperCase();
