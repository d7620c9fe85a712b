async () => {
  // A pool of two workers over five tickets.
  const ids = [5, 5, 3, 3, 1];
  const titles = [];
  let next = 0;
  const worker = async () => {
    while (next < ids.length) {
      const index = next++;
      const { title } = await codemode.tickets_get({ id: ids[index] });
      titles[index] = title;
    }
  };
  await Promise.all([worker(), worker()]);
  return titles;
};
