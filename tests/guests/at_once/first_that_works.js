// The first source that works is used; the error of the one that does not is ignored.
const sources = ["broken", "primary", "mirror"];
const answer = await Promise.any(sources.map((source) => tools.sources.ask({ source, query: "tax" })));
await tools.log.write({ line: answer.source });
const none = await Promise.any(["offline", "missing"].map((source) => tools.sources.ask({ source, query: "tax" }))).catch(
  (error) => [error.name, error.errors.map(({ message }) => message.split(": ").at(-1))],
);
result = [answer.source, none];
