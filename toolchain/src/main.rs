//! `cargo xtask`: builds, checks and runs this project.
//!
//! This file parses the arguments and calls a task. Each task has a file of its own. Tasks write messages to standard error;
//! standard output belongs to the program that a task runs.

mod api;
mod assembler;
mod bench;
mod ci;
mod debian;
mod deny;
mod dist;
mod doctor;
mod environments;
mod fingerprint;
mod fuzz;
mod image;
mod import_cycles;
mod install;
mod interpreters;
mod invocation;
mod lock;
mod microvm;
mod neutral;
mod openapi_documents;
mod outdated;
mod package;
mod progress;
mod project;
mod report;
mod run;
mod runtime;
mod selection;
mod setup;
mod skip;
mod stages;
mod step;
mod test;
mod test_programs;
mod third_party;
mod tools;
mod typescript;
mod wheel;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Builds, checks and runs Isolette.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// List which tools are installed and which are missing
    Doctor,
    /// Install missing tools
    Setup,
    /// Build and inspect guest images
    Image {
        #[command(subcommand)]
        task: image::Task,
    },
    /// Build the micro-VM runtime, and test and measure micro-VMs
    Microvm {
        #[command(subcommand)]
        task: microvm::Task,
    },
    /// Measure the figures of `docs/performance.md` and `docs/code-mode.md`
    Bench(bench::Bench),
    /// Build what is out of date, then call `isolette run` with these arguments
    Run(run::Run),
    /// Check formatting and lints, and run all tests
    Test(test::Test),
    /// Fuzz parsers and checks of untrusted input
    Fuzz(fuzz::Fuzz),
    /// Pack the program and the images into one archive that runs on any Linux on this kind of machine
    Dist(dist::Dist),
    /// Make the wheels of the Python package and of the images
    Wheel(wheel::Wheel),
    /// Make the package of the client for TypeScript
    Typescript,
    /// Check licences and sources of dependencies
    Deny,
    /// List pinned and locked versions with newer releases; fails only if the check itself fails
    Outdated,
    /// Run what CI runs, in a fresh clone of the commits
    Ci,
}

fn main() -> ExitCode {
    match perform(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> anyhow::Result<()> {
    let project = project::Project::find()?;
    match task {
        Task::Doctor => doctor::doctor(&project),
        Task::Setup => setup::setup(&project),
        Task::Image { task } => image::perform(&project, task),
        Task::Microvm { task } => microvm::perform(&project, task),
        Task::Bench(bench) => bench.perform(&project),
        Task::Run(run) => run.perform(&project),
        Task::Test(test) => test.perform(&project),
        Task::Fuzz(fuzz) => fuzz.perform(&project),
        Task::Dist(dist) => dist.perform(&project),
        Task::Wheel(wheel) => wheel.perform(&project),
        Task::Typescript => typescript::pack(&project),
        Task::Deny => deny::deny(&project),
        Task::Outdated => outdated::outdated(&project),
        Task::Ci => ci::ci(&project),
    }
}
