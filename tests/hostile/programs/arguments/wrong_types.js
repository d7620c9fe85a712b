// Arguments of other types than the tool has.
// expect: contained

function refused(args) {
  try {
    call_tool('typed', args);
    return false;
  } catch {
    return true;
  }
}


const attempts = [{}, { city: 1 }, { city: null }, { city: ['x'] }, { city: 'x', days: '1' }, { city: 'x', days: 1.5 },
  { city: 'x', days: 1e30 }, { city: 'x', days: -1 }];
result = attempts.every(refused) ? 'contained' : 'accepted';
