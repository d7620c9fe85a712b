// What servers see of URLs. Beside each is what fetch of Node sends from a computer.
const seen = async (ask) => {
  try {
    return (await ask()).target;
  } catch (error) {
    return error.name;
  }
};

result = {};
for (const target of TARGETS) {
  result[target] = {
    fetch: await seen(async () => (await fetch(BASE_URL + target)).json()),
    http_get: await seen(() => http_get(BASE_URL + target).json),
  };
}
