// Asks for COUNT numbers, from generators within generators, and prints what depends on all of them and on their order.

const digest = require('crypto').createHash('sha256');
const closed = [];

function ask(index) {
    try {
        const answer = call_tool('ask', { index });
        if (answer % 3 === 0) throw new RangeError(String(answer));
        return answer;
    } catch (error) {
        if (error instanceof RangeError) return Number(error.message);
        throw error;
    } finally {
        closed.push(index);
    }
}

function* asked(first, count) {
    if (count === 1) {
        yield ask(first);
        return;
    }
    const half = Math.floor(count / 2);
    yield* asked(first, half);
    yield* asked(first + half, count - half);
}

let total = 0;
let index = 0;
for (const answer of asked(0, COUNT)) {
    total = (total * 31 + answer) % 1000003;
    digest.update(`${index++}:${answer};`);
}

if (closed.length !== COUNT || closed.some((value, position) => value !== position)) throw new Error(String(closed));
console.log(total, digest.digest('hex'));
