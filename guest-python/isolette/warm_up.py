"""Runs a few programs while the image is built, so that the first one in a sandbox finds everything in place.

The interpreter notes in its own byte code and caches what it has seen. Every such note is a page of memory that a
sandbox would have to copy for itself; made here, it is shared by all. Nothing is asked of the host: there is none yet.
"""

from wit_world.exports.runner import BodyRule, Mode, Request, Variable
from wit_world.imports import console, http, tools

from isolette import runner

_ROUNDS = 30

_PROGRAMS = [
    "print(1)",
    "1 + 1",
    "import json\nprint(json.dumps({'a': [1, 2.5, None]}))\njson.loads('[1]')",
    "result = [call_tool('add', a=1, b=2)]",
    "result = [tools.math.add(a=1, b=2), tools.search('add')]",
    "response = http_get('http://localhost/')\nresult = {'status': response['status'], 'body': response['body']}",
    "from collections import Counter\ndef f(x):\n    return x * 2\nfor k in Counter('banana'):\n    print(f(k))",
    "raise ValueError('warm')",
    "import requests\nrequests.get('http://localhost/').json()",
    "import asyncio\nasync def main():\n    await asyncio.sleep(0)\n    return 1\nasyncio.run(main())",
    "import sys\nsys.exit(0)",
]


def warm_up():
    """Called once, at the end of the build."""
    real = console.write, tools.call, tools.search_tools, http.send
    console.write = lambda stream, data: None
    tools.call = lambda name, arguments: "3"
    found = tools.FoundTool("math.add", "Adds", [], None, None, None)
    tools.search_tools = lambda query: tools.SearchResults([found], 1)
    http.send = lambda request: http.Response(
        200, request.url, [("content-type", "application/json")], b'{"a": 1}', False
    )
    try:
        for _ in range(_ROUNDS):
            for code in _PROGRAMS:
                runner.run(Request(code, "program.py", [Variable("BASE_URL", '"x"')], Mode.FRESH, BodyRule.AUTO))
    finally:
        console.write, tools.call, tools.search_tools, http.send = real
    runner.forget()
