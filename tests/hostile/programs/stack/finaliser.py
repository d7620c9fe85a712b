# Objects whose finaliser makes and drops another.
# expect: value

depth = 0


class Phoenix:
    def __del__(self):
        global depth
        depth += 1
        if depth < 100_000:
            Phoenix()


Phoenix()
depth > 100
