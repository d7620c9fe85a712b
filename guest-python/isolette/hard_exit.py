"""The end of a program past everything that it has in place for errors."""


class HardExit(BaseException):
    """`os._exit`: ends the program at once, past `except Exception` and past the usual end of the interpreter."""

    def __init__(self, code):
        self.code = code
