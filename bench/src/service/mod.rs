//! Measures `isolette serve` over its socket beside the same work in the library, with connections that are kept.

pub(crate) mod capacity;
mod client;
mod events;
pub(crate) mod replicas;
mod throughput;

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use isolette::{CancellationToken, Isolation, Sandbox, policy::PolicyFile};
use isolette_service::{Address, Grants, Service, ServiceLimits};
use serde_json::{Value, json};

use self::client::Client;
use crate::{row::Row, work::Guest};

/// Samples of each row.
const SAMPLES: usize = 500;

/// Sandboxes whose saved state is measured.
const SAVED: u64 = 20;

pub(crate) fn measure(guest: &Guest, isolation: Isolation) -> anyhow::Result<Vec<Row>> {
    with_server(isolation, |socket| rows(guest, isolation, socket))
}

fn rows(guest: &Guest, isolation: Isolation, socket: &Path) -> anyhow::Result<Vec<Row>> {
    let language = guest.language;
    let mut client = Client::connect(socket)?;
    let mut rows = Vec::new();
    let mut row = |what: &str, samples: &[Duration]| {
        rows.push(Row::milliseconds(format!("service, {language}: {what}"), samples));
    };

    let sandbox = Sandbox::builder().language(language).isolation(isolation).temp_output().build()?;
    row("fresh run in the library", &timed(|| sandbox.run(guest.print).map(drop).map_err(Into::into))?);
    let fresh = json!({ "code": guest.print, "language": language.name() });
    row("fresh run", &timed(|| client.post("/v1/runs", &fresh).map(drop))?);

    let mut session = sandbox.session()?;
    row("run in a session of the library", &timed(|| session.run(guest.print).map(drop).map_err(Into::into))?);
    let code = json!({ "code": guest.print });
    for (what, is_checkpointed) in [("run in a context", false), ("run in a context that is saved", true)] {
        let body = json!({ "language": language.name(), "checkpoint": is_checkpointed });
        let runs = format!("/v1/sandboxes/{}/runs", id(&client.post("/v1/sandboxes", &body)?)?);
        row(what, &timed(|| client.post(&runs, &code).map(drop))?);
    }
    let made = id(&client.post("/v1/sandboxes", &json!({ "language": language.name() }))?)?;
    let place = format!("/v1/sandboxes/{made}");
    client.post(&format!("{place}/runs"), &code)?;
    let mut resumed = Vec::new();
    for _ in 0..SAMPLES / 10 {
        client.post(&format!("{place}/pause"), &json!({}))?;
        let begin = Instant::now();
        client.post(&format!("{place}/runs"), &code)?;
        resumed.push(begin.elapsed());
    }
    row("first run in a sandbox that is saved", &resumed);
    let before = stored(&mut client)?;
    for number in 0..SAVED {
        let made = id(&client.post("/v1/sandboxes", &json!({ "language": language.name() }))?)?;
        let code = json!({ "code": format!("{}; {number}", guest.print) });
        client.post(&format!("/v1/sandboxes/{made}/runs"), &code)?;
    }
    let bytes = (stored(&mut client)? - before) as f64 / SAVED as f64;
    rows.push(Row::new(format!("service, {language}: stored for one sandbox"), "KiB", vec![bytes / 1024.0]));
    rows.extend(throughput::measure(&sandbox, guest, socket)?);
    rows.extend(events::measure(socket, language)?);
    Ok(rows)
}

/// Measures only what [`throughput`] does.
pub(crate) fn throughput(guest: &Guest, isolation: Isolation) -> anyhow::Result<[Row; 2]> {
    let sandbox = Sandbox::builder().language(guest.language).isolation(isolation).temp_output().build()?;
    with_server(isolation, |socket| throughput::measure(&sandbox, guest, socket))
}

/// Measures something while a server of its own listens to a socket.
fn with_server<T>(isolation: Isolation, measure: impl FnOnce(&Path) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let folder = tempfile::tempdir()?;
    let socket = folder.path().join("s");
    let shutdown = CancellationToken::new();
    let serving = serve(folder.path().join("state"), socket.clone(), isolation, shutdown.clone())?;
    let measured = measure(&socket)?;
    shutdown.cancel();
    serving.join().map_err(|_| anyhow::anyhow!("the server panicked"))?;
    Ok(measured)
}

fn serve(
    state: PathBuf,
    socket: PathBuf,
    isolation: Isolation,
    shutdown: CancellationToken,
) -> anyhow::Result<thread::JoinHandle<()>> {
    serve_with(state, socket, isolation, ServiceLimits::default(), shutdown)
}

fn serve_with(
    state: PathBuf,
    socket: PathBuf,
    isolation: Isolation,
    limits: ServiceLimits,
    shutdown: CancellationToken,
) -> anyhow::Result<thread::JoinHandle<()>> {
    let policy = PolicyFile::parse(&format!("isolation = '{isolation}'"))?;
    let runtime = tokio::runtime::Runtime::new()?;
    let bound = runtime.block_on(async {
        let service = Service::open(&state, Grants::new(policy), limits).await?;
        service.bind(Address::Socket(socket))
    })?;
    Ok(thread::spawn(move || runtime.block_on(bound.run(shutdown))))
}

fn stored(client: &mut Client) -> anyhow::Result<u64> {
    client.send("GET", "/v1/health", "")?["stored_bytes"].as_u64().context("a number")
}

fn id(made: &Value) -> anyhow::Result<String> {
    Ok(made["id"].as_str().context("an identifier")?.to_owned())
}

fn timed(mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Vec<Duration>> {
    work()?;
    (0..SAMPLES)
        .map(|_| {
            let begin = Instant::now();
            work()?;
            Ok(begin.elapsed())
        })
        .collect()
}
