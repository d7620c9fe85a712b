//! The command line, as types. What can be checked without the rest is checked here.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};
use isolette::{
    Determinism, Isolation, Language, SandboxBuilder,
    interface::InterfaceName,
    policy::{Access, MountFile, parse_duration, parse_size},
};
use serde_json::Value;

use crate::{audit::AuditOptions, exit};

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

/// What a sandbox is made of. What is not said here is as the configuration file has it, else as the help says.
#[derive(Debug, Default, Args)]
pub(crate) struct SandboxOptions {
    /// Take a policy from this file (docs/policy.md). What other flags say goes over it.
    #[arg(long, value_name = "FILE", help_heading = "Policy")]
    pub(crate) policy: Option<PathBuf>,
    /// Start from this profile: locked (nothing is allowed), web (GET and HEAD over https to public addresses), full
    /// (every public address), or one that the policy file defines. Default: locked, or what the file says.
    #[arg(long, value_name = "NAME", help_heading = "Policy")]
    pub(crate) policy_profile: Option<String>,
    /// What stands between the program and this machine: auto, wasm or microvm. Default: auto.
    #[arg(long, value_name = "ISOLATION", value_parser = |text: &str| text.parse::<Isolation>().map_err(one_line))]
    pub(crate) isolation: Option<Isolation>,
    /// The image's directory. Default: searched for.
    #[arg(long, value_name = "DIR")]
    pub(crate) image: Option<PathBuf>,

    /// Which requests may leave. Default: none, or allowlist if there is a rule.
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Network")]
    pub(crate) network: Option<NetworkMode>,
    /// Allow what a rule says: `api.example.com`, `*.example.com`, `GET,POST https://api.example.com/v1`; `+private` at
    /// the end for private addresses. May be repeated.
    #[arg(long, value_name = "RULE", help_heading = "Network")]
    pub(crate) allow: Vec<String>,
    /// Allow everything below this URL, and set BASE_URL and ALLOWED_BASE_URLS. May be repeated.
    #[arg(long, value_name = "URL", help_heading = "Network")]
    pub(crate) base_url: Vec<String>,

    /// Hold a secret for programs, named here and in the policy: env:VARIABLE or file:PATH. It is added to the requests that
    /// its rule is for, and programs never get it. May be repeated.
    // Read later: clap repeats what it cannot use, and that may be the secret itself.
    #[arg(long, value_name = "NAME=SECRET", help_heading = "Network")]
    pub(crate) secret: Vec<String>,
    /// Which requests a secret is for, as a network rule; over https alone, unless the rule begins with http://.
    #[arg(long, value_name = "NAME=RULE", value_parser = named, help_heading = "Network")]
    pub(crate) secret_rule: Vec<(String, String)>,
    /// The header that a secret is added as, such as X-Api-Key. Default: `Authorization: Bearer`.
    #[arg(long, value_name = "NAME=HEADER[: PREFIX]", value_parser = named, help_heading = "Network")]
    pub(crate) secret_header: Vec<(String, String)>,

    /// Show a directory to the program: HOST:GUEST, read-only, or HOST:GUEST:rw. May be repeated.
    #[arg(long, value_name = "HOST:GUEST[:ro|rw]", value_parser = mount, help_heading = "Files")]
    pub(crate) mount: Vec<MountFile>,
    /// Show a directory at /input, read-only.
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub(crate) input: Option<PathBuf>,
    /// Show a directory at /output, read-write; it is created if need be.
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,

    /// Set a global before the program starts. May be repeated.
    #[arg(long = "var", value_name = "NAME=JSON", value_parser = variable)]
    pub(crate) variables: Vec<(String, Value)>,
    /// Wall time for the program and all that the host does for it. Default: 30s.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// Memory of the guest, interpreter included. Default: 256MiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
}

/// Which requests may leave.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum NetworkMode {
    /// No request leaves.
    None,
    /// Requests leave that a rule allows.
    Allowlist,
    /// GET and HEAD requests over https to every public address leave.
    Web,
    /// Requests to every public address leave.
    Full,
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

fn mount(text: &str) -> Result<MountFile, String> {
    let (rest, access) = match text.rsplit_once(':') {
        Some((rest, "ro")) => (rest, Access::ReadOnly),
        Some((rest, "rw")) => (rest, Access::ReadWrite),
        _ => (text, Access::ReadOnly),
    };
    match rest.rsplit_once(':') {
        Some((host, guest)) if !host.is_empty() && guest.starts_with('/') => {
            Ok(MountFile { host: host.into(), guest: guest.to_owned(), access })
        }
        _ => {
            Err("expected HOST:GUEST, HOST:GUEST:ro or HOST:GUEST:rw with an absolute GUEST path, as in `./data:/data`"
                .into())
        }
    }
}

fn named(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected the secret's name before it, as in `github=…`")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn variable(text: &str) -> Result<(String, Value), String> {
    let (name, json) = text.split_once('=').ok_or("expected NAME=JSON, as in `LIMIT=10`")?;
    let value = serde_json::from_str(json)
        .map_err(|error| format!("`{json}` is not JSON ({error}); a text needs quotes, as in `{name}=\"text\"`"))?;
    Ok((name.to_owned(), value))
}

/// Clap puts an error into a line of its own.
pub(crate) fn one_line(error: isolette::Error) -> String {
    match error {
        isolette::Error::InvalidArgument { message, hint } => format!("{message}; {hint}"),
        error => error.to_string(),
    }
}
