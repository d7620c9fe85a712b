//! `isolette mcp`: serves sandboxes to agents.
//!
//! Over standard input and output, only the protocol may use standard output; all messages go to standard error.

mod print_config;
mod repeated;
mod serve;

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use isolette::{Error, Language, policy::ApprovalFile};
use isolette_mcp::Profile;

use crate::{
    audit::AuditOptions,
    config::Config,
    exit,
    exit::Code,
    sandbox_options::{SandboxOptions, one_line, secret},
    sources::SourceOptions,
};

const EXAMPLES: &str = "\
Examples:
  isolette mcp
  isolette mcp --profile codemode --openapi https://api.example.com/openapi.json
  isolette mcp --mcp-server 'npx -y @modelcontextprotocol/server-everything'
  isolette mcp --http 127.0.0.1:8080 --profile sessions --lang python --lang javascript
  isolette mcp --config isolette.toml --print-config claude";

/// Serve agents over the Model Context Protocol, on standard input and output or over HTTP.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The tools that agents get: codeact (only execute_code), codemode (search, get_schema, get_execute_syntax and
    /// execute_code) or sessions (sandboxes that keep their state). Default: codeact.
    #[arg(long, value_name = "PROFILE", value_parser = |text: &str| text.parse::<Profile>())]
    profile: Option<Profile>,
    /// Serve over HTTP at this address and print the URL. With port 0, the system chooses a port.
    #[arg(long, value_name = "ADDRESS:PORT", help_heading = "HTTP")]
    http: Option<SocketAddr>,
    /// The bearer token that clients must send: env:VARIABLE or file:PATH. Required unless the address is on the loopback
    /// interface.
    // Parsed later: clap repeats invalid values, which may be the secret itself.
    #[arg(long, value_name = "SECRET", help_heading = "HTTP")]
    token: Option<String>,
    /// A host name by which clients reach this machine, in addition to localhost. May be repeated.
    #[arg(long, value_name = "NAME[:PORT]", help_heading = "HTTP", requires = "http")]
    host: Vec<String>,
    /// An origin of web pages that may connect, such as `https://app.example.com:443`. May be repeated.
    #[arg(long, value_name = "ORIGIN", help_heading = "HTTP", requires = "http")]
    origin: Vec<String>,
    /// Serve metrics for Prometheus at this address, as http://ADDRESS:PORT/metrics, with the same token. With port 0, the
    /// system chooses a port. The URL is printed on standard error.
    #[arg(long, value_name = "ADDRESS:PORT", help_heading = "Audit")]
    metrics: Option<SocketAddr>,
    /// Read settings from this file (docs/mcp.md). The command line overrides it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A language of programs. May be repeated; the first is the language of programs that do not specify one. Default: python.
    #[arg(long, value_name = "LANGUAGE", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
    lang: Vec<Language>,
    /// Keep programs that wait for approval, and tasks, in this directory, so that they survive the end of the server. It is made
    /// if it does not exist.
    #[arg(long, value_name = "DIRECTORY")]
    state: Option<PathBuf>,
    /// What needs approval through the client: never, always (each program), per-call, or a rule such as `ask github.*`, `deny
    /// http DELETE`. Rules may be repeated; the first match decides. Default: never, except for tools that require it.
    #[arg(long, value_name = "MODE|RULE")]
    approval: Vec<String>,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
    #[command(flatten)]
    pub(crate) audit: AuditOptions,
    /// Print the settings with which an application starts this server, or with --http connects to it, and serve nothing.
    #[arg(long, value_enum, value_name = "APPLICATION")]
    print_config: Option<Application>,
    /// Print the effective configuration (engine, image, policy) and serve nothing.
    #[arg(long)]
    explain: bool,
    /// Print it as JSON: an array with one object per language.
    #[arg(long, requires = "explain")]
    json: bool,
}

/// The application whose settings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Application {
    /// Claude Code and Claude Desktop.
    Claude,
    /// Visual Studio Code.
    Vscode,
    /// Cursor.
    Cursor,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Zed.
    Zed,
}

pub(crate) fn mcp(options: Options) -> Code {
    let done = match options.print_config {
        Some(application) => options.config().and_then(|config| print_config::print(application, &config)),
        None if options.explain => serve::explain(options),
        None => serve::serve(options),
    };
    match done {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

impl Options {
    /// Merges the command line over the file.
    fn config(self) -> Result<Config, Error> {
        let mut config = Config::read(self.config.as_deref())?;
        config.sandbox = self.sandbox.over(config.sandbox)?;
        if !self.lang.is_empty() {
            config.sandbox.languages = self.lang;
        }
        config.sandbox.approval = match self.approval.as_slice() {
            [] => config.sandbox.approval,
            [one] => Some(ApprovalFile::Mode(one.clone())),
            several => Some(ApprovalFile::Rules(several.to_vec())),
        };
        let server = &mut config.server;
        server.profile = self.profile.or(server.profile);
        server.http = self.http.or(server.http);
        if let Some(place) = &self.token {
            server.token = Some(secret("--token", place)?);
        }
        server.hosts.extend(self.host);
        server.origins.extend(self.origin);
        server.metrics = self.metrics.or(server.metrics);
        server.state = self.state.or(server.state.take());
        server.audit = self.audit.audit.or(server.audit.take());
        server.audit_arguments |= self.audit.audit_arguments;
        self.sources.add_to(&mut config)?;
        Ok(config)
    }
}
