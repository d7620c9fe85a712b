// A sleep of a thousand years.
// expect: timeout or sleep

await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
