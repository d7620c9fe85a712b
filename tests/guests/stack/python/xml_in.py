# XML a hundred thousand elements deep, read and written. Ends in a value or RecursionError or StackOverflow or ModuleNotFoundError or ImportError.
from xml.etree import ElementTree

root = ElementTree.fromstring("<a>" * 100_000 + "</a>" * 100_000)
ElementTree.tostring(root)
