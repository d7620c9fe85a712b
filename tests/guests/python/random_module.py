"""`random` with a seed gives what every CPython gives."""

import random

random.seed(42)
print(random.random(), random.randint(1, 100), random.choice("abcdef"), random.sample(range(100), 5))
items = list(range(10))
random.shuffle(items)
print(items, random.choices(["a", "b"], weights=[1, 9], k=5), random.randrange(0, 100, 7))
generator = random.Random("text seed")
print(
    generator.getrandbits(64),
    f"{generator.gauss(0, 1):.12f}",
    f"{generator.uniform(1, 2):.12f}",
    f"{generator.expovariate(1):.12f}",
)
state = generator.getstate()
first = generator.random()
generator.setstate(state)
print(first == generator.random(), generator.randbytes(4).hex(), f"{generator.triangular(0, 1, 0.5):.12f}")
print(
    random.SystemRandom().random() != random.SystemRandom().random(),
    random.Random().random() != random.Random().random(),
)
