// Every path that might lead out of the mount.
const paths = [
  "/input/../secret.txt",
  "/input/link/secret.txt",
  "/input/absolute",
  "/input/relative",
  "/etc/passwd",
  "/proc/self/environ",
  "../../../../etc/passwd",
];
result = {};
for (const path of paths) {
  try {
    result[path] = read_file(path);
  } catch (error) {
    result[path] = error.code;
  }
}
