// Registries whose callbacks register. Ends in a value or Timeout.
const registry = new FinalizationRegistry(() => registry.register({}, 1));
for (let count = 0; count < 10_000; count++) registry.register({}, count);
"registered";
