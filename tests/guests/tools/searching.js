// Finding tools from inside, at each level of detail.
const found = tools.search("create issues", { limit: 1 });
result = {
  brief: found,
  total: found.total,
  name: tools.search("issue", { detail: "name" }),
  detailed: tools.search("create issue", { detail: "detailed", limit: 1 }),
  full: tools.search("create issue", { detail: "full", limit: 1 }),
  tagged: tools.search("", { tags: ["weather"], limit: 100 }).map((tool) => tool.name),
  nothing: [tools.search("xylophone"), tools.search("issue", { limit: 0 }).total],
};
try {
  tools.search("issue", { detail: "everything" });
} catch (error) {
  result.refused = error.message;
}
