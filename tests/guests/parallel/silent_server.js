// Requests that get no response in time, and one that does.
const log = [];

async function get(path, milliseconds) {
  try {
    const response = await fetch(BASE_URL + path, { signal: AbortSignal.timeout(milliseconds) });
    log.push(await response.text());
  } catch (error) {
    log.push(`${error.name}: ${error.message}`);
  }
}

await Promise.all([get("/silence", 1000), get("/answer", 10000), get("/silence", 500)]);
try {
  http_get(`${BASE_URL}/silence`, { timeout: 0.5 });
} catch (error) {
  log.push(error.message);
}
result = log;
