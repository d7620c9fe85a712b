"""Names that programs for notebooks use: what a notebook would show is printed."""

display(1, "two", [3])
display({"a": 1})
from IPython.display import HTML, JSON, Image, Markdown, clear_output, display as shown

shown(Markdown("# Title"))
shown(HTML("<b>bold</b>"), JSON({"a": [1]}))
shown(Image(data=b"\x89PNG"))
clear_output(wait=True)
import IPython

print(IPython.get_ipython(), IPython.display.display is shown)
try:
    get_ipython()
except NameError as error:
    print(error)
print(display, [7, 8, 9][1] %3)
pip = 4
a = 10
print(a %pip)
