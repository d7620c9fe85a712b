//! The types of the command line. Arguments are checked here as far as that is possible for each argument alone.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand};
use isolette::{Determinism, Language, SandboxBuilder, interface::InterfaceName};

use crate::{
    audit::AuditOptions,
    exit,
    sandbox_options::{SandboxOptions, one_line},
    service::{self, ServerOptions},
};

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
    /// List and remove the snapshots that micro-VMs start from.
    #[command(subcommand)]
    Cache(Cache),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Run a program. Everything is denied and every limit is finite unless a flag changes it.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct Run {
    /// The program's file; `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "code", conflicts_with = "code")]
    pub(crate) file: Option<PathBuf>,
    /// The program's source.
    #[arg(short, long, value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// The language: python, javascript or typescript. Default: from the file name, else guessed from the source.
    #[arg(long, value_name = "LANGUAGE", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
    pub(crate) lang: Option<Language>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
    #[command(flatten)]
    pub(crate) audit: AuditOptions,

    /// Print one JSON object with the result, the output and all calls.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the effective configuration (engine, image, policy) and run nothing.
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) state: State,
    #[command(flatten)]
    pub(crate) repetition: Repetition,
}

/// The state of a session, kept from one program to the next in a file. With isolation `process` or `microvm`.
#[derive(Debug, Args)]
#[command(next_help_heading = "State")]
pub(crate) struct State {
    /// Continue from the snapshot in this file: its names, modules and files in /tmp.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["explain", "record", "replay"])]
    pub(crate) from: Option<PathBuf>,
    /// Save the state after the program in this file. Not after a program that failed: with an exception, or an exit code
    /// other than 0. With --pause-on, save the program if it is paused.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["explain", "record", "replay"])]
    pub(crate) save: Option<PathBuf>,
    /// Pause the program when it calls this tool, save it in the file of --save, and print the call. `isolette resume` answers
    /// it. The tool takes any arguments. May be repeated.
    #[arg(long, value_name = "TOOL", requires = "save", conflicts_with = "from")]
    pub(crate) pause_on: Vec<String>,
    /// Pause the program when a call needs approval, save it in the file of --save, and print the call. `isolette resume`
    /// approves or denies it.
    #[arg(long, requires = "save", conflicts_with = "from")]
    pub(crate) pause_for_approval: bool,
    /// Continue from a snapshot whatever its origin. Who made it can run machine code, in a process that has no rights but
    /// those of this sandbox.
    #[arg(long, requires = "from")]
    pub(crate) untrusted: bool,
}

/// Repeatable runs, for tests.
#[derive(Debug, Args)]
#[command(next_help_heading = "Repetition")]
pub(crate) struct Repetition {
    /// Start each run at the same time (2000-01-01), with the same random numbers; sleeps end immediately.
    #[arg(long)]
    deterministic: bool,
    /// Record HTTP exchanges in this directory, which must be empty or not exist. Implies --deterministic.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["replay", "explain"])]
    record: Option<PathBuf>,
    /// Answer requests from a directory that --record wrote, and send none. Implies --deterministic.
    #[arg(long, value_name = "DIR")]
    replay: Option<PathBuf>,
}

impl Repetition {
    pub(crate) fn apply(self, mut builder: SandboxBuilder) -> SandboxBuilder {
        if self.deterministic {
            builder = builder.deterministic(Determinism::default());
        }
        if let Some(directory) = self.record {
            builder = builder.record(directory);
        }
        if let Some(directory) = self.replay {
            builder = builder.replay(directory);
        }
        builder
    }
}

/// Snapshots of sandboxes on the server, and snapshots in files.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Snapshot {
    #[command(subcommand)]
    pub(crate) command: Option<service::SnapshotCommand>,
    /// A file that `run --save` wrote, whose contents are printed.
    #[arg(required = true)]
    pub(crate) file: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Answer a call for which a paused program waits, and continue the program. The rights and limits of a program in a file are those
/// of these flags. With the name of a sandbox on the server, and no answer, start its guests.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct Resume {
    /// The file, which `run --pause-on TOOL --save FILE` wrote, and which is replaced if the program is paused again; or a run on
    /// the server (run_…); or a sandbox.
    #[arg(value_name = "FILE|RUN|SANDBOX")]
    pub(crate) saved: PathBuf,
    /// The result of the first call, as JSON.
    #[arg(long, value_name = "JSON")]
    pub(crate) answer: Option<String>,
    /// Let the first call fail with this message.
    #[arg(long, value_name = "TEXT", conflicts_with = "answer")]
    pub(crate) error: Option<String>,
    /// Approve the first call, which is made then.
    #[arg(long, conflicts_with_all = ["answer", "error"])]
    pub(crate) approve: bool,
    /// Refuse the first call with this message.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["answer", "error", "approve"])]
    pub(crate) deny: Option<String>,
    /// Answers to several calls by their numbers: {"1": {"value": 5}, "2": {"error": "nobody is at home"}, "3": "approve", "4":
    /// {"deny": "too much"}}
    #[arg(long, value_name = "JSON", conflicts_with_all = ["answer", "error", "approve", "deny"])]
    pub(crate) answers: Option<String>,
    /// Print the calls that wait, and change nothing.
    #[arg(long, conflicts_with_all = ["answer", "error", "answers", "approve", "deny"])]
    pub(crate) show: bool,
    /// Pause the program when another call needs approval.
    #[arg(long)]
    pub(crate) pause_for_approval: bool,
    /// Pause the program on calls of this tool, too. The tools of the calls that wait are known. May be repeated.
    #[arg(long, value_name = "TOOL")]
    pub(crate) pause_on: Vec<String>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
    #[command(flatten)]
    pub(crate) audit: AuditOptions,
    #[command(flatten)]
    pub(crate) server: ServerOptions,
    /// Print one JSON object with the result, the output and all calls; or with the calls that wait; or with the run or sandbox.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Make sandboxes that continue from the present state of another one, and print their identifiers. With --code, run a program in
/// several copies of a snapshot in a file, one after the other, and print each result as a line of JSON.
#[derive(Debug, Args)]
pub(crate) struct Fork {
    /// The sandbox; with --code, the file of a snapshot, which `run --save` wrote.
    #[arg(value_name = "SANDBOX|FILE")]
    pub(crate) snapshot: PathBuf,
    /// The program's source. Each copy gets its number as the global COPY, from 0.
    #[arg(short, long, value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// How many. Default: 1 sandbox, or 2 copies of a file.
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) count: Option<u32>,
    #[command(flatten)]
    pub(crate) server: ServerOptions,
    /// Print the sandboxes as JSON.
    #[arg(long, conflicts_with = "code")]
    pub(crate) json: bool,
    /// The language of the program: python, javascript or typescript. Default: that of the snapshot.
    #[arg(long, value_name = "LANGUAGE", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
    pub(crate) lang: Option<Language>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Image {
    /// List the images on this machine.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the contents of an image.
    Inspect(ImageChoice),
    /// Compare every file of an image with its digest.
    Verify(ImageChoice),
    /// Make an image whose programs start in the state after a set-up program: modules imported, data loaded, functions defined.
    Warm(Box<WarmImage>),
}

/// The set-up program runs once for each isolation that the image is for, with the rights that the flags grant. The image has none
/// of them, and contains what the program had in memory.
#[derive(Debug, Args)]
pub(crate) struct WarmImage {
    /// The set-up program.
    #[arg(long = "run", value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The name of the image.
    #[arg(long)]
    pub(crate) name: String,
    /// Where the image is made. Default: a folder with its name in isolette/images of the user's data folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Replace an image with this name that was made in the same way.
    #[arg(long)]
    pub(crate) replace: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Capability {
    /// Create a crate with an interface in WIT, its implementation, tests and an example.
    New {
        /// The directory of the crate. Its last part is the name of the crate.
        directory: PathBuf,
        /// The interface. Default: acme:NAME/NAME@0.1.0
        #[arg(long, value_name = "NAMESPACE:PACKAGE/INTERFACE@VERSION")]
        interface: Option<InterfaceName>,
        /// The sources of Isolette to depend on. Default: the sources that this program was built from, if they still exist
        #[arg(long, value_name = "DIR")]
        isolette: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Policy {
    /// Check whether a policy is valid, and report errors.
    Check(PolicyChoice),
    /// Print the effective policy.
    Show(PolicyChoice),
}

#[derive(Debug, Args)]
pub(crate) struct PolicyChoice {
    /// The policy file, like `--policy`.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Cache {
    /// List the snapshots, most recently used first.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove snapshots that have not been used for a time. A sandbox creates missing snapshots again.
    Prune {
        /// Remove snapshots that were not used for this long; `0s` removes all.
        #[arg(long, value_name = "TIME", default_value = "30d", value_parser = |text: &str| humantime::parse_duration(text))]
        unused_for: Duration,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the directory of the snapshots.
    Path {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ImageChoice {
    /// A language, the name of an image, or its directory, as a path with a /.
    #[arg(value_name = "NAME|DIR")]
    pub(crate) image: String,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
