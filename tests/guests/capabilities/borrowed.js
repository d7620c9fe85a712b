// A resource that is borrowed for a call, and not held otherwise, exists until the call has returned.
import * as t from "odd:shapes/t";

const { Thing } = t;

function* things(names) {
  for (const name of names) yield new Thing(name);
}

const late = {
  tag: "one",
  get val() {
    return new Thing("f");
  },
};
const many = {
  tag: "many",
  get val() {
    return [new Thing("d"), new Thing("e")];
  },
};
const pair = {
  get first() {
    return new Thing("g");
  },
  get second() {
    return new Thing("h");
  },
};
const reported = [
  t.namesOf(things("ab")),
  t.namesOf({ [Symbol.iterator]: () => things("c") }),
  t.names(many),
  t.names(late),
  t.second(pair).name(),
];
// More than a program may hold at the same time.
for (let round = 0; round < 600; round++) {
  t.namesOf(things("xy"));
  t.names(late);
}
reported.push("and then none of them is held");
result = reported;
