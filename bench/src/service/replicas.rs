//! A simulation: 10,000 sandboxes on three servers that share a folder. One of the servers is killed, and all sandboxes continue.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::{client::Client, id};
use crate::row::Row;

const SANDBOXES: usize = 10_000;
const SERVERS: usize = 3;
const CLIENTS: usize = 6;

/// Live guests of one server; the others are saved.
const GUESTS: usize = 300;

/// The time for which a request is sent again while sandboxes move.
const RETRY_TIMEOUT: Duration = Duration::from_secs(120);

struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(folder: &Path, number: usize) -> anyhow::Result<Server> {
    let program = std::env::current_exe()?.with_file_name("isolette");
    let config = folder.join("isolette.toml");
    let text = format!("[service]\nguests = {GUESTS}\nsandboxes_of_caller = {SANDBOXES}\nlease = '5s'\nidle = '10s'");
    std::fs::write(&config, text)?;
    let mut child = Command::new(program)
        .args(["serve", "--isolation", "process", "--http", "127.0.0.1:0", "--token", "a=env:TOKEN", "--config"])
        .arg(&config)
        .arg("--shared-store")
        .arg(format!("file://{}/objects", folder.display()))
        .arg("--state")
        .arg(folder.join(format!("state-{number}")))
        .env("TOKEN", "t")
        .stdout(Stdio::piped())
        .spawn()
        .context("`isolette` is not beside this program: build the package isolette-cli, too")?;
    let mut url = String::new();
    BufReader::new(child.stdout.take().context("it is piped")?).read_line(&mut url)?;
    Ok(Server { child, url: url.trim().to_owned() })
}

pub(crate) fn measure() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let mut servers = (0..SERVERS).map(|number| start(folder.path(), number)).collect::<anyhow::Result<Vec<_>>>()?;
    let row = |what: &str, unit, value| Row::new(format!("{SERVERS} servers: {what}"), unit, vec![value]);
    let begin = Instant::now();
    let made = in_parallel(&servers, |client, number, _| {
        let sandbox = id(&client.post("/v1/sandboxes", &json!({}))?)?;
        client.post(&format!("/v1/sandboxes/{sandbox}/runs"), &json!({ "code": format!("x = {number}") }))?;
        Ok(sandbox)
    })?;
    let mut rows = vec![row("sandboxes made and used once", "1/s", SANDBOXES as f64 / begin.elapsed().as_secs_f64())];
    drop(servers.remove(0));
    let begin = Instant::now();
    let times = in_parallel(&servers, |client, number, url| {
        let begun = Instant::now();
        loop {
            let run = client.post(&format!("/v1/sandboxes/{}/runs", made[number]), &json!({ "code": "x" }));
            match run {
                Ok(run) => {
                    ensure!(run["result"]["value"] == number, "{number}: {run}");
                    return Ok(begun.elapsed());
                }
                // The connection is of no use after a failure.
                Err(error) if begun.elapsed() > RETRY_TIMEOUT => return Err(error),
                Err(_) => *client = Client::connect_to(url, "t")?,
            }
        }
    })?;
    let all = begin.elapsed().as_secs_f64();
    rows.push(row("sandboxes that continue after one server was killed, of 10,000", "sandboxes", times.len() as f64));
    rows.push(row("sandboxes that continue", "1/s", SANDBOXES as f64 / all));
    let longest = times.iter().max().context("times")?.as_secs_f64();
    rows.push(row("the longest wait for a sandbox", "s", longest));
    let (count, bytes) = size(&folder.path().join("objects"))?;
    rows.push(row("objects in the store", "objects", count as f64));
    rows.push(row("stored for one sandbox", "KiB", bytes as f64 / SANDBOXES as f64 / 1024.0));
    Ok(rows)
}

/// Does something for every number, by clients that are connected to the servers in turns. Returns the results in order.
fn in_parallel<T: Send>(
    servers: &[Server],
    work: impl Fn(&mut Client, usize, &str) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let one = |number: usize| -> anyhow::Result<Vec<(usize, T)>> {
        let url = &servers[number % servers.len()].url;
        let mut client = Client::connect_to(url, "t")?;
        (number..SANDBOXES).step_by(CLIENTS).map(|number| Ok((number, work(&mut client, number, url)?))).collect()
    };
    let one = &one;
    let mut done = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|number| scope.spawn(move || one(number))).collect();
        let mut done = Vec::new();
        for client in clients {
            done.extend(client.join().map_err(|_| anyhow::anyhow!("a client panicked"))??);
        }
        anyhow::Ok(done)
    })?;
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// The number and the bytes of all files below a folder.
fn size(folder: &Path) -> anyhow::Result<(u64, u64)> {
    let (mut count, mut bytes) = (0, 0);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let (more, larger) = if metadata.is_dir() { size(&entry.path())? } else { (1, metadata.len()) };
        (count, bytes) = (count + more, bytes + larger);
    }
    Ok((count, bytes))
}
