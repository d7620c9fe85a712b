# Functions of a custom interface, called at the same time: with errors, resources and long values.
import asyncio
from test.meetings import places


async def main():
    log = []
    log.append(await asyncio.gather(places.meet(2, "a"), places.meet(2, "b")))
    both = await asyncio.gather(places.meet(3, "c"), places.meet(3, "nobody"), places.meet(3, "x"), return_exceptions=True)
    log.append([str(one) for one in both[:2]])
    place = places.Place(3)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(place.meet(name)) for name in "def"]
    log.append([task.result() for task in tasks])
    given = [places.Place(1), places.Place(1)]
    calls = [places.close(one, 4) for one in given]
    others = [places.meet(4, "y"), places.meet(4, "z")]
    log.append((await asyncio.gather(*calls, *others))[:2])
    try:
        await given[0].meet("gone")
    except ValueError as error:
        log.append("given away" in str(error))
    long = [bytes([7]) * 300_000, bytes([9]) * 300_000, b"", b"", b""]
    carried = await asyncio.gather(*[places.carry(5, one) for one in long])
    log.append([one[-1] for one, other in zip(carried, long) if one and bytes(one) == other])
    return log


result = asyncio.run(main())
