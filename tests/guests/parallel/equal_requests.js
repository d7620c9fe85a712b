// Four workers, who send the same requests, and log in which order they go on.
const log = [];

async function worker(name) {
  for (let step = 0; step < 3; step++) {
    const response = await fetch(`${BASE_URL}/next?last=${step === 2}`);
    log.push([name, await response.text()]);
  }
}

await Promise.all([0, 1, 2, 3].map(worker));
result = log;
