// The environment and the arguments of the host.
// expect: contained

const text = JSON.stringify([process.env, process.argv, typeof process.cwd === 'function' ? process.cwd() : '']);
result = !text.includes('HOSTILE_SECRET') && !text.includes('/root') && !/cargo/i.test(text) ? 'contained' : text;
