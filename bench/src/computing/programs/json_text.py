# JSON that is written, parsed and searched.

import json

records = [
    {
        'id': n,
        'name': f'record {n}',
        'tags': ['a', 'b', str(n % 10)],
        'ratio': n / 7,
        'nested': {'ok': n % 2 == 0, 'none': None},
    }
    for n in range(8_000)
]
size, count = 0, 0
for _ in range(8):
    text = json.dumps(records)
    size += len(text)
    parsed = json.loads(text)
    count += sum(record['nested']['ok'] for record in parsed if '4' in record['tags'])
pretty = json.dumps(records[:1500], indent=2, sort_keys=True, ensure_ascii=False)
assert json.loads(pretty) == records[:1500]

result = [size, count, len(pretty)]
