// A call that the program does not wait for: it races with something that is there already, and the program exits.
import { meet } from "test:meetings/places";

const first = await Promise.race([meet(2, "a"), new Promise((resolve) => setTimeout(() => resolve("given up"), 1))]);
console.log(first);
process.exit();
