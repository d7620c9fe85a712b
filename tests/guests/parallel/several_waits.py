# The ways to wait for several things at once.
import asyncio
from concurrent.futures import ThreadPoolExecutor, as_completed, wait

log = []


def meet(name):
    return call_tool_async("meet", of=3, name=name)


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(meet(name)) for name in "abc"]
    log.append([task.result() for task in tasks])
    log.append(sorted([await first for first in asyncio.as_completed([meet(name) for name in "def"])]))
    done, pending = await asyncio.wait([asyncio.create_task(meet(name)) for name in "ghi"])
    log.append([len(done), len(pending)])
    started = [tools.meet.start(of=3, name=name) for name in "jkl"]
    log.append([await call for call in started])
    log.append(await asyncio.gather(*(asyncio.to_thread(call_tool, "meet", of=3, name=name) for name in "mno")))


asyncio.run(main())
started = [tools.meet.start(of=3, name=name) for name in "pqr"]
log.append([call.result() for call in started])
with ThreadPoolExecutor() as pool:
    futures = [pool.submit(call_tool, "meet", {"of": 3, "name": name}) for name in "stu"]
    done, _ = wait(futures)
    log.append(len(done))
    log.append(sorted(future.result() for future in as_completed(futures)))
    log.append(list(pool.map(tools.meet, [{"of": 3, "name": name} for name in "vwx"])))
result = log
