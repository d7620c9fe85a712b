# XML a hundred thousand elements deep, read and written.
# expect: value or exception RecursionError or stack or exception ModuleNotFoundError or exception ImportError

from xml.etree import ElementTree

root = ElementTree.fromstring("<a>" * 100_000 + "</a>" * 100_000)
ElementTree.tostring(root)
