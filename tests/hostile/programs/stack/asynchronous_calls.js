// An asynchronous function that awaits itself.
// expect: exception RangeError or timeout or exception InternalError

async function down() {
  return await down();
}
await down();
