import statistics

data = [1, 4, 9, 16, 25, 36]
result = {
    "mean": round(statistics.mean(data), 4),
    "sample": round(statistics.stdev(data), 4),
    "population": round(statistics.pstdev(data), 4),
}
