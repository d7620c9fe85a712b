console.log("before the sleep");
await new Promise((resolve) => setTimeout(resolve, 3600_000));
