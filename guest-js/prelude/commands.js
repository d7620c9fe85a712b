// Hints for lines that are commands of a shell or of a notebook: `npm install x`, `!ls`, `%%time`.

const INSTEAD = {
  ls: "use fs.readdirSync(path)",
  cat: 'use fs.readFileSync(path, "utf8")',
  cd: "use process.chdir(path)",
  pwd: "use process.cwd()",
  mkdir: "use fs.mkdirSync(path, { recursive: true })",
  rm: "use fs.rmSync(path)",
  rmdir: "use fs.rmdirSync(path)",
  cp: "use fs.copyFileSync(source, target)",
  mv: "use fs.renameSync(source, target)",
  touch: 'use fs.writeFileSync(path, "")',
  echo: "use console.log",
  curl: "use fetch, http_get or http_post",
  wget: "use fetch, http_get or http_post",
  export: "use process.env",
};
const INSTALLERS = new Set("npm npx pnpm yarn bun deno pip pip3 brew apt apt-get conda".split(" "));
const OTHERS = new Set("node tsx ts-node python python3 bash sh sudo git make docker chmod grep tsc".split(" "));
const PACKAGES = "packages cannot be installed here: a program has the modules of Node that this image contains, and is one file";

function aboutCommand(words) {
  const [name] = words[0] === "sudo" ? words.slice(1) : words;
  if (INSTALLERS.has(name)) return PACKAGES;
  return `there is no shell; ${Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : "use JavaScript for it"}`;
}

const isCommand = (name) => INSTALLERS.has(name) || OTHERS.has(name) || Object.hasOwn(INSTEAD, name);

// The hint for a line that is not valid JavaScript, or undefined if it is no command.
export function aboutLine(line) {
  const text = line.trim();
  const words = text.replace(/^[!%$]+\s*/, "").split(/\s+/);
  if (/^!/.test(text) && /^[A-Za-z]/.test(words[0])) return aboutCommand(words);
  if (/^%%?[A-Za-z]/.test(text))
    return isCommand(words[0]) ? aboutCommand(words) : "leave the line out: magics are only in notebooks of Python";
  return words.length > 1 && /^(?:\$ )?[a-z]/.test(text) && isCommand(words[0]) && words[0] !== "export"
    ? aboutCommand(words)
    : undefined;
}

// The hint for a name that a program does not define, or undefined if it is no command.
export function aboutName(name) {
  return ["ls", "pwd", "cd", "rm", "mkdir", "npm", "npx", "yarn", "pip", "sudo"].includes(name)
    ? aboutCommand([name])
    : undefined;
}
