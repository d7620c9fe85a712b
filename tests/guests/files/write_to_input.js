const fs = await import("fs");

const attempts = {
  create: () => write_file("/input/new.txt", "x"),
  overwrite: () => fs.writeFileSync("/input/notes.txt", "x"),
  append: () => fs.appendFileSync("/input/notes.txt", "x"),
  truncate: () => fs.truncateSync("/input/notes.txt"),
  copy: () => fs.copyFileSync("/input/notes.txt", "/input/copy.txt"),
  touch: () => fs.utimesSync("/input/notes.txt", 0, 0),
  rename: () => fs.renameSync("/input/notes.txt", "/input/other.txt"),
  remove: () => fs.unlinkSync("/input/notes.txt"),
  make_folder: () => fs.mkdirSync("/input/folder"),
  make_folders: () => fs.mkdirSync("/input/deep/folder", { recursive: true }),
  remove_folder: () => fs.rmdirSync("/input/kept"),
  remove_everything: () => fs.rmSync("/input/kept", { recursive: true, force: true }),
  promised: () => fs.promises.writeFile("/input/notes.txt", "x"),
  called_back: () =>
    new Promise((resolve, reject) =>
      fs.mkdir("/input/folder", (error) => (error === null ? resolve() : reject(error))),
    ),
};
result = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    result[name] = "done";
  } catch (error) {
    result[name] = error.message.includes(" '/input/") ? error.code : error.message;
  }
}
