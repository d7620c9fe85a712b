# Does one thing of each kind that is put on record: allowed, failed and refused.
from pathlib import Path

call_tool("mail.read", box="in", key="hunter2-token")
for call in (lambda: call_tool("mail.fail"), lambda: call_tool("mail.unknown")):
    try:
        call()
    except Exception:
        pass
http_get(f"{BASE_URL}/breweries/random?key=hunter2-token", headers={"Authorization": "Bearer of-the-guest"})
try:
    http_get("http://elsewhere.example/path?query")
except PermissionError:
    pass
Path("/output/note.txt").write_text("written")
try:
    Path("/data/notes.txt").write_text("no")
except OSError:
    pass
result = Path("/data/notes.txt").read_text()
