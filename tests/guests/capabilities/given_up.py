# A call whose task is cancelled.
import asyncio
from test.meetings import places

task = asyncio.ensure_future(places.meet(2, "a"))
await asyncio.sleep(0)
task.cancel()
try:
    await task
except asyncio.CancelledError:
    print("given up")
