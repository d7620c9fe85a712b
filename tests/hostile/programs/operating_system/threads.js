// Threads, which would share what one guest has.
// expect: contained or exception *

let made = 0;
try {
  const { Worker } = await import('worker_threads');
  for (; made < 1_000; made++) new Worker('for (;;);', { eval: true });
} catch {}
try {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
} catch {}
result = 'contained';
