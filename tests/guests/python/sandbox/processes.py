"""There are no other processes: every way to start one says so."""

import asyncio
import multiprocessing
import os
import subprocess
from concurrent.futures import ProcessPoolExecutor


async def shell():
    await asyncio.create_subprocess_shell("ls")


for start in (
    lambda: subprocess.run(["ls", "-l"]),
    lambda: subprocess.check_output("date", shell=True),
    lambda: os.system("ls"),
    lambda: os.popen("ls"),
    lambda: os.fork(),
    lambda: os.execv("/bin/sh", ["sh"]),
    lambda: multiprocessing.Pool(2),
    lambda: multiprocessing.Process(target=print).start(),
    lambda: multiprocessing.Queue(),
    lambda: ProcessPoolExecutor(),
    lambda: asyncio.run(shell()),
):
    try:
        print("started", start())
    except OSError as error:
        text = str(error)
        print("processes are not available in this sandbox" in text, "hint:" in text or "asyncio" in text)
print(multiprocessing.cpu_count(), os.cpu_count(), os.getpid() > 0)
