"""Plays a script against a server with the official Python SDK, and prints what came back as JSON.

The script is one JSON object on standard input:

    server       {"command": [...]} or {"url": "...", "headers": {...}}
    mode         "auto" (the newest revision that both speak) or "legacy" (the handshake of older ones)
    elicitation  "accept", "decline", or null for a client that cannot ask anybody
    steps        a list, done one after the other; see `play`
    clients      how many clients play it at the same time, each in a session of its own; results are then a list for each
    each         texts by name, as if saved; "{number}" in them is the number of the client

In arguments, "$name" stands for what an earlier step with {"save": "name"} found under that name in its structured content.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client, MCPError, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client


CHANGED = asyncio.Event()


def transport(server):
    if "command" in server:
        program, *arguments = server["command"]
        return StdioServerParameters(command=program, args=arguments, env=server.get("env"))
    http = httpx2.AsyncClient(headers=server.get("headers", {}), timeout=httpx2.Timeout(60))
    return streamable_http_client(server["url"], http_client=http)


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def fill(value, saved):
    if isinstance(value, str) and value.startswith("$"):
        return saved[value[1:]]
    if isinstance(value, dict):
        return {key: fill(each, saved) for key, each in value.items()}
    if isinstance(value, list):
        return [fill(each, saved) for each in value]
    return value


async def call(client, step, saved):
    """{"call": name, "arguments": {...}, "progress": true, "save": "name"}"""
    heard = []

    async def on_progress(progress, total, message):
        heard.append({"progress": progress, "message": message})

    listener = on_progress if step.get("progress") else None
    arguments = fill(step.get("arguments", {}), saved)
    result = plain(await client.call_tool(step["call"], arguments, progress_callback=listener))
    if "save" in step:
        saved[step["save"]] = result["structuredContent"][step["save"]]
    for block in result["content"]:
        if block["type"] == "resource_link":
            saved["link"] = block["uri"]
    if listener:
        result["progress"] = heard
    return result


async def cancel(client, step, saved):
    """{"cancel": name, "arguments": {...}}: calls, waits until the program has printed something, and gives up."""
    heard = asyncio.Event()

    async def on_progress(progress, total, message):
        heard.set()

    arguments = fill(step["arguments"], saved)
    task = asyncio.create_task(client.call_tool(step["cancel"], arguments, progress_callback=on_progress))
    await heard.wait()
    task.cancel()
    try:
        return plain(await task)
    except asyncio.CancelledError:
        return {"cancelled": True}


async def until_tools_change(client, step, saved):
    """{"until_tools_change": name, "arguments": {...}}: calls, and waits until the server says that its tools are others."""
    arguments = fill(step.get("arguments", {}), saved)
    if client.protocol_version < "2026-07-28":
        await client.call_tool(step["until_tools_change"], arguments)
        await CHANGED.wait()
        return {"changed": True}
    async with client.listen(tools_list_changed=True) as changes:
        await client.call_tool(step["until_tools_change"], arguments)
        async for _ in changes:
            return {"changed": True}


async def on_message(message):
    if "ToolListChanged" in type(getattr(message, "root", message)).__name__:
        CHANGED.set()


async def play(client, step, saved):
    if "tools" in step:
        return plain(await client.list_tools())
    if "instructions" in step:
        return client.instructions
    if "read" in step:
        return plain(await client.read_resource(fill(step["read"], saved)))
    if "cancel" in step:
        return await cancel(client, step, saved)
    if "until_tools_change" in step:
        return await until_tools_change(client, step, saved)
    if "parallel" in step:
        return await asyncio.gather(*(call(client, one, saved) for one in step["parallel"]))
    return await call(client, step, saved)


async def session(script, number):
    answer = script.get("elicitation")
    asked = []

    async def on_elicitation(context, params):
        asked.append(params.message)
        return types.ElicitResult(action=answer, content={} if answer == "accept" else None)

    results = []
    saved = {name: text.replace("{number}", str(number)) for name, text in script.get("each", {}).items()}
    client = Client(
        transport(script["server"]),
        mode=script.get("mode", "auto"),
        elicitation_callback=on_elicitation if answer else None,
        message_handler=on_message,
    )
    async with client:
        for step in script["steps"]:
            try:
                results.append(await play(client, step, saved))
            except MCPError as error:
                results.append({"protocolError": {"code": error.error.code, "message": error.error.message}})
        return {"protocol": client.protocol_version, "asked": asked, "results": results}


async def main():
    script = json.load(sys.stdin)
    clients = script.get("clients")
    if clients is None:
        outcome = await session(script, 0)
    else:
        outcomes = await asyncio.gather(*(session(script, number) for number in range(clients)))
        outcome = {**outcomes[0], "results": [outcome["results"] for outcome in outcomes]}
    print(json.dumps(outcome))


asyncio.run(main())
