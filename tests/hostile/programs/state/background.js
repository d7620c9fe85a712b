// Work left behind for after the end.
// expect: contained

const endless = async () => { for (let n = 0; n < 3; n++) await null; };
endless();
result = 'contained';
