console.log("before the call");
await call_tool("wait");
console.log("after the call");
