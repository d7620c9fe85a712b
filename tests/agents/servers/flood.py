"""A server that answers calls of its tool `flood` with one line of 64 MiB, for the tests. It needs no library."""

import json
import sys


def tool(name):
    return {"name": name, "inputSchema": {"type": "object"}}


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    answer = {"jsonrpc": "2.0", "id": request["id"]}
    match request["method"]:
        case "initialize":
            answer["result"] = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "flood", "version": "1"},
            }
        case "tools/list":
            answer["result"] = {"tools": [tool("flood"), tool("drop")]}
        case "tools/call":
            text = "water"
            if request["params"]["name"] == "flood":
                text *= 64 * 1024 * 1024 // len(text)
            answer["result"] = {"content": [{"type": "text", "text": text}]}
        case _:
            answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
