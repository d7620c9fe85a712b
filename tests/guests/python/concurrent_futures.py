"""`concurrent.futures` thread pools."""

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait


def square(n):
    if n == 3:
        raise ValueError("three")
    return n * n


with ThreadPoolExecutor(max_workers=4) as pool:
    print(list(pool.map(square, [1, 2, 4])), list(pool.map(pow, [2, 3], [3, 2])))
    futures = {pool.submit(square, n): n for n in range(5)}
    results = {}
    for future in as_completed(futures, timeout=5):
        try:
            results[futures[future]] = future.result()
        except ValueError as error:
            results[futures[future]] = str(error)
    print(sorted(results.items()))
    done, pending = wait([pool.submit(square, 1)], return_when=FIRST_COMPLETED)
    print(len(done), done.pop().result(timeout=1))
    future = pool.submit(lambda: "nested")
    called = []
    future.add_done_callback(lambda f: called.append(("callback", f.result())))
    print(future.result(), future.done(), future.cancel(), future.exception())
# By the end of the pool it has been called.
print(*called[0])
try:
    pool.submit(square, 1)
except RuntimeError as error:
    print("shut down")
manual = Future()
manual.set_result(7)
print(manual.result())


def initialise(value):
    global SEEN
    SEEN = value


with ThreadPoolExecutor(1, initializer=initialise, initargs=("set",)) as pool:
    print(pool.submit(lambda: SEEN).result())
