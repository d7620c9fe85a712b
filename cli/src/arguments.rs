//! The types of the command line. Arguments are checked here as far as that is possible for each argument alone.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand};
use isolette::{Determinism, Language, SandboxBuilder, interface::InterfaceName};

use crate::{
    audit::AuditOptions,
    exit,
    sandbox_options::{SandboxOptions, one_line},
};

const EXAMPLES: &str = "\
Examples:
  isolette run -c 'sum(range(10))'
  isolette run report.py --input data --output results --json
  isolette run fetch.py --base-url https://api.example.com/v1
  isolette run program.js --allow 'GET https://api.example.com' --timeout 5s
  isolette run program.py --explain";

/// Runs programs that nobody trusts: Python and JavaScript in a sandbox that can touch nothing but what you allow.
#[derive(Debug, Parser)]
#[command(name = "isolette", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// Say more on standard error: -v for runs and host calls, -vv for everything.
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
    /// Look at the tools that programs may call.
    Tools(crate::tools::Options),
    /// Begin an interface of your own that programs can import.
    #[command(subcommand)]
    Capability(Capability),
    /// Look at the images that programs run in.
    #[command(subcommand)]
    Image(Image),
    /// Look at policies.
    #[command(subcommand)]
    Policy(Policy),
    /// Look after the snapshots that micro-VMs start from.
    #[command(subcommand)]
    Cache(Cache),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Run a program. Everything is denied and every limit is finite until a flag says otherwise.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct Run {
    /// The file with the program; `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "code", conflicts_with = "code")]
    pub(crate) file: Option<PathBuf>,
    /// The program itself.
    #[arg(short, long, value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// The language: python, javascript or typescript. Default: by the file's ending, else by the look of the program.
    #[arg(long, value_name = "LANGUAGE", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
    pub(crate) lang: Option<Language>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
    #[command(flatten)]
    pub(crate) audit: AuditOptions,

    /// Print one JSON object with everything, instead of the program's output.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what would be in effect (engine, image, policy) and run nothing.
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) repetition: Repetition,
}

/// How a run can be made again, for tests.
#[derive(Debug, Args)]
#[command(next_help_heading = "Repetition")]
pub(crate) struct Repetition {
    /// Begin at the same moment each time (2000-01-01), with the same random numbers; sleeps are over at once.
    #[arg(long)]
    deterministic: bool,
    /// Keep HTTP exchanges in this directory, which must be empty or not there yet. Implies --deterministic.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["replay", "explain"])]
    record: Option<PathBuf>,
    /// Answer requests from a directory that --record has made, and send none. Implies --deterministic.
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

#[derive(Debug, Subcommand)]
pub(crate) enum Image {
    /// List the images that are found on this machine.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print what an image is made of.
    Inspect(ImageChoice),
    /// Compare every file of an image with its digest.
    Verify(ImageChoice),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Capability {
    /// Make a crate to start from: an interface in WIT, what serves it, tests and an example.
    New {
        /// Where; its last part is the name of the crate.
        directory: PathBuf,
        /// The interface. Default: acme:NAME/NAME@0.1.0
        #[arg(long, value_name = "NAMESPACE:PACKAGE/INTERFACE@VERSION")]
        interface: Option<InterfaceName>,
        /// Sources of Isolette to depend on. Default: those that this program was built in, if it is still there
        #[arg(long, value_name = "DIR")]
        isolette: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Policy {
    /// Say whether a policy can be used, and what is wrong with it if not.
    Check(PolicyChoice),
    /// Print what would be enforced.
    Show(PolicyChoice),
}

#[derive(Debug, Args)]
pub(crate) struct PolicyChoice {
    /// The policy file, as `--policy` takes it.
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
    /// List the snapshots, the latest used first.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove snapshots that nobody has used for a time. A sandbox makes what it needs again.
    Prune {
        /// How long nobody has used them; `0s` removes all.
        #[arg(long, value_name = "TIME", default_value = "30d", value_parser = |text: &str| humantime::parse_duration(text))]
        unused_for: Duration,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print where the snapshots are.
    Path {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ImageChoice {
    /// A language, or the directory of an image.
    #[arg(value_name = "LANGUAGE|DIR")]
    pub(crate) image: String,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
