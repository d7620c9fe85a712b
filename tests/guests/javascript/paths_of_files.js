// Empty paths name nothing, and `..` leaves a directory that exists.

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const place = fs.mkdtempSync(path.join(os.tmpdir(), "paths-"));
process.chdir(place);
fs.mkdirSync("a/b", { recursive: true });
fs.writeFileSync("file.txt", "file");
fs.writeFileSync("a/file.txt", "a/file");

const attempt = (label, work) => {
  try {
    const result = work();
    console.log(label, Array.isArray(result) ? result.sort().join() : String(result));
  } catch (error) {
    console.log(label, error.code, error.syscall);
  }
};

const operations = {
  readFile: (name) => fs.readFileSync(name, "utf8"),
  writeFile: (name) => fs.writeFileSync(name, "new"),
  appendFile: (name) => fs.appendFileSync(name, "more"),
  stat: (name) => fs.statSync(name).isFile(),
  lstat: (name) => fs.lstatSync(name).isFile(),
  statOrNot: (name) => fs.statSync(name, { throwIfNoEntry: false })?.isFile(),
  exists: (name) => fs.existsSync(name),
  access: (name) => fs.accessSync(name),
  readdir: (name) => fs.readdirSync(name),
  mkdir: (name) => fs.mkdirSync(name),
  rmdir: (name) => fs.rmdirSync(name),
  unlink: (name) => fs.unlinkSync(name),
  rm: (name) => fs.rmSync(name, { recursive: true }),
  renameFrom: (name) => fs.renameSync(name, "renamed"),
  renameTo: (name) => fs.renameSync("a/file.txt", name),
  copyFileTo: (name) => fs.copyFileSync("a/file.txt", name),
  truncate: (name) => fs.truncateSync(name, 0),
  utimes: (name) => fs.utimesSync(name, 1, 1),
  chdir: (name) => process.chdir(name),
};
const paths = ["", "nothing/../file.txt", "a/nothing/../file.txt", "file.txt/../file.txt", "file.txt/..", "file.txt/", "nothing/.."];
for (const name of paths) {
  for (const [operation, work] of Object.entries(operations)) attempt(`${operation} '${name}'`, () => work(name));
}
attempt("bytes", () => fs.readFileSync(Buffer.from("")));
attempt("ignored", () => fs.rmSync("", { recursive: true, force: true }));
attempt("new/", () => fs.writeFileSync("new/", ""));
for (const name of ["a/../file.txt", "a/b/../../file.txt", "./a//b/.././file.txt", "a/b/../../a/b/../file.txt"]) {
  attempt(`readFile '${name}'`, () => fs.readFileSync(name, "utf8"));
}
process.chdir("a/b/..");
console.log(path.relative(place, process.cwd()), fs.readFileSync("b/../file.txt", "utf8"));
process.chdir("..");
console.log(fs.readdirSync(".").sort().join(), fs.readFileSync("file.txt", "utf8"), fs.readFileSync("a/file.txt", "utf8"));
process.chdir("/");
fs.rmSync(place, { recursive: true });
