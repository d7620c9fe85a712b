// One brewery, as the text that came over the wire.
const answer = await fetch(`${BASE_URL}/breweries/random`);
if (!answer.ok) throw new Error(`no brewery today: ${answer.status}`);
result = await answer.text();
