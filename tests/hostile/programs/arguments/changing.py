# An argument that is another one each time that it is looked at.
# expect: contained

class Shifty(dict):
    count = 0

    def items(self):
        Shifty.count += 1
        return [("city", "x" if Shifty.count > 1 else 1)]


try:
    call_tool("typed", Shifty(city=1))
    result = "contained"
except Exception:
    result = "contained"
