// Does what a check allows, what it denies and what it requires approval for.
const fs = await import("fs");

const message = (call) => {
  try {
    return call();
  } catch (error) {
    return error.message;
  }
};

const sent = message(() => call_tool("mail.send", { to: "x" }));
const boss = message(() => call_tool("mail.send", { to: "boss" }));
const chance = message(() => http_get(`${BASE_URL}/breweries/random`));
const notes = read_file("/data/notes.txt");
let refused = false;
try {
  fs.unlinkSync("/data/notes.txt");
} catch (error) {
  refused = error.code === "EACCES";
}
result = [sent, boss, chance, notes, refused];
