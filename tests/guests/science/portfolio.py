# Returns, volatility, drawdown and an efficient mix of three assets.
import numpy as np
import pandas as pd

rng = np.random.default_rng(2024)
days = pd.bdate_range("2023-01-02", periods=252)
returns = pd.DataFrame(rng.multivariate_normal([4e-4, 2e-4, 6e-4], np.diag([1e-4, 2e-5, 4e-4]), 252), index=days, columns=["a", "b", "c"])
prices = 100 * (1 + returns).cumprod()
print(prices.resample("QE").last().round(3), prices.iloc[-1].round(4).to_dict())
drawdown = prices / prices.cummax() - 1
print(drawdown.min().round(5).to_dict(), drawdown["c"].idxmin().date())
annual = returns.mean() * 252
risk = returns.std() * np.sqrt(252)
print(pd.DataFrame({"return": annual, "risk": risk, "sharpe": annual / risk}).round(5))
inverse = np.linalg.inv(returns.cov() * 252)
weights = inverse @ np.ones(3) / (np.ones(3) @ inverse @ np.ones(3))
print(weights.round(5), round(float(np.sqrt(weights @ (returns.cov() * 252) @ weights)), 6))
print(returns["a"].rolling(60).std().iloc[-1].round(8), returns["b"].rolling(60).max().iloc[-1].round(8))
print(np.percentile(returns @ weights, 5).round(8), returns.corr().round(4).values.tolist()[0], (returns > 0).mean().round(4).to_dict())
