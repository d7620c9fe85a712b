# Holds on to life with everything that the language has.
import signal  # noqa: F401

print("before the loop")
while True:
    try:
        while True:
            try:
                [number * number for number in range(10_000)]
            finally:
                continue
    except BaseException:
        pass
