// A program that calls functions of this process: `node plain.js`. The server is that of this user, or in ISOLETTE_SERVER.
import { Client } from "isolette";

const orders = [{ id: 1, total: 12.5 }, { id: 2, total: 30 }];

const client = new Client();
await using sandbox = await client.createSandbox({
  tools: [{ name: "list_orders", description: "Lists all orders.", run: () => orders }],
});

const result = await sandbox.run("sum(order['total'] for order in call_tool('list_orders'))");
console.log("total:", result.value);
