// Makes every request of ATTEMPTS and says how each one ended.
result = [];
for (const [method, url] of ATTEMPTS) {
  try {
    result.push(http_request(method, url).status);
  } catch (error) {
    result.push(`${error.name}: ${error.message}`);
  }
}
