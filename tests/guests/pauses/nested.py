# A pause in the midst of everything that a stack can hold.
import contextlib

steps = []


@contextlib.contextmanager
def step(name):
    steps.append(f"enter {name}")
    try:
        yield
    finally:
        steps.append(f"leave {name}")


def answers(count):
    for number in range(count):
        with step(number):
            yield call_tool("ask", number=number)


def total():
    try:
        return sum(answers(3))
    finally:
        steps.append("done")


print("begun")
sum_of_all = total()
print("ended")
[sum_of_all, len(steps), steps[-1]]
