// Registries whose callbacks register.
// expect: value or timeout

const registry = new FinalizationRegistry(() => registry.register({}, 1));
for (let count = 0; count < 10_000; count++) registry.register({}, count);
"registered";
