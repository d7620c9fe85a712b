//! Any value of any type comes back as it went in: the host gives random ones of random types, and the program hands each
//! back without knowing what it is.

mod bytes;
mod chance;
mod types;

use std::sync::{Arc, Mutex};

use isolette::{Capability, Isolation, RunOptions};
use isolette_interface::read_text;
use isolette_tests::{Case, conformance};

use self::bytes::{Made, Maker};
use super::{many_calls, served::serve};

conformance! {
    any_value_of_any_type_comes_back with "capabilities/random";
}

/// Of each kind.
const FUNCTIONS: usize = 32;
const ROUNDS: usize = 3;

/// An interface of random types, and what did not come back as it went in.
fn interface(seed: u64) -> (Capability, Arc<Mutex<Vec<String>>>) {
    let (wit, random) = types::interface(seed, FUNCTIONS);
    let described = read_text(&wit, "test:random/values").unwrap_or_else(|error| panic!("{error}\n{wit}"));
    let given = Mutex::new((random, Made::default()));
    let wrong = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&wrong);
    let capability = serve(&wit, "test:random/values", move |name, arguments, context| {
        let (random, latest) = &mut *given.lock().unwrap();
        let (_, function) = described.function(name).unwrap();
        let resources = context.resources();
        if let Some(kind) = &function.result {
            let mut maker = Maker { random, interface: &described, resources, resource: || (), made: Made::default() };
            maker.make(kind);
            *latest = maker.made;
            return Ok(latest.bytes.clone());
        }
        if arguments != latest.bytes {
            let text = format!("{}: {:?} became {arguments:?}", described.signature(function), latest.bytes);
            noted.lock().unwrap().push(text);
        }
        for (place, handle) in latest.given.drain(..) {
            resources.take::<()>(place, handle)?;
        }
        Ok(Vec::new())
    });
    (capability, wrong)
}

/// Has the scenario's program hand back every value of an interface.
fn run(case: &Case, seed: u64, rounds: usize, (capability, wrong): (Capability, Arc<Mutex<Vec<String>>>)) {
    let mut limits = many_calls();
    limits.wall_time *= 10;
    let sandbox = case.builder().capability(capability).limits(limits).build().unwrap();
    let options = RunOptions::new().variable("FUNCTIONS", FUNCTIONS).variable("ROUNDS", rounds);
    let result = sandbox.run_with(&case.program(), options).unwrap();
    if let [first, ..] = &wrong.lock().unwrap()[..] {
        panic!("seed {seed}: {first}");
    }
    assert!(result.error.is_none(), "seed {seed}: {:?}", result.error);
    assert_eq!(result.usage.capability_calls, (4 * rounds * FUNCTIONS) as u64, "seed {seed}");
}

fn any_value_of_any_type_comes_back(case: &Case) {
    let seeds = if case.isolation == Isolation::MicroVm { 1..2 } else { 1..13 };
    for seed in seeds {
        run(case, seed, ROUNDS, interface(seed));
    }
}
