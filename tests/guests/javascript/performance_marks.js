// Marks, and what lies between them.
const { performance: fromModule } = require("perf_hooks");
console.log(fromModule === performance, performance.now() >= 0, performance.timeOrigin > 0);
const mark = performance.mark("begin", { detail: { step: 1 } });
performance.mark("end");
const measure = performance.measure("work", "begin", "end");
console.log(mark.name, mark.entryType, mark.duration, mark.detail, measure.name, measure.entryType, measure.duration >= 0);
console.log(performance.measure("long", { start: 10, duration: 5 }).duration, performance.getEntriesByType("mark").length);
console.log(performance.getEntriesByName("work").length, performance.getEntries().length >= 4);
try {
  performance.measure("never", "unset");
} catch (error) {
  console.log(error.name, error.message);
}
performance.clearMarks("begin");
performance.clearMeasures();
console.log(performance.getEntriesByType("mark").length, performance.getEntriesByType("measure").length);
