# Signs that a terminal takes for commands, and bytes that are no text.
# expect: contained

import sys

print("\x1b[2J\x1b]0;title\x07\x00\u202e")
sys.stdout.buffer.write(bytes(range(256)))
result = "contained"
