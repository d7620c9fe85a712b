const began = performance.now();
await new Promise((resolve) => setTimeout(resolve, 3_600_000));
const slept = performance.now() - began;
result = [new Date().toISOString(), slept >= 3_600_000, Math.random(), crypto.randomUUID(), performance.now()];
