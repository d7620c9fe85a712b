console.log("before the loop");
while (true);
