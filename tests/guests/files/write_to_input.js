const fs = await import("fs");

const attempts = {
  create: () => write_file("/input/new.txt", "x"),
  change: () => fs.appendFileSync("/input/notes.txt", "x"),
  remove: () => fs.unlinkSync("/input/notes.txt"),
  rename: () => fs.renameSync("/input/notes.txt", "/input/other.txt"),
  folder: () => fs.mkdirSync("/input/folder"),
};
result = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    result[name] = "done";
  } catch (error) {
    result[name] = error.code;
  }
}
