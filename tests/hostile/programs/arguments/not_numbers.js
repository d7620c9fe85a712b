// Numbers that JSON has not.
// expect: contained

const outcomes = [NaN, Infinity, -Infinity].map((number) => {
  try {
    return call_tool('echo', { value: number }).value;
  } catch {
    return null;
  }
});
result = outcomes.every((outcome) => outcome === null) ? 'contained' : String(outcomes);
