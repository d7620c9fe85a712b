# Contours and triangulations: modules in C++, and the exceptions that they throw.
import contourpy
import matplotlib.tri
import numpy as np

y, x = np.mgrid[-2:2:41j, -2:2:41j]
z = np.exp(-(x**2) - y**2)
generator = contourpy.contour_generator(x, y, z)
for level in (0.1, 0.5, 0.9):
    lines = generator.lines(level)
    print(level, len(lines), [line.shape for line in lines], np.hypot(*lines[0].T).mean().round(4))
filled, offsets = generator.filled(0.2, 0.4)
print(len(filled), filled[0].shape, offsets[0].tolist())
for name in ("mpl2005", "mpl2014", "serial"):
    print(name, len(contourpy.contour_generator(x, y, z, name=name).lines(0.3)))

points = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]])
triangles = matplotlib.tri.Triangulation(*points.T)
print(sorted(sorted(map(int, triangle)) for triangle in triangles.triangles), triangles.edges.shape)
print(matplotlib.tri.LinearTriInterpolator(triangles, points.sum(axis=1))(0.25, 0.25))

for attempt in (
    lambda: contourpy.contour_generator(x, y, z[:5]),
    lambda: contourpy.contour_generator(z=[[1.0]]),
    lambda: contourpy.contour_generator(z=z, name="none"),
    lambda: generator.filled(2, 1),
    lambda: contourpy.contour_generator(z=z, x_chunk_size=-1),
    lambda: matplotlib.tri.Triangulation([0, 1, 2], [0, 1, 2]),
    lambda: matplotlib.tri.Triangulation([0, 1], [0, 1]),
    lambda: matplotlib.tri.Triangulation([0, 1, 2], [0, 1, 0], [[0, 1, 7]]),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0][:100])
