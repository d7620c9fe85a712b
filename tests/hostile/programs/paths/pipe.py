# Opens a pipe without a writer.
# expect: contained

try:
    open("/input/pipe", "rb").read()
    result = "read"
except OSError:
    result = "contained"
