// An error whose class has a name without end.
// expect: exception *

const error = new Error('x');
error.name = 'E'.repeat(1_000_000);
throw error;
