"""The description of an interface, and the WIT and Python syntax of its types."""

from isolette.capabilities import names


class Annotation(str):
    """An annotation, printed without quotation marks. The types in it are attributes of the module."""

    def __repr__(self):
        return str(self)


_PYTHON = {"bool": "bool", "f32": "float", "f64": "float", "char": "str", "string": "str"}


class Description:
    """One interface. `types` is the list from the host, `functions` maps names; a type is a name or a dict with one item."""

    def __init__(self, description):
        self.name = description["name"]
        self.docs = description.get("docs")
        self.module = names.module(self.name)
        self.types = description["types"]
        self.functions = {function["name"]: function for function in description["functions"]}

    def resolved(self, kind):
        """Returns the type with aliases resolved."""
        while type(kind) is dict and "named" in kind:
            definition = self.types[kind["named"]]
            if definition["kind"] != "alias":
                return kind
            kind = definition["type"]
        return kind

    def form(self, kind):
        """Returns the form and the contents of a type: `("list", "u8")`; `("u8", None)`."""
        kind = self.resolved(kind)
        if type(kind) is str:
            return kind, None
        ((form, inner),) = kind.items()
        if form == "named":
            return self.types[inner]["kind"], inner
        return form, inner

    def wit(self, kind):
        """Returns a type in WIT syntax."""
        if kind is None:
            return "_"
        if type(kind) is str:
            return kind
        ((form, inner),) = kind.items()
        match form:
            case "named" | "own":
                return self.types[inner]["name"]
            case "borrow":
                return f"borrow<{self.types[inner]['name']}>"
            case "tuple":
                return f"tuple<{', '.join(map(self.wit, inner))}>"
            case "result":
                ok, error = inner.get("ok"), inner.get("error")
                if error is None:
                    return "result" if ok is None else f"result<{self.wit(ok)}>"
                return f"result<{self.wit(ok)}, {self.wit(error)}>"
        return f"{form}<{self.wit(inner)}>"

    def annotation(self, kind):
        """Returns a type as annotation of a parameter or field."""
        return Annotation("None" if kind is None else self._annotation(kind))

    def _annotation(self, kind):
        form, inner = self.form(kind)
        match form:
            case "record" | "variant" | "enum" | "flags" | "own" | "borrow":
                return names.pascal(self.types[inner]["name"])
            case "list":
                return "bytes" if self.resolved(inner) == "u8" else f"list[{self.annotation(inner)}]"
            case "option":
                value = self.annotation(inner)
                return f"Some[{value}] | None" if self.form(inner)[0] == "option" else f"{value} | None"
            case "tuple":
                return f"tuple[{', '.join(map(self.annotation, inner))}]"
            case "result":
                return f"Ok[{self.annotation(inner.get('ok'))}] | Err[{self.annotation(inner.get('error'))}]"
        return _PYTHON.get(form, "int")

    def holds_resources(self, kind):
        """Returns whether a value of the type is or contains a resource."""
        form, inner = self.form(kind)
        match form:
            case "own" | "borrow":
                return True
            case "list" | "option":
                return self.holds_resources(inner)
            case "tuple":
                return any(map(self.holds_resources, inner))
            case "result":
                return any(self.holds_resources(payload) for payload in inner.values() if payload is not None)
            case "record":
                return any(self.holds_resources(field["type"]) for field in self.types[inner]["fields"])
            case "variant":
                return any(self.holds_resources(case["type"]) for case in self.types[inner]["cases"] if "type" in case)
        return False

    def outcome(self, function):
        """Returns the type of the result, the type of the error, and whether the function can fail."""
        result = function.get("result")
        if result is None:
            return None, None, False
        form, inner = self.form(result)
        if form == "result":
            return inner.get("ok"), inner.get("error"), True
        return result, None, False

    def errors(self):
        """Returns the indices of records and variants that functions return as errors."""
        kinds = (self.outcome(function)[1] for function in self.functions.values())
        forms = (self.form(kind) for kind in kinds if kind is not None)
        return {inner for form, inner in forms if form in ("record", "variant")}
