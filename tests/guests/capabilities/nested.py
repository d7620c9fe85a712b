# Nearly everything inside of everything else, through types that the macro made.
from dataclasses import replace

from isolette import Err, Ok, Some
from odd.shapes import t
from odd.shapes.t import Colour, Drawing, Figure, Marks

drawing = Drawing(
    colour=Colour.GREEN,
    marks=Marks.BOLD,
    figures=[Figure.Dot(), Figure.Line((-1, 2)), Figure.Many([None, Ok(2**64 - 1), Err("ä")])],
    title=Some(None),
    sizes=[0.5, -0.25],
    letter="🐍",
    layers=Ok([b"", b"\0\xff"]),
)
same = t.repaint(drawing) == drawing
other = replace(drawing, marks=Marks.BOLD | Marks.WIDE, title=Some("x"), layers=Err(Colour.RED), figures=[])
changed = t.repaint(other) == replace(other, colour=Colour.RED)
try:
    t.repaint(replace(drawing, figures=[Figure.Line((2, -1))]))
    raised = None
except Figure.Many as error:
    raised = error.value
result = [same, changed, raised == [None, Ok(2**64 - 1)]]
