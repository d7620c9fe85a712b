// Four values, of which two have to be fetched again and one never comes.
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function fetchAgain(key, attempts = 4) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tools.service.fetch({ key });
    } catch (error) {
      if (attempt === attempts) return { key, error: error.message.split(": ").at(-1) };
      await pause(2 ** attempt);
    }
  }
}

result = await Promise.all(["flaky-a", "steady", "flaky-b", "broken"].map((key) => fetchAgain(key)));
