async () => {
  // Spending of two teams, by member.
  const teams = await Promise.all([codemode.team_members({ team: "west" }), codemode.team_members({ team: "east" })]);
  const members = teams.flat();
  const expenses = await Promise.all(members.map(({ name }) => codemode.expenses_list({ member: name, quarter: "Q3" })));
  const report = {};
  members.forEach(({ name }, index) => {
    report[name] = expenses[index].reduce((sum, { amount }) => sum + amount, 0);
  });
  return report;
};
