// Requests of a server that answers when all of them have come.
const log = [];
const texts = async (names, path) =>
  Promise.all([...names].map(async (name) => (await fetch(`${BASE_URL}/${path}/${name}`)).text()));
log.push(await texts("abcd", "meet"));
log.push(await texts("efgh", "redirect"));
log.push(await texts("ijkl", "meet"));
result = log;
