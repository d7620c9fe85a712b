//! Rare combinations of WIT types, through the macro and through programs.

use isolette::{Borrowed, CallContext, Owned, capability};
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

use self::t::{Choice, Colour, Drawing, Figure, Pair, T, ThingMethods};

capability!({
    path: "conformance/capabilities/shapes.wit",
    interface: "odd:shapes/t",
    implementation: Shapes,
    resources: { thing: Thing },
});

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

    fn names_of(&self, _: &CallContext, things: Vec<Borrowed<Thing>>) -> Vec<String> {
        things.iter().map(|thing| thing.0.clone()).collect()
    }

    fn repaint(&self, _: &CallContext, drawing: Drawing) -> Result<Drawing, Figure> {
        match drawing.figures.last() {
            Some(Figure::Line((from, to))) if from > to => Err(Figure::Many(vec![None, Some(Ok(u64::MAX))])),
            _ if drawing.colour == Colour::Green && drawing.marks.wide => {
                Ok(Drawing { colour: Colour::Red, ..drawing })
            }
            _ => Ok(drawing),
        }
    }
}

/// The value of the scenario's program.
fn value_of(case: &Case) -> Value {
    let result = case.builder().capability(Shapes).build().unwrap().run(&case.program()).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

#[scenario(programs = ["capabilities/borrowed"])]
fn a_borrowed_resource_outlives_the_call(case: &Case) {
    let expected = json!([["a", "b"], ["c"], ["d", "e"], ["f"], "h", "and then none of them is held"]);
    assert_eq!(value_of(case), expected);
}

#[scenario(programs = ["capabilities/nested"])]
fn nested_wit_types_round_trip(case: &Case) {
    assert_eq!(value_of(case), json!([true, true, true]));
}

#[scenario]
fn rare_wit_types_round_trip(case: &Case) {
    let sandbox = case.builder().capability(Shapes).build().unwrap();
    let program = case.pick(
        "
from odd.shapes import t
first, second = t.Thing('first'), t.Thing('second')
kept = t.second(t.Pair(first, second))
reported = [kept.name(), t.names(t.Choice.One(first)), t.names(t.Choice.Many([first, kept])), t.names(t.Choice.Neither())]
reported
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
