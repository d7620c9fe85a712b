console.log("the value is long");
Array(200_000).fill("0123456789");
