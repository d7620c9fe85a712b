// Hooks into everything that is run after them.
// expect: value or contained or exception * or timeout

globalThis.onunhandledrejection = () => { throw 1; };
Promise.reject(new Error('unheard'));
queueMicrotask(() => { throw new Error('later'); });
setTimeout(() => { throw new Error('latest'); }, 0);
result = 1;
