"""`email`: building, parsing, encoded headers, parts."""

from email import message_from_string, policy
from email.header import decode_header
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import formataddr, parseaddr, parsedate_to_datetime

message = EmailMessage()
message["From"] = formataddr(("Ann Ö", "ann@example.com"))
message["To"] = "bob@example.com"
message["Subject"] = "Grüße"
message.set_content("Hello\nthere\n")
message.add_attachment(b"\x00\x01", maintype="application", subtype="octet-stream", filename="d.bin")
parsed = BytesParser(policy=policy.default).parsebytes(message.as_bytes())
print(parsed["subject"], parsed["from"], parsed.get_content_type(), [part.get_content_type() for part in parsed.walk()])
print(parsed.get_body().get_content(), [part.get_filename() for part in parsed.iter_attachments()])
print(decode_header("=?utf-8?q?Gr=C3=BC=C3=9Fe?=")[0][0].decode(), parseaddr("X <x@y.z>"))
print(
    parsedate_to_datetime("Mon, 15 Jan 2024 10:00:00 +0100").isoformat(),
    message_from_string("A: b\n\nbody").get_payload(),
)
