# Tools by their paths, in every way that a program may write them.
import inspect

import tools
from tools import github
from tools.github import create_issue
import tools.github.labels as labels


def outcome(attempt):
    try:
        return ["returned", repr(attempt())]
    except (AttributeError, ImportError, KeyError, ToolError, TypeError) as error:
        return [type(error).__name__, str(error)]


def imports(line):
    exec(line, {})


result = {
    "global": __builtins__.tools.github.create_issue(title="a"),
    "imported": create_issue(title="b"),
    "module": github.create_issue({"title": "c"}),
    "nested": labels.add(name="d"),
    "item": tools["github"]["create_issue"](title="e"),
    "keyword": tools.github.create_issue(title="f", from_="g"),
    "method": tools.call("github.create_issue", title="h"),
    "shadowed": [tools.search_.find(word="i"), tools.list_(word="j")],
    "both": [tools.weather(city="k"), tools.weather.tomorrow(city="l")],
    "dir": [dir(tools), dir(github), "create_issue" in dir(github), hasattr(tools, "nothing")],
    "names": [entry["name"] for entry in tools.list()],
    "signature": str(inspect.signature(create_issue)),
    "documentation": create_issue.__doc__,
    "described": "class Issue(TypedDict)" in tools.describe("github.create_issue")["declaration"],
    "unknown": [
        outcome(lambda: tools.gihtub),
        outcome(lambda: github.create_isue(title="x")),
        outcome(lambda: tools["nonsense"]),
        outcome(lambda: imports("import tools.gihtub")),
        outcome(lambda: imports("from tools.github import nothing")),
        outcome(lambda: create_issue(titel="x")),
    ],
}
