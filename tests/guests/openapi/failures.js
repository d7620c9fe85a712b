// Calls operations in every way that fails and says what a program gets to see of it.
const attempts = {
  missing: () => call_tool("breweries.search_breweries"),
  too_many: () => call_tool("breweries.list_breweries", { per_page: 201 }),
  misspelt: () => call_tool("breweries.list_breweries", { city: "San_Diego" }),
  broken: () => call_tool("breweries.list_breweries", { page: 2 }),
};
result = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    result[name] = ["returned", attempt()];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    result[name] = [error.kind, error.message];
  }
}
