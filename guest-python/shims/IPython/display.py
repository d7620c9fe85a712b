"""`display` for programs that are written for notebooks: what a notebook would show is printed, as text."""

import builtins

from isolette.notebook import display


class DisplayObject:
    """Something to show. Its text is its data: there is no page that could render it."""

    def __init__(self, data=None, url=None, filename=None, metadata=None, **options):
        if filename is not None and data is None:
            data = self._read(filename)
        self.data = data
        self.url = url
        self.filename = filename
        self.metadata = metadata or {}
        for name, value in options.items():
            setattr(self, name, value)

    def _read(self, filename):
        with builtins.open(filename, encoding="utf-8") as file:
            return file.read()

    def __str__(self):
        return str(self.data if self.data is not None else self.url)


class TextDisplayObject(DisplayObject):
    """A text."""


class HTML(TextDisplayObject):
    """A text in HTML."""


class Markdown(TextDisplayObject):
    """A text in Markdown."""


class Latex(TextDisplayObject):
    """A text in LaTeX."""


class Math(TextDisplayObject):
    """A formula in LaTeX."""


class SVG(TextDisplayObject):
    """A drawing."""


class Javascript(TextDisplayObject):
    """A script, which is printed and not executed."""


class Pretty(TextDisplayObject):
    """A text as it is."""


class Code(TextDisplayObject):
    """Source code."""


class JSON(DisplayObject):
    """A value of JSON."""

    def __str__(self):
        import json

        return self.data if isinstance(self.data, str) else json.dumps(self.data, indent=2, default=str)


class Image(DisplayObject):
    """A picture, of which the size is printed."""

    def _read(self, filename):
        with builtins.open(filename, "rb") as file:
            return file.read()

    def __str__(self):
        if isinstance(self.data, bytes):
            return f"<image of {len(self.data)} bytes{f' from {self.filename}' if self.filename else ''}>"
        return super().__str__()


def clear_output(wait=False):
    """Does nothing: what is printed stays."""


def display_html(*objects, **options):
    """Prints the objects."""
    display(*objects)


display_markdown = display_latex = display_png = display_svg = display_json = display_pretty = display_html
