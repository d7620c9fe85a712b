```python
"""A program in a Markdown fence, which awaits at its top level."""

import asyncio


async def work(n):
    await asyncio.sleep(0.001 * n)
    return n


print(await work(1), await asyncio.gather(work(2), work(1)))
async with asyncio.timeout(1):
    print([await work(n) for n in (1, 2)])


async def numbers():
    for n in range(3):
        yield n


print([n async for n in numbers()])
```
