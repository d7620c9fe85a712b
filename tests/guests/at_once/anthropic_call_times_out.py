# A call that takes too long raises TimeoutError in the program, which goes on with the others.
import asyncio
import json


async def hits(source):
    try:
        text = await asyncio.wait_for(sources_ask({"source": source, "query": "refund"}), 0.5 if source == "silent" else None)
    except asyncio.TimeoutError:
        return source, None
    return source, json.loads(text)["hits"]


print(dict(await asyncio.gather(*map(hits, ["silent", "primary", "archive"]))))
