// Ends while calls are pending.
tools.stuck.start();
tools.stuck.start();
await tools.meet.start({ of: 1, name: "done" });
console.log("ended");
process.exit(0);
