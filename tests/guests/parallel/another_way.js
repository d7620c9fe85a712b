// Two calls, and a third one if the first is refused.
const log = [];

async function call(name) {
  try {
    log.push(await call_tool_async("echo", { name }));
  } catch (error) {
    log.push(error.message.split("\n")[0]);
    if (name === "a") await call("c");
  }
}

await Promise.all([call("a"), call("b")]);
result = log;
