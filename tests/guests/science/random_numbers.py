# Generators with a seed give the same numbers everywhere.
import numpy as np

generator = np.random.default_rng(42)
print(generator.integers(0, 100, 8), np.round(generator.random(3), 8))
print(np.round(generator.normal(10, 2, 4), 6), generator.choice(["a", "b", "c"], 5))
print(generator.permutation(8), np.round(generator.exponential(2, 2), 6), generator.poisson(4, 5))
shuffled = np.arange(6)
generator.shuffle(shuffled)
print(shuffled)
np.random.seed(7)
print(np.round(np.random.rand(3), 8), np.random.randint(0, 10, 5), np.round(np.random.randn(2), 8))
state = np.random.RandomState(3)
print(np.round(state.uniform(-1, 1, 3), 8), state.binomial(10, 0.5, 4))
print(np.round(np.random.Generator(np.random.PCG64(1)).standard_normal(2), 8))
print(np.round(np.random.Generator(np.random.MT19937(1)).gamma(2, 1, 2), 8))
print(np.random.Generator(np.random.Philox(1)).integers(0, 2**40, 2), np.random.Generator(np.random.SFC64(1)).integers(9, size=3))
