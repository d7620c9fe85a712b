// Who of a team has spent more than the limit of the own level: three waves of calls.
const teams = await Promise.all(["west", "east"].map((team) => tools.team.members({ team })));
const members = teams.flat();
const levels = [...new Set(members.map(({ level }) => level))].sort();
const found = await Promise.all(levels.map((level) => tools.team.limit({ level })));
const limits = Object.fromEntries(levels.map((level, index) => [level, found[index]]));
const spent = await Promise.all(members.map(({ name }) => tools.expenses.list({ member: name, quarter: "Q3" })));
result = members
  .map(({ name, level }, index) => {
    const total = spent[index].filter(({ approved }) => approved).reduce((sum, { amount }) => sum + amount, 0);
    return { name, total, limit: limits[level] };
  })
  .filter(({ total, limit }) => total > limit)
  .map(({ name, total }) => [name, total]);
