//! Tests and programs of third parties: CPython's tests, ECMAScript's, numpy's, pandas', and programs as models write them, whose output is
//! compared with that of `python3` and Node.js, for TypeScript after its compiler.
//!
//! Known differences are listed, each with its reason. An unlisted difference is a failure, and so is a listed one that no
//! longer exists. The tests run on in-process WebAssembly only: the interpreters are the same bytes in a micro-VM, and
//! differences between engines have tests of their own.

mod cpython;
mod differences;
mod ecmascript;
mod programs;
mod science;

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
    trials.extend(science::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Files that `cargo xtask setup` downloaded.
fn downloaded(what: &str) -> PathBuf {
    let test = env::current_exe().expect("the test knows its own path");
    let target = test.ancestors().nth(3).expect("tests are in `deps` of a profile's folder in the target folder");
    target.join("toolchain/third-party").join(what)
}

/// The directory of these tests.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("third_party")
}
