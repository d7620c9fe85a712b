//! `cargo xtask`: everything that is done to this project, as one program.
//!
//! Here arguments are read and handed to the task that they name; each task has a file of its own. Tasks talk on standard
//! error: standard output belongs to whatever they run.

mod api;
mod assembler;
mod bench;
mod ci;
mod deny;
mod dist;
mod doctor;
mod environments;
mod fingerprint;
mod foreign;
mod fuzz;
mod image;
mod import_cycles;
mod install;
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
mod tools;

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
    /// Say what is there, what is missing and how to get it
    Doctor,
    /// Install what is missing
    Setup,
    /// Build and look at guest images
    Image {
        #[command(subcommand)]
        task: image::Task,
    },
    /// Build what runs in micro-VMs, and run things where there are some
    Microvm {
        #[command(subcommand)]
        task: microvm::Task,
    },
    /// Measure what `docs/performance.md` and `docs/code-mode.md` state
    Bench(bench::Bench),
    /// Build whatever is needed, then call `isolette run` with these arguments
    Run(run::Run),
    /// Check formatting, lints and everything that the tests promise
    Test(test::Test),
    /// Feed parsers and checks with whatever may break them
    Fuzz(fuzz::Fuzz),
    /// Pack the program and the images into one archive that runs on any Linux of this kind of machine
    Dist(dist::Dist),
    /// Check licences and sources of dependencies
    Deny,
    /// List which pinned and locked versions have newer ones; fails only if it cannot do its work
    Outdated,
    /// Do what CI does, in a fresh clone of what is committed
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
        Task::Deny => deny::deny(&project),
        Task::Outdated => outdated::outdated(&project),
        Task::Ci => ci::ci(&project),
    }
}
