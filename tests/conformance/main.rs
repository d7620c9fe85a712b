//! The tests of the whole. See `isolette_tests` for what they have in common.

use std::process::ExitCode;

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

mod approval;
mod arguments;
mod asynchronous;
mod audit;
mod audit_files;
mod audit_limits;
mod breweries;
mod budgets;
mod cancellation;
mod capabilities;
mod code_act;
mod command_line;
mod components;
mod coverage;
mod databases;
mod declarations;
mod disk;
mod file_systems;
mod files;
mod guests;
mod http;
mod images;
mod intl;
mod limits;
mod memory;
mod metrics;
mod microvm;
mod network;
mod openapi;
mod openapi_documents;
mod output;
mod policies;
mod repetition;
mod resolution;
mod samples;
mod secrets;
mod sessions;
mod threads;
mod tool_namespaces;
mod tools;
mod top_level;
mod traces;
mod tutorial;
mod values;
mod variables;
mod weather;

fn main() -> ExitCode {
    panics::install();
    let mut trials = isolette_tests::trials();
    trials.extend(coverage::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
