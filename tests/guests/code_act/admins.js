// Finds the administrators among the users, and multiplies.
const users = call_tool("fetch_data", { table: "users" });
const admins = users.filter((user) => user.role === "admin").map((user) => user.name);
const six = await call_tool("compute", { operation: "multiply", a: 3, b: 2 });
const product = await call_tool("compute", { operation: "multiply", a: 7, b: six });
console.log("Users:", JSON.stringify(users));
console.log("Admins:", JSON.stringify(admins));
console.log("7 * 6 =", product);
