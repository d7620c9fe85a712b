"""`inspect`, `ast`, `dis`, `tokenize`: a program that looks at itself."""

import ast
import dis
import inspect
import io
import tokenize


def sample(a, b: int = 2, *rest, key=None, **more) -> str:
    """A sample."""
    return f"{a}{b}"


print(inspect.getsource(sample).splitlines()[0], inspect.getdoc(sample), inspect.signature(sample))
print([(p.name, p.kind.name) for p in inspect.signature(sample).parameters.values()])
print(
    inspect.getmembers(type("T", (), {"x": 1}), lambda v: v == 1),
    inspect.isfunction(sample),
    inspect.isgeneratorfunction(sample),
)
bound = inspect.signature(sample).bind(1, key=3)
bound.apply_defaults()
print(bound.arguments, inspect.currentframe().f_code.co_name)
tree = ast.parse("x = [i ** 2 for i in range(10)]\nprint(sum(x))")
print([type(node).__name__ for node in tree.body], sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}))


class Swap(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Constant(node.value * 2), node)


print(ast.unparse(Swap().visit(ast.parse("1 + f(3)"))), ast.literal_eval("{'a': [1, (2, 3)], 'b': None}"))
try:
    ast.literal_eval("__import__('os')")
except ValueError as error:
    print("ValueError")
print(any(i.opname == "RETURN_VALUE" for i in dis.get_instructions(sample)), sample.__code__.co_varnames)
print([t.string for t in tokenize.generate_tokens(io.StringIO("a+=1 # c").readline) if t.string.strip()])
