# A Markov chain: powers of its matrix, the stationary distribution, and a simulation.
import numpy as np
import pandas as pd

states = ["sun", "rain", "snow"]
chain = pd.DataFrame([[0.8, 0.15, 0.05], [0.4, 0.5, 0.1], [0.3, 0.3, 0.4]], index=states, columns=states)
print(np.linalg.matrix_power(chain.to_numpy(), 10).round(6))
values, vectors = np.linalg.eig(chain.to_numpy().T)
stationary = np.real(vectors[:, np.argmax(values.real)])
stationary /= stationary.sum()
print(pd.Series(stationary, index=states).round(8).to_dict(), np.sort(values.real).round(8))
rng = np.random.default_rng(99)
state, path = 0, []
for _ in range(2000):
    state = rng.choice(3, p=chain.iloc[state])
    path.append(states[state])
print(pd.Series(path).value_counts(normalize=True).to_dict())
pairs = pd.crosstab(pd.Series(path[:-1], name="from"), pd.Series(path[1:], name="to"), normalize="index")
print(pairs.round(3).loc[states, states])
print(np.linalg.solve(np.eye(2) - chain.to_numpy()[1:, 1:], np.ones(2)).round(6))
