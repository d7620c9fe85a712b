// What no two copies may share.
const bytes = crypto.getRandomValues(new Uint8Array(8));
[crypto.randomUUID(), Array.from(bytes).join(), Math.random(), Math.random()]
