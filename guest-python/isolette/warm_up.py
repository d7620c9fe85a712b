"""Warm-up: runs a few programs while the image is built.

The interpreter specialises byte code and fills caches during a run. Each such write would copy a page of memory in a sandbox;
after the warm-up all sandboxes share these pages. There is no host during the build, so host calls are replaced.
"""

import sys

from wit_world.exports.runner import BodyRule, CallStyle, Dialect, Mode, Request, Variable
from wit_world.imports import capabilities, console, http, system, tools

from isolette import runner
from isolette.compact_json import encode

_ROUNDS = 30

_PROGRAMS = [
    "print(1)",
    "1 + 1",
    "import json\nprint(json.dumps({'a': [1, 2.5, None]}))\njson.loads('[1]')",
    "result = [call_tool('add', a=1, b=2)]",
    "result = [tools.math.add(a=1, b=2), tools.search('add')]",
    "from warm.up import values\nresult = values.echo(values.Pair(1, 'b')) == values.echo({'a': 1, 'b': 'b'})",
    "response = http_get('http://localhost/')\nresult = {'status': response['status'], 'body': response['body']}",
    "from collections import Counter\ndef f(x):\n    return x * 2\nfor k in Counter('banana'):\n    print(f(k))",
    "raise ValueError('warm')",
    "import requests\nrequests.get('http://localhost/').json()",
    "import asyncio\nasync def main():\n    await asyncio.sleep(0)\n    return 1\nasyncio.run(main())",
    "import sys\nsys.exit(0)",
]

_MORE_PROGRAMS = {"numpy": "import numpy as np\nprint(np.arange(5).sum(), np.ones((2, 2)) @ np.ones(2))\nnp.array([1.5, 2]).mean()"}

_INTERFACE = {
    "name": "warm:up/values",
    "types": [
        {"name": "pair", "kind": "record", "fields": [{"name": "a", "type": "u8"}, {"name": "b", "type": "string"}]}
    ],
    "functions": [
        {"name": "echo", "params": [{"name": "pair", "type": {"named": 0}}], "result": {"named": 0}},
    ],
}


_SYNC = CallStyle(False, "")


def _request(code):
    variables = [Variable("BASE_URL", '"x"')]
    return Request(code, "program.py", variables, Mode.FRESH, BodyRule.AUTO, _SYNC, _SYNC, Dialect.ISOLETTE)


def warm_up():
    """Called once, at the end of the build."""
    real = console.write, tools.call, tools.search_tools, http.send
    real_capabilities = capabilities.list_interfaces, capabilities.describe_interface, capabilities.call
    real_system = system.working_directory, system.at_line
    system.working_directory = lambda: "/"
    system.at_line = lambda line: None
    console.write = lambda stream, data: None
    tools.call = lambda name, arguments: "3"
    found = tools.FoundTool("math.add", "Adds", [], None, None, None)
    tools.search_tools = lambda query: tools.SearchResults([found], 1)
    http.send = lambda request: http.Response(
        200, request.url, [("content-type", "application/json")], b'{"a": 1}', False
    )
    capabilities.list_interfaces = lambda: [capabilities.Summary(_INTERFACE["name"], "")]
    capabilities.describe_interface = lambda name: encode(_INTERFACE)
    capabilities.call = lambda interface, function, arguments: arguments
    programs = _PROGRAMS + [code for name, code in _MORE_PROGRAMS.items() if name in sys.modules]
    try:
        for _ in range(_ROUNDS):
            for code in programs:
                runner.run(_request(code))
    finally:
        console.write, tools.call, tools.search_tools, http.send = real
        capabilities.list_interfaces, capabilities.describe_interface, capabilities.call = real_capabilities
        system.working_directory, system.at_line = real_system
    runner.forget()
