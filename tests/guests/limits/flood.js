for (let number = 0; number < 200_000; number++) console.log(number);
console.error("the end");
