# A default for JSON that needs a default.
# expect: exception RecursionError or exception ValueError

import json

json.dumps(object(), default=lambda value: [object()])
