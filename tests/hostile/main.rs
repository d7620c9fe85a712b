//! Hostile guests: untrusted programs, one file each below `programs/`, and an untrusted interpreter (`compromised/`), which
//! sends bytes that our interpreters never send. Each runs on every engine. `tests/README.md` describes the headers of files.

mod compromised;
mod context;
mod process;
mod programs;
mod runtime;
mod servers;

use std::process::ExitCode;

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

fn main() -> ExitCode {
    panics::install();
    let mut arguments = Arguments::from_args();
    // The state of this process is compared before and after a program.
    arguments.test_threads = Some(1);
    let mut trials = isolette_tests::trials();
    trials.extend(programs::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}
