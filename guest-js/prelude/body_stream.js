// Bytes as a web stream.

import { host } from "./host.js";

// A stream that returns all bytes at its first read. `take` returns the bytes or throws.
export function streamOf(take) {
  const { ReadableStream } = host.loadModule("web_streams");
  return new ReadableStream(
    {
      type: "bytes",
      pull(controller) {
        const bytes = take();
        if (bytes.length > 0) controller.enqueue(bytes.slice());
        controller.close();
        controller.byobRequest?.respond(0);
      },
      cancel() {
        take();
      },
    },
    { highWaterMark: 0 },
  );
}
