# Four workers, who send the same requests, and log in which order they go on.
import asyncio

import httpx

log = []


async def worker(client, name):
    for step in range(3):
        response = await client.get(f"{BASE_URL}/next", params={"last": str(step == 2).lower()})
        log.append([name, response.text])


async def main():
    async with httpx.AsyncClient() as client:
        await asyncio.gather(*(worker(client, name) for name in range(4)))


asyncio.run(main())
result = log
