// A response that is longer than it may be is cut, and says so.
const response = http_get(`${BASE_URL}/long`);
result = [response.status, response.body.length, response.truncated];
