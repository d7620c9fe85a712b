# Names that mean something to Python.
from from_.await_ import class_
from from_.await_.class_ import Exception as Raised
from from_.await_.class_ import Function, None_, This, arguments, await_, import_, then

made = Function(class_=1, from_=2, await_=3, constructor=4, then=5, none=7, self=8, args=9, to_string=6)
assert class_.echo_function(made) == made
assert class_.echo_function({"class_": 1, "from": 2, "await": 3, "constructor": 4, "then": 5, "none": 7, "self": 8, "args": 9}).to_string is None
assert [class_.echo_none(member) for member in None_] == list(None_)
assert [member.name for member in None_] == ["NONE", "TRUE", "FALSE", "MRO", "NAME", "VALUE", "URL", "HTTP2_X"]
for value in [Raised.Exception(1), Raised.None_(), Raised.BaseException(None_.MRO)]:
    assert class_.echo_exception(value) == value
assert class_.echo_this(This.VALUE_OF | This.CLASS) == This.VALUE_OF | This.CLASS
assert then(then=1) == 1 and await_(2) == 2 and class_.delete(3) == 3 and class_.default(default=4) == 4
assert import_(import_=1, lambda_=2) == (1, 2)
assert arguments(1, 2, self=3, keywords=4) == (1, 2, 3, 4)
assert class_.print(5) == 5
for name in dir(class_):
    getattr(class_, name)
assert {"then", "close", "constructor", "prototype", "name"} <= set(dir(class_.Promise))
result = "used"
