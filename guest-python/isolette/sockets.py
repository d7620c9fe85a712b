"""Functions of `socket`, which fail in a sandbox. The host provides HTTP only."""

from isolette.builtin import builtin

_REFUSAL = (
    "sockets are not available in this sandbox\n"
    "hint: use http_get()/http_post(), requests, httpx or urllib.request; the host makes the connection"
)


def _refuse(*arguments, **options):
    raise PermissionError(_REFUSAL)


def _gethostname():
    return "sandbox"


def adapt(socket):
    """Called with `socket`."""
    # These methods run for an object whose constructor failed.
    socket.socket.__init__ = _refuse
    socket.socket.__del__ = lambda self: None
    socket.socket.__repr__ = object.__repr__
    for name in ("create_connection", "create_server", "socketpair", "fromfd", "getaddrinfo"):
        setattr(socket, name, _refuse)
    for name in ("gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
        setattr(socket, name, builtin(_refuse))
    socket.gethostname = builtin(_gethostname)
    socket.getfqdn = lambda name="": name or _gethostname()
