//! The MCP server, driven by the official SDKs and by hand. `isolette_tests::agents` has what drives them.

use std::process::ExitCode;

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

mod approval;
mod breweries;
mod budgets;
mod command_line;
mod example;
mod files;
mod floods;
mod http;
mod listings;
mod many;
mod memory;
mod raw;
mod running;
mod secrets;
mod sessions;
mod shop;
mod stdio;
mod suite;
mod tasks;
mod watched;

fn main() -> ExitCode {
    panics::install();
    libtest_mimic::run(&Arguments::from_args(), isolette_tests::trials()).exit_code()
}
