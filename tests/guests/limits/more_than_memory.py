piece = "x" * 100_000

for _ in range(1200):
    print(piece)

for _ in range(1200):
    with open("/output/piece", "w") as file:
        file.write(piece)

result = len(open("/output/piece").read())
