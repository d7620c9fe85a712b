// Calls until it may not any more.
let calls = 0;
try {
  for (;;) {
    call_tool("nothing");
    calls += 1;
  }
} catch (error) {
  result = [calls, error.kind, error.message];
}
