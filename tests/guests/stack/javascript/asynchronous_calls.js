// An asynchronous function that awaits itself. Ends in RangeError or Timeout or InternalError.
async function down() {
  return await down();
}
await down();
