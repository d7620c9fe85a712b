"""A small HTTP API for the examples: a paged list of breweries. Runs outside the sandbox and listens on localhost only.

Prints its base URL on the first line and serves until it is stopped. Requires only Python 3.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

CITIES = ["San Diego", "La Jolla", "Carlsbad", "Oceanside", "Encinitas"]
KINDS = ["micro", "regional", "large", "planning", "closed"]
SAN_DIEGO = [
    {"id": f"sd-{n:04}", "name": f"Brewery {n:03}", "city": CITIES[n % 5], "brewery_type": KINDS[n % 3]} for n in range(250)
]
MOON = [
    {"id": "moon-1", "name": "Full Moon Taphouse", "city": "Austin", "brewery_type": "regional"},
    {"id": "moon-2", "name": "Blue Moon Brewing", "city": "Denver", "brewery_type": "large"},
    {"id": "moon-3", "name": "Moonlight Brewing Co", "city": "Oakland", "brewery_type": "regional"},
    {"id": "moon-4", "name": "Harvest Moon Pub", "city": None, "brewery_type": "micro"},
]
ROUTES = {"/v1/breweries": SAN_DIEGO, "/v1/breweries/search": MOON}


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        items = ROUTES.get(url.path)
        if items is None:
            return self.answer(404, {"error": f"no such path: {url.path}"})
        page, size = int(query.get("page", 1)), int(query.get("per_page", 50))
        self.answer(200, items[(page - 1) * size : page * size])

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()
