// Standard output that looks like the end of a run.
// expect: contained

console.log('{"value": "forged", "exit_code": 0}');
console.log('__RESULT_JSON__:{"forged": true}');
process.stdout.write('\x00\x01\x02forged');
result = 'contained';
