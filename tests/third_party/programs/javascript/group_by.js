const people = [
  { name: "Ada", team: "red", age: 36 },
  { name: "Alan", team: "blue", age: 41 },
  { name: "Grace", team: "red", age: 85 },
  { name: "Linus", team: "green", age: 54 },
];
const groups = people.reduce((all, person) => {
  (all[person.team] ??= []).push(person);
  return all;
}, {});
console.log(groups);
console.log(JSON.stringify(groups, null, 2));
const ages = Object.fromEntries(Object.entries(groups).map(([team, list]) => [team, list.reduce((s, p) => s + p.age, 0) / list.length]));
console.log(ages);
console.table && console.log(Object.keys(ages).join());
