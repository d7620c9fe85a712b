# An asynchronous generator that iterates itself.
# expect: exception RecursionError

import asyncio


async def numbers():
    async for number in numbers():
        yield number


async def main():
    async for number in numbers():
        print(number)


asyncio.run(main())
