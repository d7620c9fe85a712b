"""`html`, `html.parser`, `xml.etree`, `xml.dom.minidom`, `xml.sax.saxutils`."""

import html
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from xml.dom import minidom
from xml.sax.saxutils import escape

print(html.escape('<a href="x">&</a>'), html.unescape("&lt;&eacute;&#9731;&amp;"), escape("<&>"))


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.links.append(dict(attrs).get("href"))

    def handle_data(self, data):
        self.text.append(data.strip())


parser = Links()
parser.feed("<p>See <a href='/one'>one</a> and <A HREF=two>two &amp; more</A><br/><!-- no -->")
print(parser.links, [t for t in parser.text if t])
root = ET.fromstring(
    '<shop xmlns:x="urn:x"><item id="1" price="2.5">Pen</item><item id="2"><x:note>n</x:note></item></shop>'
)
print(
    root.tag,
    [item.get("id") for item in root.iter("item")],
    root.find("item").text,
    root.findall("item[@id='2']/{urn:x}note")[0].text,
)
root.find("item").set("price", "3")
ET.SubElement(root, "item", id="3").text = "Ink & co"
ET.indent(root)
print(ET.tostring(root, encoding="unicode"))
for event, element in ET.iterparse(__import__("io").BytesIO(b"<a><b>1</b><b>2</b></a>"), events=("end",)):
    print(event, element.tag, element.text)
try:
    ET.fromstring("<a><b></a>")
except ET.ParseError as error:
    print("ParseError", error.position)
document = minidom.parseString("<r><c k='v'>t</c></r>")
print(document.documentElement.getElementsByTagName("c")[0].getAttribute("k"), document.documentElement.toxml())
