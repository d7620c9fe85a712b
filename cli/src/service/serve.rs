//! `isolette serve`: sandboxes that outlive the process that asked for them.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use isolette::{
    Error,
    policy::{PolicyFile, parse_duration},
};
use isolette_service::{Address, E2bDomain, Grants, Service, Token, openapi};
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::runtime::Runtime;

use super::place;
use crate::{
    audit::{AuditOptions, Recorder},
    config::{Config, ServiceConfig},
    exit::{self, Code},
    interrupt::signals,
    report,
    sandbox_options::{SandboxOptions, secret},
    sources::{SourceOptions, Sources},
};

const EXAMPLES: &str = "\
Examples:
  isolette serve
  isolette serve --openapi https://api.example.com/openapi.json
  isolette serve --http 127.0.0.1:7070 --token alice=env:ALICE_TOKEN --token bob=file:bob.token
  isolette serve --config isolette.toml

The flags of the policy grant rights. The user of the socket can choose any policy for a sandbox, as with isolette run; without one,
it has these rights. Callers with a token can only narrow them.";

/// Keep sandboxes and run programs in them, for `isolette create`, `exec` and others, and for programs over HTTP (docs/service.md).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Serve on this Unix socket, which only this user can open. Default: isolette/service.sock in XDG_RUNTIME_DIR, else beside the
    /// state.
    #[arg(long, value_name = "PATH", conflicts_with = "http")]
    socket: Option<PathBuf>,
    /// Serve over HTTP at this address instead, for callers with a token. With port 0, the system chooses a port.
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,
    /// The bearer token of a caller: CALLER=env:VARIABLE or CALLER=file:PATH. May be repeated.
    // Parsed later: clap repeats invalid values, which may be the secret itself.
    #[arg(long, value_name = "CALLER=SECRET")]
    token: Vec<String>,
    /// The domain of sandboxes for E2B's clients, with a port: each is at 49999-sb-….DOMAIN. Default: the host and the port that a
    /// client has addressed.
    #[arg(long, value_name = "DOMAIN")]
    e2b_domain: Option<String>,
    /// Keep sandboxes, runs and snapshots in this directory. It is made if it does not exist. Default: isolette/service in
    /// XDG_STATE_HOME, else in ~/.local/state.
    #[arg(long, value_name = "DIRECTORY")]
    state: Option<PathBuf>,
    /// Keep what survives in this store, which several servers share: s3://BUCKET/PREFIX or file:///FOLDER. Each continues the
    /// sandboxes of the others. The directory of --state has copies only.
    #[arg(long, value_name = "URL")]
    shared_store: Option<String>,
    /// Where the other servers reach this one, such as http://10.0.3.7:7070. Default: the address of --http.
    #[arg(long, value_name = "URL")]
    advertise: Option<String>,
    /// The key by which the servers recognize saved states of one another, 64 hexadecimal digits: env:VARIABLE or file:PATH.
    /// Default: that of the user.
    #[arg(long, value_name = "SECRET")]
    snapshot_key: Option<String>,
    /// End when there were no requests, runs and live guests for this time. Default: never.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    exit_when_idle: Option<Duration>,
    /// Read settings from this file (docs/service.md). The command line overrides it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
    #[command(flatten)]
    pub(crate) audit: AuditOptions,
    /// Print the OpenAPI document of the interface, and serve nothing.
    #[arg(long)]
    print_openapi: bool,
}

pub(crate) fn serve(options: Options) -> Code {
    if options.print_openapi {
        report::print(&openapi());
        return Code::SUCCESS;
    }
    let done = options.config().and_then(|config| {
        let runtime = Runtime::new().map_err(|source| Error::Io { context: "cannot start threads".into(), source })?;
        let done = runtime.block_on(run(config));
        runtime.shutdown_background();
        done
    });
    match done {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

impl Options {
    /// Merges the command line over the file.
    fn config(self) -> Result<Config, Error> {
        let mut config = Config::read(self.config.as_deref())?;
        let mut profiles = config.sandbox.profiles.clone();
        if let Some(path) = &self.sandbox.policy {
            profiles.extend(PolicyFile::read(path)?.profiles);
        }
        config.sandbox = self.sandbox.over(config.sandbox)?;
        // Callers can choose one of them.
        config.sandbox.profiles = profiles;
        let service = &mut config.service;
        service.socket = self.socket.or(service.socket.take());
        service.http = self.http.or(service.http);
        service.e2b_domain = self.e2b_domain.or(service.e2b_domain.take());
        service.state = self.state.or(service.state.take());
        service.shared_store = self.shared_store.or(service.shared_store.take());
        service.advertise = self.advertise.or(service.advertise.take());
        if let Some(place) = &self.snapshot_key {
            service.snapshot_key = Some(secret("--snapshot-key", place)?);
        }
        service.exit_when_idle = self.exit_when_idle.or(service.exit_when_idle);
        service.audit = self.audit.audit.or(service.audit.take());
        service.audit_arguments |= self.audit.audit_arguments;
        for text in &self.token {
            let (caller, place) = text.split_once('=').ok_or_else(|| {
                Error::invalid("`--token` has no caller", "name the caller before the secret: --token alice=env:TOKEN")
            })?;
            service.tokens.insert(caller.to_owned(), secret("--token", place)?);
        }
        self.sources.add_to(&mut config)?;
        Ok(config)
    }
}

async fn run(config: Config) -> Result<(), Error> {
    config.service.check()?;
    config.service.set_limits_of_process();
    permit_open_files();
    let sources = Sources::connect(&config).await?;
    let recorder = Arc::new(Recorder::open(&config.service.audit(), config.redaction()?)?);
    let provided = sources.provided().await?;
    provided.warn();
    let records = Arc::clone(&recorder);
    let grants = Grants::new(config.sandbox.clone()).prepare(move |builder| {
        let builder = records.put_on_record(builder);
        let builder = provided.sets.iter().cloned().fold(builder, |builder, set| builder.tools(set));
        provided.base_urls.iter().fold(builder, |builder, url| builder.base_url(url))
    });
    let state = match &config.service.state {
        Some(state) => state.clone(),
        None => place::state()?,
    };
    let address = address(&config.service, &state)?;
    let domain = config.service.e2b_domain.as_deref().map(E2bDomain::new).transpose()?;
    let limits = config.service.limits();
    let service = match config.service.shared_store()? {
        Some(store) => Service::open_shared(&state, store, grants, limits).await?,
        None => Service::open(&state, grants, limits).await?,
    };
    let mut bound = service.bind(address)?;
    if let Some(domain) = domain {
        bound = bound.e2b_domain(domain);
    }
    let shutdown = signals()?;
    report::line(bound.url());
    if let Some(time) = config.service.exit_when_idle {
        let (service, shutdown) = (service.clone(), shutdown.clone());
        tokio::spawn(async move {
            service.unused_for(time).await;
            shutdown.cancel();
        });
    }
    bound.run(shutdown).await;
    sources.close().await;
    recorder.finish()
}

/// Raises the number of files that this process may have open to what it is permitted to: each guest has some.
fn permit_open_files() {
    let mut limits = getrlimit(Resource::Nofile);
    limits.current = limits.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limits) {
        tracing::warn!(%error, "the number of open files stays as it was");
    }
}

fn address(config: &ServiceConfig, state: &std::path::Path) -> Result<Address, Error> {
    match (config.http, &config.socket) {
        (Some(address), _) => {
            let tokens = config.tokens.iter();
            let tokens = tokens.map(|(caller, place)| Ok(Token { caller: caller.clone(), secret: place.read()? }));
            Ok(Address::Tcp { address, tokens: tokens.collect::<Result<_, Error>>()? })
        }
        (None, _) if !config.tokens.is_empty() => Err(Error::invalid(
            "tokens are for callers over HTTP, and no address is named",
            "name one: --http 127.0.0.1:7070",
        )),
        (None, Some(socket)) => Ok(Address::Socket(socket.clone())),
        (None, None) if config.state.is_some() => Ok(Address::Socket(place::socket_in(state))),
        (None, None) => place::socket().map(Address::Socket),
    }
}
