// What `fs` says of failures, and relative paths.
const fs = require("fs");
const os = require("os");
const path = require("path");
const place = fs.mkdtempSync(path.join(os.tmpdir(), "files-"));
process.chdir(place);
console.log(process.cwd() === fs.realpathSync(place), fs.readdirSync("."), path.resolve("x") === path.join(place, "x"));
fs.writeFileSync("a.txt", "hello");
fs.mkdirSync("sub/deep", { recursive: true });
fs.writeFileSync("sub/b.txt", "x");
console.log(fs.existsSync(path.join(place, "a.txt")), fs.readFileSync("./sub/../a.txt", "utf8"));
for (const action of [
  () => fs.readFileSync("nope"),
  () => fs.readFileSync("sub"),
  () => fs.readFileSync("a.txt/b"),
  () => fs.writeFileSync("sub", "x"),
  () => fs.writeFileSync("no/x", "x"),
  () => fs.writeFileSync("a.txt", "x", { flag: "wx" }),
  () => fs.writeFileSync("x", 5),
  () => fs.appendFileSync("sub", "x"),
  () => fs.mkdirSync("sub"),
  () => fs.mkdirSync("no/deep"),
  () => fs.rmdirSync("sub"),
  () => fs.rmdirSync("nope"),
  () => fs.rmSync("sub"),
  () => fs.rmSync("nope"),
  () => fs.unlinkSync("nope"),
  () => fs.readdirSync("nope"),
  () => fs.readdirSync("a.txt"),
  () => fs.statSync("nope"),
  () => fs.lstatSync("nope"),
  () => fs.accessSync("nope"),
  () => fs.renameSync("nope", "x"),
  () => fs.copyFileSync("nope", "x"),
  () => fs.truncateSync("nope"),
  () => fs.utimesSync("nope", 1, 1),
  () => process.chdir("nope"),
  () => fs.cpSync("sub", "sub2", { recursive: true }),
  () => fs.readdirSync("sub2"),
]) {
  try {
    console.log(action());
  } catch (error) {
    const { name, code, errno, syscall, message, path: named, dest } = error;
    console.log(...[name, code, errno, syscall, message, named, dest].map((part) => `${part}`.replaceAll(place, "PLACE")));
  }
}
(async () => {
  const { once } = require("events");
  const pieces = [];
  for await (const piece of fs.createReadStream("a.txt", { encoding: "utf8", highWaterMark: 2 })) pieces.push(piece);
  console.log(pieces);
  const writer = fs.createWriteStream("w.txt");
  writer.write("one\n");
  writer.end("two\n");
  await once(writer, "finish");
  for await (const line of require("readline").createInterface({ input: fs.createReadStream("w.txt") })) console.log(line);
  const hash = fs.createReadStream("a.txt").pipe(require("crypto").createHash("md5"));
  await once(hash, "finish");
  console.log(hash.read().toString("hex"));
  const [error] = await once(fs.createReadStream("nope"), "error");
  console.log(error.code, error.message);
  await fs.promises.readFile("nope").catch(({ code, message }) => console.log(code, message));
  fs.rmSync(place, { recursive: true });
})();
