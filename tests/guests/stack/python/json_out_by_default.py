# A default for JSON that needs a default. Ends in RecursionError or ValueError.
import json

json.dumps(object(), default=lambda value: [object()])
