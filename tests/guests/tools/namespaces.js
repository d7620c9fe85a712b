// Tools by their paths, in every way that a program may write them.
const { github } = tools;
const { create_issue } = github;
const { labels } = github;

function outcome(attempt) {
  try {
    return ["returned", `${attempt()}`];
  } catch (error) {
    return [error.constructor.name, error.message];
  }
}

console.log(tools, github, create_issue);
result = {
  global: tools.github.create_issue({ title: "a" }),
  imported: create_issue({ title: "b" }),
  module: await github.create_issue({ title: "c" }),
  nested: labels.add({ name: "d" }),
  item: tools["github"]["create_issue"]({ title: "e" }),
  keyword: tools.github.create_issue({ title: "f", from: "g" }),
  method: tools.call("github.create_issue", { title: "h" }),
  shadowed: [tools.search_.find({ word: "i" }), tools.list_({ word: "j" })],
  both: [tools.weather({ city: "k" }), tools.weather.tomorrow({ city: "l" })],
  dir: [Object.keys(tools), Object.keys(github), "create_issue" in github, "nothing" in tools],
  names: tools.list().map((entry) => entry.name),
  described: tools.describe("github.create_issue").declaration.includes("interface Issue"),
  awaited: (await tools) === tools && (await github) === github,
  shown: [typeof create_issue, create_issue.name, `${tools}`, JSON.stringify({ github })],
  unknown: [
    outcome(() => tools.gihtub.create_issue({ title: "x" })),
    outcome(() => github.create_isue({ title: "x" })),
    outcome(() => tools.nonsense()),
    outcome(() => create_issue({ titel: "x" })),
    outcome(() => create_issue("x", "y")),
    outcome(() => (tools.github = 1)),
  ],
};
