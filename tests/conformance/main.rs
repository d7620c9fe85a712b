//! Scenarios on every engine, the command line, and language coverage. `tests/README.md` says how to add to them.

use std::process::ExitCode;

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

mod approval;
mod async_runtimes;
mod at_once;
mod audit;
mod audit_files;
mod audit_limits;
mod breweries;
mod budgets;
mod builder_errors;
mod cached_processes;
mod call_modes;
mod cancellation;
mod capabilities;
mod code_act;
mod command_line;
mod compiled_packages;
mod component_projects;
mod components;
mod databases;
mod declarations;
mod deferred_approvals;
mod dialects;
mod exact_http;
mod exact_numbers;
mod figures;
mod file_systems;
mod files;
mod full_disk;
mod guest_files;
mod http;
mod images;
mod intl;
mod language_coverage;
mod large_pages;
mod limits;
mod meeting_tools;
mod metrics;
mod microvm;
mod name_resolution;
mod network;
mod notebooks;
mod open_files;
mod openapi;
mod openapi_documents;
mod output;
mod parallel;
mod parallel_replay;
mod pauses;
mod policies;
mod pools;
mod record_replay;
mod samples;
mod saved_output;
mod saved_pauses;
mod science;
mod secrets;
mod session_pauses;
mod session_snapshots;
mod sessions;
mod shared_objects;
mod threads;
mod tool_namespaces;
mod tools;
mod top_level;
mod traces;
mod tutorial;
mod values;
mod variables;
mod warm_images;
mod weather_tool;

fn main() -> ExitCode {
    panics::install();
    let mut trials = isolette_tests::trials();
    trials.extend(language_coverage::trials());
    trials.extend(at_once::trials());
    trials.extend(science::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
