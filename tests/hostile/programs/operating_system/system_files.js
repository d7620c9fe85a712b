// What Linux shows of itself.
// expect: contained

const fs = await import('fs');
const paths = ['/proc/self/environ', '/proc/self/maps', '/proc/1/cmdline', '/dev/mem', '/dev/kvm', '/dev/zero',
  '/etc/passwd', '/etc/hostname', '/sys/kernel', '/root/.ssh/id_rsa', '/var/run/docker.sock', '/host', '//etc/passwd'];
const seen = paths.filter((path) => {
  try {
    fs.readFileSync(path);
    return true;
  } catch {
    return false;
  }
});
const rest = fs.readdirSync('/').filter((name) => !['input', 'output', 'tmp'].includes(name));
result = seen.length + rest.length === 0 ? 'contained' : [...seen, ...rest];
