//! The types of the command line. Arguments are checked here as far as that is possible for each argument alone.

mod cache;
mod capability;
mod image;
mod policy;
mod run;
mod state;

use clap::{Parser, Subcommand};

pub(crate) use self::{
    cache::Cache,
    capability::Capability,
    image::{Image, ImageChoice, WarmImage},
    policy::{Policy, PolicyChoice},
    run::{Run, State},
    state::{Fork, Resume, Snapshot},
};
use crate::service;

const EXAMPLES: &str = "\
Examples:
  isolette run -c 'sum(range(10))'
  isolette run report.py --input data --output results --json
  isolette run fetch.py --base-url https://api.example.com/v1
  isolette run program.js --allow 'GET https://api.example.com' --timeout 5s
  isolette run program.py --explain
  isolette create --name work && isolette exec work -c 'x = 1' && isolette exec work -c 'x + 1'";

/// Runs untrusted programs in Python and JavaScript, in a sandbox that can access only what you allow.
#[derive(Debug, Parser)]
#[command(name = "isolette", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// Print more messages on standard error: -v for runs and host calls, -vv for everything.
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a program.
    Run(Box<Run>),
    /// Serve agents over the Model Context Protocol.
    Mcp(Box<crate::mcp::Options>),
    /// List, search and show the tools that programs can call.
    Tools(crate::tools::Options),
    /// Create a crate for a custom interface that programs can import.
    #[command(subcommand)]
    Capability(Capability),
    /// List, inspect and verify the images that programs run in.
    #[command(subcommand)]
    Image(Image),
    /// Keep sandboxes for other commands, and serve them over HTTP.
    Serve(Box<service::Serve>),
    /// Create a sandbox that keeps its state, on the server.
    Create(Box<service::Create>),
    /// List sandboxes.
    List(service::List),
    /// Print a sandbox with its effective policy.
    Inspect(service::Inspect),
    /// Change how long a sandbox exists.
    Extend(service::Extend),
    /// Delete sandboxes.
    Destroy(service::Destroy),
    /// Run a program in a sandbox.
    Exec(Box<service::Exec>),
    /// List runs.
    Ps(service::Ps),
    /// Print the output of a run.
    Logs(service::Logs),
    /// Wait for the end of a run.
    Wait(service::Wait),
    /// Cancel a run.
    Cancel(service::Cancel),
    /// Save a sandbox and end its guests.
    Pause(service::Pause),
    /// Answer a call for which a paused program waits, in a file or on the server; or start the guests of a sandbox.
    Resume(Box<Resume>),
    /// Make sandboxes that continue from another one; or run a program in copies of a snapshot in a file.
    Fork(Box<Fork>),
    /// Take, list, restore and delete snapshots of sandboxes; or print the contents of a snapshot in a file.
    Snapshot(Snapshot),
    /// Do what lines of JSON on standard input ask for, in one sandbox.
    Proxy(Box<service::Proxy>),
    /// Print which isolations this machine has.
    Probe(service::Probe),
    /// Print a page that shows what runs did, from audit files.
    InspectRun(crate::inspect_run::InspectRun),
    /// Check and print policies.
    #[command(subcommand)]
    Policy(Policy),
    /// List and remove the snapshots that micro-VMs and processes start from.
    #[command(subcommand)]
    Cache(Cache),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}
