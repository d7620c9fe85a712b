# Requests of a server that answers when all of them have come.
import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx
import requests

log = []


async def main():
    async with httpx.AsyncClient() as client:
        responses = await asyncio.gather(*(client.get(f"{BASE_URL}/meet/{name}") for name in "abcd"))
    log.append([response.text for response in responses])
    responses = await asyncio.gather(
        *(asyncio.to_thread(requests.get, f"{BASE_URL}/redirect/{name}") for name in "efgh")
    )
    log.append([response.text for response in responses])


asyncio.run(main())
with ThreadPoolExecutor(4) as pool:
    log.append([response["text"] for response in pool.map(http_get, [f"{BASE_URL}/meet/{name}" for name in "ijkl"])])
result = log
