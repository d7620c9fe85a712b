// How files are opened, copied and asked about; the path of length zero names nothing.
const fs = require("fs");
const os = require("os");
const path = require("path");
const util = require("util");
const place = fs.mkdtempSync(path.join(os.tmpdir(), "modes-"));
process.chdir(place);
fs.writeFileSync("a.txt", "abcdef");
function say(action) {
  try {
    console.log(action());
  } catch (error) {
    console.log(error.code, error.syscall, error.code.startsWith("ERR_FS_CP") ? "" : error.message.replaceAll(place, ""));
  }
}
say(() => fs.rmSync("", { recursive: true }));
say(() => fs.rmSync("", { recursive: true, force: true }));
say(() => fs.readFileSync(""));
say(() => fs.writeFileSync("", "x"));
say(() => fs.appendFileSync("", "x"));
say(() => fs.statSync(""));
say(() => fs.lstatSync(""));
say(() => fs.statSync("", { throwIfNoEntry: false }));
say(() => fs.accessSync(""));
say(() => fs.readdirSync(""));
say(() => fs.mkdirSync(""));
say(() => fs.rmdirSync(""));
say(() => fs.unlinkSync(""));
say(() => fs.renameSync("", "b"));
say(() => fs.renameSync("a.txt", ""));
say(() => fs.copyFileSync("", "b"));
say(() => fs.copyFileSync("a.txt", ""));
say(() => fs.existsSync(""));
say(() => fs.realpathSync("") === fs.realpathSync(place));
say(() => fs.readdirSync("."));
say(() => fs.copyFileSync("a.txt", "b.txt"));
say(() => fs.copyFileSync("a.txt", "b.txt", fs.constants.COPYFILE_EXCL));
say(() => fs.copyFileSync("a.txt", "c.txt", fs.constants.COPYFILE_EXCL));
say(() => fs.writeFileSync("a.txt", "XY", { flag: "r+" }));
say(() => fs.readFileSync("a.txt", "utf8"));
say(() => fs.writeFileSync("none", "x", { flag: "r+" }));
say(() => fs.writeFileSync("a.txt", "x", { flag: "ax" }));
say(() => fs.writeFileSync("new.txt", "x", { flag: "ax" }));
say(() => fs.writeFileSync("a.txt", "x", { flag: "zz" }));
say(() => fs.appendFileSync("a.txt", "!"));
say(() => fs.readFileSync("a.txt", "utf8"));
say(() => fs.accessSync("a.txt", fs.constants.R_OK | fs.constants.W_OK));
say(() => fs.accessSync("a.txt", fs.constants.X_OK));
const seen = [];
fs.mkdirSync("tree/deep", { recursive: true });
fs.writeFileSync("tree/one.txt", "1");
fs.writeFileSync("tree/deep/two.log", "2");
say(() => fs.cpSync("tree", "tree/deep/inside", { recursive: true }));
say(() => fs.cpSync("tree", "tree", { recursive: true }));
say(() => fs.cpSync("tree", "copy", { recursive: true, filter: (from, to) => seen.push(`${from} ${to}`) > 0 && !from.endsWith(".log") }));
say(() => seen.sort());
say(() => fs.readdirSync("copy", { recursive: true }).sort());
say(() => fs.createWriteStream("a.txt", { start: -1 }));
const written = (name, options, text) =>
  new Promise((resolve) => {
    const target = fs.createWriteStream(name, options);
    target.on("error", (error) => resolve(error.code));
    target.on("finish", () => resolve(fs.readFileSync(name, "latin1")));
    target.end(text);
  });
(async () => {
  fs.writeFileSync("s.txt", "0123456789");
  console.log(await written("s.txt", { flags: "r+", start: 3 }, "abc"));
  console.log(await written("s.txt", { flags: "a", start: 3 }, "+"));
  console.log(await written("s.txt", { flags: "wx" }, "+"));
  console.log(await written("s.txt", { flags: "ax" }, "+"));
  console.log(await written("none", { flags: "r+" }, "+"));
  console.log(JSON.stringify(await written("s.txt", { start: 2 }, "end")));
  console.log(await util.promisify(fs.exists)("s.txt"), await util.promisify(fs.exists)("none"));
  console.log(fs.createReadStream("s.txt").on("error", () => {}) instanceof fs.ReadStream, fs.WriteStream.name);
  process.chdir("/");
  fs.rmSync(place, { recursive: true });
})();
