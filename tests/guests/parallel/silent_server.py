# Requests that get no response in time, and one that does.
import asyncio

import httpx

log = []


async def get(client, path, timeout):
    try:
        log.append((await client.get(BASE_URL + path, timeout=timeout)).text)
    except httpx.TimeoutException as error:
        log.append(str(error))


async def main():
    async with httpx.AsyncClient() as client:
        await asyncio.gather(get(client, "/silence", 1), get(client, "/answer", 10), get(client, "/silence", 0.5))
        try:
            async with asyncio.timeout(1):
                await get(client, "/silence", 10)
        except TimeoutError:
            log.append("given up")


asyncio.run(main())
result = log
