//! `isolette run`.

use std::path::PathBuf;

use clap::Args;
use isolette::{Determinism, Language, SandboxBuilder};

use crate::{
    audit::AuditOptions,
    exit,
    sandbox_options::{SandboxOptions, one_line},
};

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
