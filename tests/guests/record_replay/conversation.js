const said = [];
const number = Math.floor(Math.random() * 1_000_000);
for (let attempt = 0; attempt < 2; attempt++) said.push(http_get(`${BASE_URL}/count?n=${number}`).body);
const echoed = await fetch(`${BASE_URL}/echo`, { method: 'POST', body: new Uint8Array([0xff, 0]) });
said.push(Buffer.from(await echoed.arrayBuffer()).toString('hex'));
said.push(http_get(`${BASE_URL}/moved`).body);
said.push(call_tool('next', { step: number % 7 }));
try {
  call_tool('next', { step: -1 });
} catch (error) {
  said.push(error.message);
}
result = said;
