# Threads, which would share what one guest has.
# expect: contained or exception *

import threading

started = []
for _ in range(1_000):
    try:
        thread = threading.Thread(target=lambda: started.append(1))
        thread.start()
        thread.join(0.01)
    except BaseException:
        break
result = "contained"
