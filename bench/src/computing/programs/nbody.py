# Floating point numbers in lists: five bodies that attract each other.

from math import sqrt

DAY = 365.24
SUN = 4 * 3.141592653589793**2
described = [
    ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 1.0),
    ([4.841431442, -1.160320044, -0.103622044], [0.00166007664, 0.00769901118, -0.0000690460], 0.000954791),
    ([8.343366718, 4.124798564, -0.403523417], [-0.00276742510, 0.00499852801, 0.0000230417], 0.000285885),
    ([12.894369562, -15.111151401, -0.223307578], [0.00296460137, 0.00237847173, -0.0000296589], 0.0000436624),
    ([15.379697114, -25.919314609, 0.179258772], [0.00268067772, 0.00162824170, -0.0000951592], 0.0000515138),
]
bodies = [(place, [speed * DAY for speed in speeds], mass * SUN) for place, speeds, mass in described]
pairs = [(a, b) for index, a in enumerate(bodies) for b in bodies[index + 1 :]]


def advance(steps, dt):
    for _ in range(steps):
        for ([x1, y1, z1], v1, m1), ([x2, y2, z2], v2, m2) in pairs:
            dx, dy, dz = x1 - x2, y1 - y2, z1 - z2
            pull = dt * (dx * dx + dy * dy + dz * dz) ** -1.5
            first, second = m1 * pull, m2 * pull
            v1[0] -= dx * second
            v1[1] -= dy * second
            v1[2] -= dz * second
            v2[0] += dx * first
            v2[1] += dy * first
            v2[2] += dz * first
        for position, (vx, vy, vz), _ in bodies:
            position[0] += dt * vx
            position[1] += dt * vy
            position[2] += dt * vz


def energy():
    moving = sum(0.5 * mass * (vx * vx + vy * vy + vz * vz) for _, (vx, vy, vz), mass in bodies)
    apart = ((a, b, [p - q for p, q in zip(a[0], b[0])]) for a, b in pairs)
    return moving - sum(a[2] * b[2] / sqrt(dx * dx + dy * dy + dz * dz) for a, b, (dx, dy, dz) in apart)


advance(40_000, 0.01)
result = round(energy(), 9)
