"""The exception for `os._exit`."""


class HardExit(BaseException):
    """Ends the program immediately: `except Exception` does not catch it, and exit handlers do not run."""

    def __init__(self, code):
        self.code = code
