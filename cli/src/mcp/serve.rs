//! From settings to a server that runs, and its end.

use std::process;

use isolette::{CancellationToken, Error, Language, Sandbox};
use isolette_mcp::{HttpOptions, HttpServer, Server, serve_stdio};
use tokio::{runtime::Runtime, signal::unix::SignalKind};

use super::Options;
use crate::{
    config::{Config, ServerConfig},
    exit, policy, report,
    sources::Sources,
};

pub(super) fn serve(options: Options) -> Result<(), Error> {
    let (config, explain) = options.config()?;
    let runtime = Runtime::new().map_err(|source| Error::Io { context: "cannot start threads".into(), source })?;
    let done = runtime.block_on(run(config, explain));
    // Something may still read standard input, and would go on until the other side closes it.
    runtime.shutdown_background();
    done
}

async fn run(config: Config, explain: bool) -> Result<(), Error> {
    let sources = Sources::connect(&config).await?;
    let sandboxes = build(&config, &sources).await?;
    if explain {
        for sandbox in &sandboxes {
            report::print_explanation(&sandbox.explain(), false);
        }
        return Ok(());
    }
    let profile = config.server.profile.unwrap_or_default();
    let server = Server::new(profile, sandboxes, config.server.limits(), config.redaction()?)?;
    let shutdown = signals()?;
    let serving = transport(server.clone(), &config.server, shutdown.clone());
    tokio::select! {
        done = serving => done?,
        () = follow(&config, &sources, &server) => {}
    }
    sources.close().await;
    Ok(())
}

async fn build(config: &Config, sources: &Sources) -> Result<Vec<Sandbox>, Error> {
    let lent = sources.lent().await?;
    let languages = match config.sandbox.languages.as_slice() {
        [] => &[Language::Python],
        languages => languages,
    };
    let mut sandboxes = Vec::new();
    for language in languages {
        let mut builder = policy::builder(&config.sandbox, *language)?;
        if config.sandbox.output.is_none() {
            builder = builder.temp_output();
        }
        for set in &lent.sets {
            builder = builder.tools(set.clone());
        }
        for url in &lent.base_urls {
            builder = builder.base_url(url);
        }
        sandboxes.push(builder.build()?);
    }
    Ok(sandboxes)
}

/// When the tools of a source change, later runs get the new ones.
async fn follow(config: &Config, sources: &Sources, server: &Server) {
    loop {
        sources.changed().await;
        match build(config, sources).await {
            Ok(sandboxes) => {
                if let Err(error) = server.replace(sandboxes) {
                    eprintln!("warning: {error}");
                }
            }
            // What was there before stays.
            Err(error) => eprintln!("warning: the tools have changed and cannot be listed: {error}"),
        }
    }
}

async fn transport(server: Server, config: &ServerConfig, shutdown: CancellationToken) -> Result<(), Error> {
    let Some(address) = config.http else {
        return serve_stdio(server, shutdown).await.map_err(|message| Error::InvalidArgument {
            message: format!("the client does not speak the protocol: {message}"),
            hint: "clients start this program themselves; `--print-config` says how to have them do it".into(),
        });
    };
    let mut options = HttpOptions::new(address);
    options.hosts.extend(config.hosts.iter().cloned());
    options.origins.clone_from(&config.origins);
    options.token = config.token.as_ref().map(|token| token.read()).transpose()?;
    let server = HttpServer::bind(server, options)
        .await
        .map_err(|error| Error::InvalidArgument { message: error.message(), hint: error.hint().into() })?;
    report::line(&server.url());
    server.run(shutdown).await;
    Ok(())
}

/// Cancelled by Ctrl-C and by the signal that asks a service to end. The second one ends the process at once.
fn signals() -> Result<CancellationToken, Error> {
    let failed = |source| Error::Io { context: "cannot listen for signals".into(), source };
    let mut interrupt = tokio::signal::unix::signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = tokio::signal::unix::signal(SignalKind::terminate()).map_err(failed)?;
    let token = CancellationToken::new();
    let on_signal = token.clone();
    tokio::spawn(async move {
        for _ in 0..2 {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if on_signal.is_cancelled() {
                process::exit(exit::CANCELLED.number());
            }
            on_signal.cancel();
        }
    });
    Ok(token)
}
