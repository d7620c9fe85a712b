// `os`, for a computer with one processor, no network and no users.

import { host, workingDirectory } from "isolette:prelude";

const constants = {
  signals: { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 },
  errno: { EPERM: 1, ENOENT: 2, EIO: 5, EBADF: 9, EACCES: 13, EEXIST: 17, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, ENOSPC: 28, EROFS: 30 },
  priority: { PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14, PRIORITY_HIGHEST: -20 },
};

const os = {
  EOL: "\n",
  devNull: "/dev/null",
  constants,
  arch: () => process.arch,
  availableParallelism: () => 1,
  cpus: () => [{ model: "isolette", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  endianness: () => "LE",
  freemem: () => Math.max(0, 4294967296 - host.memorySize()),
  getPriority: () => 0,
  homedir: () => workingDirectory(),
  hostname: () => "localhost",
  loadavg: () => [0, 0, 0],
  machine: () => process.arch,
  networkInterfaces: () => ({}),
  platform: () => process.platform,
  release: () => process.versions.isolette,
  setPriority() {},
  tmpdir: () => "/tmp",
  // The size of the 32-bit address space; the host's limit for a run may be lower.
  totalmem: () => 4294967296,
  type: () => "Isolette",
  uptime: () => process.uptime(),
  userInfo: () => ({ uid: 0, gid: 0, username: "isolette", homedir: workingDirectory(), shell: null }),
  version: () => process.versions.isolette,
};

export default os;
