"""Shim for `ssl` of the standard library.

The host makes every connection, handles TLS and checks certificates; no setting of a program can weaken that. The names exist
so that programs can import and use libraries that configure TLS.
"""

import enum
import socket
from collections import namedtuple

OPENSSL_VERSION = "OpenSSL 3.0.0 (shim: the host handles TLS)"
OPENSSL_VERSION_INFO = (3, 0, 0, 0, 0)
OPENSSL_VERSION_NUMBER = 0x30000000
HAS_SNI = HAS_ALPN = HAS_ECDH = HAS_TLSv1_2 = HAS_TLSv1_3 = True
HAS_NPN = HAS_SSLv2 = HAS_SSLv3 = HAS_TLSv1 = HAS_TLSv1_1 = HAS_PSK = HAS_PHA = False
HAS_NEVER_CHECK_COMMON_NAME = True
CHANNEL_BINDING_TYPES = []


class _SSLMethod(enum.IntEnum):
    PROTOCOL_TLS = 2
    PROTOCOL_SSLv23 = 2
    PROTOCOL_TLSv1 = 3
    PROTOCOL_TLSv1_1 = 4
    PROTOCOL_TLSv1_2 = 5
    PROTOCOL_TLS_CLIENT = 16
    PROTOCOL_TLS_SERVER = 17


class Options(enum.IntFlag):
    OP_ALL = 0x80000050
    OP_IGNORE_UNEXPECTED_EOF = 0x80
    OP_LEGACY_SERVER_CONNECT = 0x4
    OP_NO_TICKET = 0x4000
    OP_NO_COMPRESSION = 0x20000
    OP_NO_RENEGOTIATION = 0x40000000
    OP_ENABLE_MIDDLEBOX_COMPAT = 0x100000
    OP_CIPHER_SERVER_PREFERENCE = 0x400000
    OP_NO_SSLv2 = 0x1000000
    OP_NO_SSLv3 = 0x2000000
    OP_NO_TLSv1 = 0x4000000
    OP_NO_TLSv1_2 = 0x8000000
    OP_NO_TLSv1_1 = 0x10000000
    OP_NO_TLSv1_3 = 0x20000000
    OP_SINGLE_DH_USE = 0x200000
    OP_SINGLE_ECDH_USE = 0x80000


class VerifyMode(enum.IntEnum):
    CERT_NONE = 0
    CERT_OPTIONAL = 1
    CERT_REQUIRED = 2


class VerifyFlags(enum.IntFlag):
    VERIFY_DEFAULT = 0
    VERIFY_CRL_CHECK_LEAF = 0x4
    VERIFY_CRL_CHECK_CHAIN = 0xC
    VERIFY_X509_STRICT = 0x20
    VERIFY_X509_TRUSTED_FIRST = 0x8000
    VERIFY_X509_PARTIAL_CHAIN = 0x80000


class TLSVersion(enum.IntEnum):
    MINIMUM_SUPPORTED = -2
    SSLv3 = 768
    TLSv1 = 769
    TLSv1_1 = 770
    TLSv1_2 = 771
    TLSv1_3 = 772
    MAXIMUM_SUPPORTED = -1


for _kind in (_SSLMethod, Options, VerifyMode, VerifyFlags):
    globals().update(_kind.__members__)

_ASN1Object = namedtuple("_ASN1Object", "nid shortname longname oid")
DefaultVerifyPaths = namedtuple(
    "DefaultVerifyPaths", "cafile capath openssl_cafile_env openssl_cafile openssl_capath_env openssl_capath"
)


class Purpose(enum.Enum):
    SERVER_AUTH = _ASN1Object(129, "serverAuth", "TLS Web Server Authentication", "1.3.6.1.5.5.7.3.1")
    CLIENT_AUTH = _ASN1Object(130, "clientAuth", "TLS Web Client Authentication", "1.3.6.1.5.5.7.3.2")


class SSLError(OSError):
    """TLS failed."""

    library = reason = None


class SSLZeroReturnError(SSLError): ...


class SSLWantReadError(SSLError): ...


class SSLWantWriteError(SSLError): ...


class SSLSyscallError(SSLError): ...


class SSLEOFError(SSLError): ...


class SSLCertVerificationError(SSLError, ValueError): ...


CertificateError = SSLCertVerificationError


def _refuse(*arguments, **options):
    raise PermissionError("TLS is not available inside this sandbox\nhint: use an https:// URL; the host handles TLS")


class SSLContext:
    """Accepts every setting, without effect: the settings of the host apply."""

    sslsocket_class = None
    sslobject_class = None

    def __init__(self, protocol=PROTOCOL_TLS_CLIENT):
        client = protocol == PROTOCOL_TLS_CLIENT
        self.protocol = protocol
        self.check_hostname = client
        self.verify_mode = CERT_REQUIRED if client else CERT_NONE
        self.verify_flags = VERIFY_X509_TRUSTED_FIRST
        self.options = OP_ALL
        self.minimum_version = TLSVersion.TLSv1_2
        self.maximum_version = TLSVersion.MAXIMUM_SUPPORTED
        self.hostname_checks_common_name = False
        self.post_handshake_auth = False
        self.keylog_filename = None
        self.sni_callback = None

    def _accept(self, *arguments, **options):
        return None

    load_default_certs = load_verify_locations = load_dh_params = set_ciphers = set_alpn_protocols = _accept
    set_default_verify_paths = set_ecdh_curve = set_npn_protocols = set_servername_callback = _accept
    load_cert_chain = wrap_socket = wrap_bio = staticmethod(_refuse)

    def get_ca_certs(self, binary_form=False):
        return []

    get_ciphers = get_ca_certs

    def cert_store_stats(self):
        return {"x509": 0, "crl": 0, "x509_ca": 0}

    session_stats = cert_store_stats


class SSLObject:
    __init__ = _refuse


class SSLSocket(socket.socket):
    __init__ = _refuse


class SSLSession:
    __init__ = _refuse


class MemoryBIO:
    __init__ = _refuse


def create_default_context(purpose=Purpose.SERVER_AUTH, *, cafile=None, capath=None, cadata=None):
    """Returns a context. The settings of the host apply."""
    return SSLContext(PROTOCOL_TLS_CLIENT if purpose == Purpose.SERVER_AUTH else PROTOCOL_TLS_SERVER)


def _create_unverified_context(protocol=None, **options):
    context = SSLContext()
    context.check_hostname = False
    context.verify_mode = CERT_NONE
    return context


_create_default_https_context = create_default_context
_create_stdlib_context = _create_unverified_context


def get_default_verify_paths():
    return DefaultVerifyPaths(None, None, "SSL_CERT_FILE", "", "SSL_CERT_DIR", "")


get_server_certificate = wrap_socket = _refuse


def RAND_bytes(n):
    import os

    return os.urandom(n)


def RAND_status():
    return True


def cert_time_to_seconds(cert_time):
    from calendar import timegm
    from time import strptime

    return timegm(strptime(cert_time, "%b %d %H:%M:%S %Y GMT"))
