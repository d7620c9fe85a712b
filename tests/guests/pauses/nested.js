// A pause in the midst of everything that a stack can hold.
const steps = [];
function step(name, work) {
    steps.push(`enter ${name}`);
    try { return work(); } finally { steps.push(`leave ${name}`); }
}
function* answers(count) {
    for (let number = 0; number < count; number++) yield step(number, () => call_tool('ask', { number }));
}
function total() {
    try {
        let sum = 0;
        for (const answer of answers(3)) sum += answer;
        return sum;
    } finally { steps.push('done'); }
}
console.log('begun');
const sumOfAll = total();
console.log('ended');
[sumOfAll, steps.length, steps.at(-1)]
