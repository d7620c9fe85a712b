//! The MCP server, called by the official SDKs and by hand. `isolette_tests::agents` starts clients and servers.

use std::process::ExitCode;

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

mod approval;
mod breweries;
mod budgets;
mod calls_at_once;
mod command_line;
mod concurrent_clients;
mod example_settings;
mod execute_code;
mod http;
mod listings;
mod metrics_and_audit;
mod official_suite;
mod output_files;
mod oversized_replies;
mod raw_protocol;
mod restarts;
mod sandbox_snapshots;
mod secrets;
mod sessions;
mod stdio;
mod tasks;
mod upstream_tools;
mod value_memory;

fn main() -> ExitCode {
    panics::install();
    libtest_mimic::run(&Arguments::from_args(), isolette_tests::trials()).exit_code()
}
