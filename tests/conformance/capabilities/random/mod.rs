//! Any value of any type comes back unchanged: the host returns random values of random types, and the program passes each back
//! without inspecting it.

mod bytes;
mod debug_format;
mod generator;
mod through_macro;
mod types;

use std::{
    env, fs,
    path::Path,
    sync::{Arc, Mutex},
};

use isolette::{Capability, Isolation, RunOptions};
use isolette_interface::read_text;
use isolette_tests::{Case, host_test, scenario};

use self::bytes::{Made, Maker};
use super::{byte_server::serve, many_calls};

/// The number of functions of each kind; equal to that in `made.rs`.
const FUNCTIONS: usize = 32;
const ROUNDS: usize = 3;
/// The macro has the types of one seed only, but there is time for more values of them.
const ROUNDS_OF_MACRO: usize = 36;
/// The seed of the interface that the macro has.
const SEED: u64 = 1;

/// An interface of random types, and the values that did not come back unchanged.
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

/// Runs the scenario's program, which passes back every value of an interface.
fn run(case: &Case, seed: u64, rounds: usize, (capability, wrong): (Capability, Arc<Mutex<Vec<String>>>)) {
    let mut limits = many_calls();
    limits.timeout *= 10;
    let sandbox = case.builder().capability(capability).limits(limits).build().unwrap();
    let options = RunOptions::new().variable("FUNCTIONS", FUNCTIONS).variable("ROUNDS", rounds);
    let result = sandbox.run_with(&case.program(), options).unwrap();
    if let [first, ..] = &wrong.lock().unwrap()[..] {
        panic!("seed {seed}: {first}");
    }
    assert!(result.error.is_none(), "seed {seed}: {:?}", result.error);
    assert_eq!(result.usage.capability_calls, (4 * rounds * FUNCTIONS) as u64, "seed {seed}");
}

#[scenario(programs = ["capabilities/random"])]
fn random_values_of_random_types_round_trip(case: &Case) {
    let seeds = if case.isolation == Isolation::MicroVm { 1..2 } else { 1..13 };
    for seed in seeds {
        run(case, seed, ROUNDS, interface(seed));
    }
}

#[scenario(programs = ["capabilities/random"])]
fn random_values_round_trip_through_the_macro(case: &Case) {
    let rounds = if case.isolation == Isolation::MicroVm { ROUNDS } else { ROUNDS_OF_MACRO };
    run(case, SEED, rounds, through_macro::made(SEED));
}

/// The macro reads a file at compile time, so the file must exist before.
#[host_test]
fn the_committed_random_wit_matches_its_seed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/capabilities/random/values.wit");
    let (wit, _) = types::interface(SEED, FUNCTIONS);
    let text = format!("// Random types. `INSTA_UPDATE=always` writes them anew from `types.rs`.\n{wit}");
    if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        fs::write(&path, &text).unwrap();
    }
    similar_asserts::assert_eq!(expected: fs::read_to_string(&path).unwrap(), made: text);
}
