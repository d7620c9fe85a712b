# A pipe that nobody writes to.
# expect: contained

try:
    open("/input/pipe", "rb").read()
    result = "read"
except OSError:
    result = "contained"
