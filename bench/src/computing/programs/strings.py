# Strings that are built, split, joined, replaced and formatted.

lines = []
for number in range(120_000):
    text = 'row ' + str(number) + ', '
    text += f'{number * 7 % 1000:>5}|{number / 3:.2f}|{number:x}'
    lines.append(text.upper() if number % 3 else text.title())

document = '\n'.join(lines)
count, length = 0, 0
for line in document.split('\n'):
    name, _, rest = line.partition(', ')
    fields = rest.replace('|', ';').strip().split(';')
    if name.startswith('ROW') and fields[0].isdigit():
        count += int(fields[0])
    length += len(' '.join(reversed(fields)).lower())

reversed_words = []
for word in document[:400_000].split():
    backwards = ''
    for letter in word:
        backwards = letter + backwards
    reversed_words.append(backwards)

result = [count, length, len(''.join(reversed_words))]
