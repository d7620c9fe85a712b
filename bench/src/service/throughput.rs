//! Fresh runs a second by several clients, beside as many threads that use the library.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use isolette::Sandbox;
use serde_json::json;

use super::client::Client;
use crate::{
    row::Row,
    work::{Guest, check},
};

/// The time for which each is measured.
const LONG: Duration = Duration::from_secs(5);

/// Clients, or threads, at the same time.
const CLIENTS: usize = 8;

pub(super) fn measure(sandbox: &Sandbox, guest: &Guest, socket: &Path) -> anyhow::Result<[Row; 2]> {
    let language = guest.language;
    let in_library = a_second(|| Ok(()), |()| check(sandbox.run(guest.print)))?;
    let body = json!({ "code": guest.print, "language": language.name() });
    let served = a_second(|| Client::connect(socket), |client| client.post("/v1/runs", &body).map(drop))?;
    let row = |what: &str, value| {
        let name = format!("service, {language}: fresh runs {what}");
        Row::new(name, "1/s", vec![value])
    };
    Ok([
        row(&format!("in the library by {CLIENTS} threads"), in_library),
        row(&format!("by {CLIENTS} clients"), served),
    ])
}

/// Returns how often all threads together do something in a second.
fn a_second<C>(
    connect: impl Fn() -> anyhow::Result<C> + Sync,
    act: impl Fn(&mut C) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<f64> {
    let begin = Instant::now();
    let work = || -> anyhow::Result<usize> {
        let mut client = connect()?;
        let mut count = 0;
        while begin.elapsed() < LONG {
            act(&mut client)?;
            count += 1;
        }
        Ok(count)
    };
    let count: anyhow::Result<usize> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(work)).collect();
        clients.into_iter().map(|client| client.join().map_err(|_| anyhow::anyhow!("a client panicked"))?).sum()
    });
    Ok(count? as f64 / begin.elapsed().as_secs_f64())
}
