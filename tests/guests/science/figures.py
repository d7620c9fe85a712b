# Figures of the usual kinds, written as PNG and measured. Text is drawn by another version of FreeType than on other machines,
# so only its presence is compared.
import io

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

rng = np.random.default_rng(4)
x = np.linspace(0, 10, 200)


def picture(figure, **options):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", **options)
    plt.close(figure)
    image = Image.open(buffer)
    image.load()
    return image


figure, axes = plt.subplots(2, 3, figsize=(9, 6), layout="constrained")
axes[0, 0].plot(x, np.sin(x), label="sine")
axes[0, 0].plot(x, np.cos(x), "r--", label="cosine")
axes[0, 0].legend()
axes[0, 1].scatter(rng.normal(size=50), rng.normal(size=50), c=rng.random(50), s=40, alpha=0.5)
axes[0, 2].hist(rng.normal(size=1000), bins=30, color="green")
axes[1, 0].bar(["a", "b", "c"], [3, 5, 2])
axes[1, 1].fill_between(x, np.sin(x) - 0.2, np.sin(x) + 0.2, alpha=0.3)
axes[1, 2].imshow(rng.random((8, 8)), cmap="viridis")
axes[1, 0].set_title(r"Totals of $\alpha_i^2$")
image = picture(figure)
print(image.size, image.mode, image.format)
dark = np.asarray(image.convert("L")) < 250
print([bool(part.any()) for row in np.array_split(dark, 2) for part in np.array_split(row, 3, axis=1)])

# Without text, lines and areas.
figure = plt.figure(figsize=(4, 3), dpi=50)
axis = figure.add_axes((0, 0, 1, 1))
axis.set_axis_off()
axis.set_xlim(0, 10)
axis.set_ylim(0, 10)
axis.barh([2, 4, 6], [3, 8, 5], color=["#ff0000", "#00ff00", "#0000ff"], height=1)
axis.plot([0, 10], [9, 9], color="black", linewidth=4, antialiased=False)
image = picture(figure).convert("RGB")
pixels = np.asarray(image)
colours, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
print(pixels.shape, [(tuple(map(int, colour)), int(count)) for colour, count in zip(colours, counts, strict=True) if count > 200])

# Other formats.
for name, start in (("svg", b"<?xml"), ("pdf", b"%PDF-1.4"), ("ps", b"%!PS-Adobe"), ("raw", b"\xff"), ("tiff", b"II")):
    figure, axis = plt.subplots()
    axis.plot([1, 2, 3], [2, 4, 1])
    axis.set_title("Label")
    buffer = io.BytesIO()
    figure.savefig(buffer, format=name)
    plt.close(figure)
    print(name, buffer.getvalue().startswith(start), len(buffer.getvalue()) > 1000)

# Three dimensions, polar axes, logarithms, dates, tables, annotations.
import pandas as pd

figure = plt.figure()
axis = figure.add_subplot(projection="3d")
grid_x, grid_y = np.meshgrid(np.arange(-3, 3, 0.5), np.arange(-3, 3, 0.5))
axis.plot_surface(grid_x, grid_y, np.sin(np.hypot(grid_x, grid_y)), cmap="coolwarm")
print(picture(figure).size)
figure, axis = plt.subplots(subplot_kw={"projection": "polar"})
axis.plot(x, x)
print(picture(figure, dpi=50).size)
table = pd.DataFrame({"sales": [10, 200, 3000]}, index=pd.date_range("2026-01-01", periods=3, freq="MS"))
axis = table.plot(logy=True, title="Sales", marker="o")
axis.annotate("most", (table.index[2], 3000), xytext=(-40, -20), textcoords="offset points", arrowprops={"arrowstyle": "->"})
print(picture(axis.figure, bbox_inches="tight").size[0] > 400, [str(label) for label in axis.get_yticks()[1:4]])
print(plt.get_fignums(), sorted(plt.style.available)[:3], plt.get_backend().lower())
