//! `isolette snapshot`, `resume` and `fork`: states in files and on the server.

use std::path::PathBuf;

use clap::Args;
use isolette::Language;

use crate::{
    audit::AuditOptions,
    exit,
    sandbox_options::{SandboxOptions, one_line},
    service::{self, ServerOptions},
};

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
    /// the server (run-…); or a sandbox.
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
    /// Answers to several calls by their numbers: {"1": {"value": 5}, "2": {"error": "no such order"}, "3": "approve", "4":
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
