// Random numbers from everywhere.
[Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))].join()]
