// A program that looks again and again whether its call has ended, and counts how often.
const counts = [];
for (let round = 0; round < 20; round++) {
  let done = false;
  let count = 0;
  call_tool_async("after_ticks").then(() => (done = true));
  while (!done) {
    call_tool("tick");
    await new Promise((resolve) => setTimeout(resolve, 0.1));
    count++;
  }
  counts.push(count);
}
result = counts;
