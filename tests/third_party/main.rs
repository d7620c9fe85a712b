//! Tests and programs of other projects: CPython's tests, ECMAScript's, and programs as models write them, whose output is
//! compared with that of `python3` and Node.js, after the compiler of TypeScript where there are types.
//!
//! What is known to differ is listed, each with its reason. A difference that is not listed is a failure, and so is one that is
//! listed and gone: then it is to be removed from the list. They run on in-process WebAssembly alone: the interpreters are the
//! same bytes in a micro-VM, and what differs between engines has tests of its own.

mod cpython;
mod differences;
mod ecmascript;
mod programs;

use std::{env, path::PathBuf, process::ExitCode};

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

fn main() -> ExitCode {
    panics::install();
    let mut trials = cpython::trials();
    trials.extend(ecmascript::trials());
    trials.extend(programs::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// What `cargo xtask setup` has got from registries.
fn downloaded(what: &str) -> PathBuf {
    let test = env::current_exe().expect("the test knows its own path");
    let target = test.ancestors().nth(3).expect("tests are in `deps` of a profile's folder in the target folder");
    target.join("toolchain/foreign").join(what)
}

/// A folder of these tests' own.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("third_party")
}
