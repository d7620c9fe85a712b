// Provides the official conformance suite with the tools that it wants a server of tasks to have, as programs for our own server, whose
// URL is the first argument. Only calls of tools are written anew: what is answered goes back as it came.

import http from "node:http";

// A call that takes one second in the suite must become a task, and the suite waits ten seconds for one that takes two.
const SLOWER = 3;

const PROGRAMS = {
  greet: ({ name }) => `'Hello, ' + ${JSON.stringify(name)} + '!'`,
  slow_compute: ({ seconds, label }) => `import time\ntime.sleep(${seconds * SLOWER})\n${JSON.stringify(label)}`,
  failing_job: () => `import time\ntime.sleep(${SLOWER})\nraise RuntimeError('it failed')`,
  confirm_delete: () => `import time\ntime.sleep(${SLOWER})\nhttp_get(BASE_URL + '/breweries')['status']`,
};

function translated(body, headers) {
  const message = JSON.parse(body);
  const program = message.method === "tools/call" && PROGRAMS[message.params?.name];
  if (!program) return body;
  if (headers["mcp-name"] === message.params.name) headers["mcp-name"] = "execute_code";
  message.params.name = "execute_code";
  message.params.arguments = { code: program(message.params.arguments) };
  return JSON.stringify(message);
}

const target = new URL(process.argv[2]);

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const headers = { ...request.headers, host: target.host };
    let body = Buffer.concat(chunks);
    if (body.length) {
      body = Buffer.from(translated(body.toString(), headers));
      headers["content-length"] = body.length;
    }
    const options = { method: request.method, path: request.url, host: target.hostname, port: target.port, headers };
    const onward = http.request(options, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
  });
});

// The parent process ends this one by closing its standard input.
process.stdin.resume().on("end", () => process.exit());
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}${target.pathname}`));
