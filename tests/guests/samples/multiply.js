const product = call_tool("multiply", { left: 12.3, right: 4.5 });
console.log(`12.3 * 4.5 = ${product.toFixed(2)}`);
product;
