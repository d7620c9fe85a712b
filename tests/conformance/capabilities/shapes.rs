//! Shapes of WIT that are seldom seen, through the macro and through programs.

use isolette::{Borrowed, CallContext, Owned, capability};
use isolette_tests::{Case, conformance};
use serde_json::json;

use self::t::{Choice, Pair, T, ThingMethods};

capability!({
    path: "conformance/capabilities/shapes.wit",
    interface: "odd:shapes/t",
    serve: Shapes,
    resources: { thing: Thing },
});

conformance! {
    seldom_shapes_go_there_and_back;
}

struct Shapes;

pub(crate) struct Thing(String);

impl ThingMethods for Thing {
    fn name(&self, _: &CallContext) -> String {
        self.0.clone()
    }
}

impl T for Shapes {
    fn new_thing(&self, _: &CallContext, name: String) -> Owned<Thing> {
        Owned::new(Thing(name))
    }

    fn second(&self, _: &CallContext, pair: Pair) -> Owned<Thing> {
        assert_ne!(pair.first.0, pair.second.0);
        pair.second
    }

    fn names(&self, _: &CallContext, choice: Choice) -> Vec<String> {
        let name = |thing: &Borrowed<Thing>| thing.0.clone();
        match choice {
            Choice::One(thing) => vec![name(&thing)],
            Choice::Many(things) => things.iter().map(name).collect(),
            Choice::Neither => Vec::new(),
        }
    }
}

fn seldom_shapes_go_there_and_back(case: &Case) {
    let sandbox = case.builder().capability(Shapes).build().unwrap();
    let program = case.pick(
        "
from odd.shapes import t
first, second = t.Thing('first'), t.Thing('second')
kept = t.second(t.Pair(first, second))
told = [kept.name(), t.names(t.Choice.One(first)), t.names(t.Choice.Many([first, kept])), t.names(t.Choice.Neither())]
told
",
        "
const t = require('odd:shapes/t');
const [first, second] = [new t.Thing('first'), new t.Thing('second')];
const kept = t.second({ first, second });
result = [
  kept.name(),
  t.names({ tag: 'one', val: first }),
  t.names({ tag: 'many', val: [first, kept] }),
  t.names({ tag: 'neither' }),
];
",
    );
    let result = sandbox.run(program).unwrap();
    let expected = json!(["second", ["first"], ["first", "second"], []]);
    assert_eq!(result.value, Some(expected), "{:?}", result.error);
}
