// One brewery, as the API gives it.
const answer = http_get(`${BASE_URL}/breweries/random`);
if (!answer.ok) throw new Error(`no brewery today: ${answer.status}`);
answer.body;
