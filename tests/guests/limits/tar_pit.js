console.log("before the request");
const response = await fetch(`${BASE_URL}/${WHERE}`);
await response.text();
console.log("after the request");
