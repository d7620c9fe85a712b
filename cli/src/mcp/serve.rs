//! Starts the server with its settings, and shuts it down.

use std::time::Duration;

use isolette::{CancellationToken, EngineName, Error, Language, Metrics, Sandbox};
use isolette_mcp::{HttpError, HttpOptions, HttpServer, MetricsServer, Server, serve_stdio};
use tokio::runtime::Runtime;

use super::Options;
use crate::{
    audit::{AuditOptions, Recorder},
    config::{Config, ServerConfig},
    interrupt::signals,
    report, sandbox_options,
    sources::{ProvidedTools, Sources},
};

/// Minimum interval between listings of the tools of sources.
const BETWEEN_LISTINGS: Duration = Duration::from_millis(500);

pub(super) fn serve(options: Options) -> Result<(), Error> {
    on_threads(run(options.config()?))
}

/// Prints the effective configuration, and creates no files.
pub(super) fn explain(options: Options) -> Result<(), Error> {
    let json = options.json;
    let config = options.config()?;
    on_threads(async {
        config.server.set_limits_of_process();
        let sources = Sources::connect(&config).await?;
        let recorder = Recorder::open(&AuditOptions::default(), config.redaction()?)?;
        let provided = sources.provided().await?;
        provided.warn();
        let sandboxes = build(&config, &provided, &recorder)?;
        let explanations: Vec<_> = sandboxes.iter().map(Sandbox::explain).collect();
        match json {
            true => report::print(&explanations),
            false => explanations.iter().for_each(|explanation| report::line(&explanation.to_string())),
        }
        sources.close().await;
        Ok(())
    })
}

fn on_threads(work: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    let runtime = Runtime::new().map_err(|source| Error::Io { context: "cannot start threads".into(), source })?;
    let done = runtime.block_on(work);
    // A blocking read of standard input may be pending until the client closes it.
    runtime.shutdown_background();
    done
}

async fn run(config: Config) -> Result<(), Error> {
    // This comes first, because documents and tool lists of sources are values, too.
    config.server.set_limits_of_process();
    let sources = Sources::connect(&config).await?;
    let mut redaction = config.redaction()?;
    let mut recorder = Recorder::open(&config.server.audit(), redaction.clone())?;
    recorder.metrics = config.server.metrics.map(|_| Metrics::new());
    let provided = sources.provided().await?;
    provided.warn();
    let sandboxes = build(&config, &provided, &recorder)?;
    // The secrets of the policy are redacted as well.
    sandboxes.iter().for_each(|sandbox| redaction.add_all(sandbox.redaction()));
    let profile = config.server.profile.unwrap_or_default();
    let pauses = sandboxes.iter().all(|sandbox| sandbox.explain().isolation.engine != EngineName::Wasm);
    let server = Server::new(profile, sandboxes, config.server.limits(), redaction)?;
    if let Some(directory) = &config.server.state {
        for refused in server.keep_state(directory).await? {
            say!("warning: {refused}");
        }
        if !pauses {
            say!("warning: programs that wait for approval do not survive the server with isolation wasm");
            say!(
                "hint: choose isolation process or microvm; tasks that have ended, and programs that have not begun, survive it"
            );
        }
    }
    let shutdown = signals()?;
    let watched = match (&recorder.metrics, config.server.metrics) {
        (Some(metrics), Some(address)) => {
            server.measure(metrics);
            let token = config.server.token.as_ref().map(|token| token.read()).transpose()?;
            let watched = MetricsServer::bind(metrics.clone(), address, token).await.map_err(unheard)?;
            say!("isolette: metrics at {}", watched.url());
            Some(tokio::spawn(watched.run(shutdown.clone())))
        }
        _ => None,
    };
    let serving = transport(server.clone(), &config.server, shutdown.clone());
    tokio::select! {
        done = serving => done?,
        () = follow(&config, &sources, &server, &recorder) => {}
    }
    if let Some(watched) = watched {
        watched.abort();
    }
    sources.close().await;
    recorder.finish()
}

fn build(config: &Config, provided: &ProvidedTools, recorder: &Recorder) -> Result<Vec<Sandbox>, Error> {
    let languages = match config.sandbox.languages.as_slice() {
        [] => &[Language::Python],
        languages => languages,
    };
    let mut sandboxes = Vec::new();
    for language in languages {
        let mut builder = recorder.put_on_record(sandbox_options::builder(&config.sandbox, *language));
        if config.sandbox.output.is_none() {
            builder = builder.temp_output();
        }
        for set in &provided.sets {
            builder = builder.tools(set.clone());
        }
        for url in &provided.base_urls {
            builder = builder.base_url(url);
        }
        sandboxes.push(builder.build()?);
    }
    Ok(sandboxes)
}

/// Lists the tools again when those of a source change, and replaces the sandboxes of the server for later runs.
async fn follow(config: &Config, sources: &Sources, server: &Server, recorder: &Recorder) {
    loop {
        sources.changed().await;
        match sources.provided().await.and_then(|provided| build(config, &provided, recorder)) {
            Ok(sandboxes) => {
                if let Err(error) = server.replace(sandboxes) {
                    say!("warning: {error}");
                }
            }
            // The previous tools are kept.
            Err(error) => say!("warning: the tools have changed and cannot be listed: {error}"),
        }
        // Limits the load by a source that reports changes all the time.
        tokio::time::sleep(BETWEEN_LISTINGS).await;
    }
}

async fn transport(server: Server, config: &ServerConfig, shutdown: CancellationToken) -> Result<(), Error> {
    let Some(address) = config.http else {
        return serve_stdio(server, shutdown).await.map_err(|message| Error::InvalidArgument {
            message: format!("the client does not speak the protocol: {message}"),
            hint: "clients start this program; `--print-config` prints the settings for it".into(),
        });
    };
    let mut options = HttpOptions::new(address);
    options.hosts.extend(config.hosts.iter().cloned());
    options.origins.clone_from(&config.origins);
    options.token = config.token.as_ref().map(|token| token.read()).transpose()?;
    let server = HttpServer::bind(server, options).await.map_err(unheard)?;
    report::line(&server.url());
    server.run(shutdown).await;
    Ok(())
}

fn unheard(error: HttpError) -> Error {
    Error::InvalidArgument { message: error.message(), hint: error.hint().into() }
}
