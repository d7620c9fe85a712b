// `stream`, from Node's own library.

import stream from "readable-stream/lib/ours/index.js";

import { named, require } from "isolette:prelude";

// Web streams are made from Node's streams by pulling.
const toWeb = (readable) => {
  const iterator = readable[Symbol.asyncIterator]();
  const { ReadableStream } = require("stream/web");
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      readable.destroy(reason);
    },
  });
};

const { Readable } = stream;
Readable.toWeb = named("toWeb", toWeb);
Readable.fromWeb = named("fromWeb", (web, options) => Readable.from(web, options));

export default stream;
