# Other programs.
# expect: contained

import os

ran = []
for attempt in (lambda: os.system("id"), lambda: os.fork(), lambda: os.execv("/bin/sh", ["sh"]),
                lambda: __import__("subprocess").run(["id"]), lambda: __import__("ctypes").CDLL(None),
                lambda: os.kill(1, 9), lambda: __import__("multiprocessing").Process(target=print).start(),
                lambda: __import__("_posixsubprocess").fork_exec()):
    try:
        ran.append(repr(attempt()))
    except BaseException:
        pass
result = "contained" if all(answer in ("-1", "127", "32512") for answer in ran) else ran
