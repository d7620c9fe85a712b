async () => {
  // The first source that works, and what it found is written down.
  const answer = await Promise.any(
    ["offline", "archive", "primary"].map((source) => codemode.sources_ask({ source, query: "customs" })),
  );
  const written = await codemode.log_write({ line: `${answer.source} ${answer.hits}` });
  return { ...answer, written };
};
