// Thirty calls at once where twenty-four are allowed; the host performs sixteen of them at a time.
const calls = Array.from({ length: 30 }, (_, number) => tools.prices.get({ sku: `E-${number}` }));
const outcomes = (await Promise.allSettled(calls)).map(({ status, reason }) => reason?.kind ?? status);
const count = (kind) => outcomes.filter((outcome) => outcome === kind).length;
result = [count("fulfilled"), count("budget"), outcomes.indexOf("budget")];
