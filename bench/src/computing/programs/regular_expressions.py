# Regular expressions that search, split and replace.

import re

words = ['error', 'warning', 'info', 'debug']
log = '\n'.join(
    f'2026-11-{n % 28 + 1:02} 12:{n % 60:02}:{n * 7 % 60:02} '
    f'[{words[n % 4]}] user{n % 97}@example{n % 5}.com took {n * 31 % 977} ms'
    for n in range(24_000)
)
line = re.compile(r'^(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d) \[(\w+)\] (\S+)@(\S+) took (\d+) ms$', re.MULTILINE)
slow = sum(int(match[8]) for match in line.finditer(log) if match[5] in ('error', 'warning'))
hidden = re.sub(r'\b(\w+)@(\w+)\.com\b', lambda match: match[1][0] + '***@' + match[2], log)
numbers = len(re.findall(r'(?<![\w.])\d{2,3}(?= ms)', log))
pieces = len(re.split(r'[\s\[\]:@.-]+', log))
lazy = len(re.findall(r'\[.*?\].*?(?:7|9)+ ms', log))

result = [slow, len(hidden), numbers, pieces, lazy]
