//! Many sandboxes in one server: live, and saved.

use std::{fs, thread, time::Instant};

use anyhow::Context as _;
use isolette::{CancellationToken, Isolation, Language};
use isolette_service::ServiceLimits;
use serde_json::json;

use super::{client::Client, id, serve_with, stored};
use crate::row::Row;

/// Sandboxes, each with a context that has run a program.
const SANDBOXES: usize = 5000;

/// Live guests. The other sandboxes are saved.
const LIVE: usize = 2000;

/// Clients that make them.
const CLIENTS: usize = 4;

/// Sandboxes that continue.
const RESUMED: usize = 200;

pub(crate) fn measure(isolation: Isolation) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let (socket, state) = (folder.path().join("s"), folder.path().join("state"));
    let shutdown = CancellationToken::new();
    let mut limits = ServiceLimits::default();
    (limits.guests, limits.sandboxes_of_caller) = (LIVE, SANDBOXES);
    let serving = serve_with(state, socket.clone(), isolation, limits, shutdown.clone())?;
    let before = available()?;
    let begin = Instant::now();
    let make = |client: usize| -> anyhow::Result<Vec<String>> {
        let mut client_ = Client::connect(&socket)?;
        let mut made = Vec::new();
        for number in (client..SANDBOXES).step_by(CLIENTS) {
            let sandbox = id(&client_.post("/v1/sandboxes", &json!({ "idle": "1h" }))?)?;
            client_.post(&format!("/v1/sandboxes/{sandbox}/runs"), &json!({ "code": format!("x = {number}") }))?;
            made.push(sandbox);
        }
        Ok(made)
    };
    let made: anyhow::Result<Vec<Vec<String>>> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || make(client))).collect();
        clients.into_iter().map(|client| client.join().map_err(|_| anyhow::anyhow!("a client panicked"))?).collect()
    });
    let made = made?.concat();
    let name = Language::Python.name();
    let row = |what: &str, unit, values| Row::new(format!("service, {name}: {what}"), unit, values);
    let mut rows =
        vec![row("sandboxes made and used once", "1/s", vec![SANDBOXES as f64 / begin.elapsed().as_secs_f64()])];
    let used = before.saturating_sub(available()?) as f64 / 1024.0;
    rows.push(row(&format!("memory of the machine for {SANDBOXES} sandboxes, {LIVE} of them live"), "MiB", vec![used]));
    let mut client = Client::connect(&socket)?;
    for sandbox in &made {
        client.post(&format!("/v1/sandboxes/{sandbox}/pause"), &json!({}))?;
    }
    let used = before.saturating_sub(available()?) as f64 / 1024.0;
    rows.push(row(&format!("memory of the machine for {SANDBOXES} saved sandboxes"), "MiB", vec![used]));
    let bytes = stored(&mut client)? as f64 / SANDBOXES as f64 / 1024.0;
    rows.push(row("stored for one sandbox", "KiB", vec![bytes]));
    let mut resumed = Vec::new();
    for sandbox in made.iter().step_by(SANDBOXES / RESUMED) {
        let begin = Instant::now();
        client.post(&format!("/v1/sandboxes/{sandbox}/runs"), &json!({ "code": "x" }))?;
        resumed.push(begin.elapsed());
    }
    rows.push(Row::milliseconds(format!("service, {name}: first run in one of {SANDBOXES} saved sandboxes"), &resumed));
    shutdown.cancel();
    serving.join().map_err(|_| anyhow::anyhow!("the server panicked"))?;
    Ok(rows)
}

/// Memory that the machine has for other programs, in KiB. The files of the state are part of it, since the system can drop them.
fn available() -> anyhow::Result<u64> {
    let text = fs::read_to_string("/proc/meminfo")?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).context("MemAvailable")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
