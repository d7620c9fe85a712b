// Does one thing of each kind that is put on record: allowed, failed and refused.
call_tool("mail.read", { box: "in", key: "hunter2-token" });
for (const name of ["mail.fail", "mail.unknown"]) {
  try {
    call_tool(name);
  } catch {}
}
http_get(`${BASE_URL}/breweries/random?key=hunter2-token`, { headers: { Authorization: "Bearer of-the-guest" } });
try {
  http_get("http://elsewhere.example/path?query");
} catch {}
write_file("/output/note.txt", "written");
try {
  write_file("/data/notes.txt", "no");
} catch {}
result = read_file("/data/notes.txt");
