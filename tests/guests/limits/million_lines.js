for (let number = 0; number < 1_000_000; number++) console.log(number);
console.error("the end");
