// Other programs.
// expect: contained

const ran = [];
for (const name of ['child_process', 'worker_threads', 'cluster', 'vm', 'v8', 'inspector', 'node:process', 'std', 'os', 'bjson']) {
  try {
    const module = await import(name);
    for (const call of ['execSync', 'spawnSync', 'exec', 'popen', 'system']) {
      if (typeof module[call] === 'function') ran.push([name, call, String(module[call]('id'))]);
    }
  } catch {}
}
result = ran.length === 0 ? 'contained' : ran;
