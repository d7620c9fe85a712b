//! The options of the commands that send requests to a server.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use isolette::{Language, policy::parse_duration};
use serde_json::Value;

use super::ServerOptions;
use crate::{
    exit,
    sandbox_options::{SandboxOptions, one_line, variable},
};

/// Create a sandbox, and print its identifier. Its policy is that of the flags; by default, everything is denied.
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// A name, by which the sandbox can be found instead of its identifier.
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// The language of programs that do not name one: python, javascript or typescript. Default: python.
    #[arg(long, value_name = "LANGUAGE", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
    pub(super) lang: Option<Language>,
    /// How long the sandbox exists. Default: 1 day.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) ttl: Option<Duration>,
    /// How long it may be unused before it is saved and its guests end. Default: 5 minutes.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) idle: Option<Duration>,
    /// Save contexts when the sandbox is idle or paused, or the server is stopped, and not after each program. If the server is
    /// killed, what programs did since then is lost.
    #[arg(long)]
    pub(super) no_checkpoint: bool,
    /// Begin with this snapshot.
    #[arg(long, value_name = "SNAPSHOT")]
    pub(super) snapshot: Option<String>,
    /// A tool that is answered with `isolette resume RUN`. It takes any arguments. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(super) tool: Vec<String>,
    /// Let calls that need approval wait for `isolette resume RUN --approve`. Else they are denied.
    #[arg(long)]
    pub(super) wait_for_approval: bool,
    /// Pause programs while their calls wait for `isolette resume RUN`: for days, if need be, and after the server was ended as well.
    /// Else their guests wait, within the time of the program.
    #[arg(long)]
    pub(super) pauses: bool,
    /// A text to keep with the sandbox. May be repeated.
    #[arg(long, value_name = "KEY=TEXT", value_parser = key_and_text)]
    pub(super) metadata: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) sandbox: SandboxOptions,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

fn key_and_text(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=TEXT, as in `conversation=17`")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// List sandboxes.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Print a sandbox with its effective policy.
#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// The identifier or the name of the sandbox.
    pub(super) sandbox: String,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Change how long a sandbox exists.
#[derive(Debug, Args)]
pub(crate) struct Extend {
    /// The identifier or the name of the sandbox.
    pub(super) sandbox: String,
    /// How long it exists from now on.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, required_unless_present = "idle")]
    pub(super) ttl: Option<Duration>,
    /// How long it may be unused before it is saved.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) idle: Option<Duration>,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Delete sandboxes with their contexts and files. Their snapshots remain.
#[derive(Debug, Args)]
pub(crate) struct Destroy {
    /// The identifiers or names.
    #[arg(required = true)]
    pub(super) sandboxes: Vec<String>,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

/// Save a sandbox and end its guests. The next program continues it.
#[derive(Debug, Args)]
pub(crate) struct Pause {
    /// The identifier or the name of the sandbox.
    pub(super) sandbox: String,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Run a program in a sandbox. Names, imports and files remain for the next one.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct Exec {
    /// The identifier or the name of the sandbox.
    pub(super) sandbox: String,
    /// The program's file; `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present_any = ["code", "cmd"], conflicts_with_all = ["code", "cmd"])]
    pub(super) file: Option<PathBuf>,
    /// The program's source.
    #[arg(short, long, value_name = "CODE", conflicts_with = "cmd")]
    pub(super) code: Option<String>,
    /// A command: python3 or node with -c, -e, -m or a file; or cat, echo, printf, pwd, ls, test, mkdir, rm; several with &&, the
    /// output into a file with >. There is no shell.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["context", "lang", "var", "background", "rollback_on_error"])]
    pub(super) cmd: Option<String>,
    /// The context, which is made if it does not exist. Default: default.
    #[arg(long, value_name = "NAME")]
    pub(super) context: Option<String>,
    /// The language: python, javascript or typescript. Default: from the file name, else that of the context or sandbox.
    #[arg(long, value_name = "LANGUAGE", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
    pub(super) lang: Option<Language>,
    /// Wall time of the program, or of each program of a command. Default: that of the policy.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) timeout: Option<Duration>,
    /// Set a global before the program starts. May be repeated.
    #[arg(long = "var", value_name = "NAME=JSON", value_parser = variable)]
    pub(super) var: Vec<(String, Value)>,
    /// Return to the state before the program if it fails.
    #[arg(long)]
    pub(super) rollback_on_error: bool,
    /// Write a file before the program. Relative paths are in /workspace. May be repeated.
    #[arg(long, value_name = "PATH=TEXT", value_parser = path_and_text)]
    pub(super) write: Vec<(String, String)>,
    /// Print a file after the program. May be repeated.
    #[arg(long, value_name = "PATH", conflicts_with = "background")]
    pub(super) read: Vec<String>,
    /// Print the identifier of the run as it begins, and do not wait for it.
    #[arg(short, long)]
    pub(super) background: bool,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print one JSON object with the run; with --cmd, an array of the runs of its programs.
    #[arg(long)]
    pub(super) json: bool,
}

fn path_and_text(text: &str) -> Result<(String, String), String> {
    let (path, content) = text.split_once('=').ok_or("expected PATH=TEXT, as in `data/a.txt=hello`")?;
    Ok((path.to_owned(), content.to_owned()))
}

/// List runs that have not ended.
#[derive(Debug, Args)]
pub(crate) struct Ps {
    /// Also those that have ended.
    #[arg(short, long)]
    pub(super) all: bool,
    /// Only those in this sandbox.
    #[arg(long, value_name = "SANDBOX")]
    pub(super) sandbox: Option<String>,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Print the output of a run.
#[derive(Debug, Args)]
pub(crate) struct Logs {
    /// The identifier of the run.
    pub(super) run: String,
    /// Go on until the run has ended.
    #[arg(short, long)]
    pub(super) follow: bool,
    /// Only stdout or stderr.
    #[arg(long, value_parser = ["stdout", "stderr"])]
    pub(super) stream: Option<String>,
    /// Begin at this byte.
    #[arg(long, value_name = "BYTE", default_value_t = 0)]
    pub(super) offset: u64,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

/// Wait for the end of a run, and print its result. The exit code is that of `run`.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct Wait {
    /// The identifier of the run.
    pub(super) run: String,
    /// How long. Exit code 124 if the run has not ended by then.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub(super) timeout: Duration,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Cancel a run.
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    /// The identifier of the run.
    pub(super) run: String,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Snapshots of sandboxes.
#[derive(Debug, Subcommand)]
pub(crate) enum SnapshotCommand {
    /// Take a snapshot of a sandbox: its contexts and files. It waits for programs that run.
    Create(TakeSnapshot),
    /// List snapshots.
    List {
        /// Only those of this sandbox, by its identifier.
        #[arg(long, value_name = "SANDBOX")]
        sandbox: Option<String>,
        #[command(flatten)]
        server: ServerOptions,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Return a sandbox to a snapshot. To make another sandbox of it: isolette create --snapshot.
    Restore {
        /// The identifier or the name of the sandbox.
        sandbox: String,
        /// The identifier of the snapshot.
        snapshot: String,
        #[command(flatten)]
        server: ServerOptions,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Delete snapshots.
    Rm {
        /// The identifiers of the snapshots.
        #[arg(required = true)]
        snapshots: Vec<String>,
        #[command(flatten)]
        server: ServerOptions,
    },
}

/// A snapshot to take.
#[derive(Debug, Args)]
pub(crate) struct TakeSnapshot {
    /// The identifier or the name of the sandbox.
    pub(super) sandbox: String,
    /// A text to keep with it.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) note: String,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}
