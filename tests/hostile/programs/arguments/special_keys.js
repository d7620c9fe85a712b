// Keys that mean something to the language of the host or of the guest.
// expect: contained

const value = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "": 2, "\\u0000": 3, "a.b": 4}');
let answer;
try {
  answer = call_tool('echo', { value });
} catch {}
result = {}.x === undefined && (!answer || JSON.stringify(answer.value) === JSON.stringify(value)) ? 'contained' : 'polluted';
