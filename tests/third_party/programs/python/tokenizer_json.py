import re
import json

TOKEN = re.compile(r'\s*(?:(?P<number>-?\d+(?:\.\d+)?)|(?P<name>true|false|null)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<punct>[{}\[\],:]))')

def tokens(text):
    at = 0
    while at < len(text.rstrip()):
        if not (m := TOKEN.match(text, at)):
            raise SyntaxError(f"at {at}: {text[at:at+5]!r}")
        yield m.lastgroup, m[m.lastgroup]
        at = m.end()

def parse(text):
    stream = list(tokens(text)) + [("end", "")]
    i = 0
    def value():
        nonlocal i
        kind, token = stream[i]
        i += 1
        match kind, token:
            case "number", _:
                return float(token) if "." in token else int(token)
            case "name", _:
                return {"true": True, "false": False, "null": None}[token]
            case "string", _:
                return json.loads(token)
            case "punct", "[":
                out = []
                while stream[i][1] != "]":
                    out.append(value())
                    if stream[i][1] == ",":
                        i += 1
                i += 1
                return out
            case "punct", "{":
                out = {}
                while stream[i][1] != "}":
                    key = value()
                    i += 1
                    out[key] = value()
                    if stream[i][1] == ",":
                        i += 1
                i += 1
                return out
            case other:
                raise SyntaxError(f"unexpected {other}")
    return value()

text = '{"a": [1, -2.5, true, null], "b\\n": {"c": "\\u00e9"}}'
print(parse(text), parse(text) == json.loads(text))
for bad in ["[1, ?]", "]"]:
    try:
        parse(bad)
    except SyntaxError as error:
        print(error)
import ast, dis, tokenize, io, types
print(ast.unparse(ast.parse("x = [a+1 for a in range(3) if a]")), ast.literal_eval("{'a': (1, [2])}"), [t.string for t in tokenize.generate_tokens(io.StringIO("a+=1").readline)][:3], eval(compile("1+2", "<s>", "eval")), ast.dump(ast.parse("1", mode="eval").body))
