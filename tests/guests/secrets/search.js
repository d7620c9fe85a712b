// Has the request made that the host adds a secret to, and looks for it everywhere.
const seen = [typeof process === "undefined" ? null : [process.env, process.argv], null];
for (const path of ["/", "/header", "/moved", "/nowhere"]) {
  try {
    const response = http_get(ECHO + path, { headers: { Authorization: "Bearer of-the-guest" } });
    seen.push([response.url, response.headers, response.text]);
  } catch (error) {
    seen.push([String(error), error.message, error.stack]);
  }
}
seen.push(Object.getOwnPropertyNames(globalThis).map((name) => `${name}: ${String(globalThis[name])}`));
console.log(JSON.stringify(seen));
write_file("/output/seen.txt", JSON.stringify(seen));
result = seen[2];
