"""Figures of matplotlib: `plt.show()` and `figure.show()` write `/output/figure-N.png`, which the host attaches to the result.

A sandbox has no screen. A figure that was shown is closed, as in a notebook.
"""

import os

FOLDER = "/output"


def adapt(module):
    """Called after the import of `matplotlib.backend_bases`."""

    def show(self):
        from matplotlib import _pylab_helpers, _api

        path = _next()
        try:
            self.canvas.figure.savefig(path)
        except OSError as error:
            _api.warn_external(
                f"a figure cannot be shown: {error}\n"
                f"hint: figures are shown as files in {FOLDER}, which this sandbox must have; savefig() writes to other folders"
            )
            return
        _pylab_helpers.Gcf.destroy(self)

    show.__doc__ = f"Writes the figure to the next free {FOLDER}/figure-N.png, and closes it."
    module.FigureManagerBase.show = show


def _next():
    number = 1
    while os.path.exists(path := f"{FOLDER}/figure-{number}.png"):
        number += 1
    return path
