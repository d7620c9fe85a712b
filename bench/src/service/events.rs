//! Events of a run for a fast reader, beside one that is slow and loses nothing.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use isolette::Language;
use serde_json::{Value, json};

use super::{client::Client, id};
use crate::row::Row;

/// Lines that the program prints. Each is written by itself, to one stream and the other in turns, so that no two become one event.
const LINES: usize = 50_000;

pub(super) fn measure(socket: &Path, language: Language) -> anyhow::Result<Vec<Row>> {
    let code = match language {
        Language::Python => format!(
            "import sys\nfor number in range({LINES}):\n    (sys.stderr if number % 2 else sys.stdout).write(f'{{number}}\\n')\n    \
             (sys.stderr if number % 2 else sys.stdout).flush()"
        ),
        _ => format!("for (let n = 0; n < {LINES}; n++) n % 2 ? console.error(n) : console.log(n); undefined"),
    };
    let mut client = Client::connect(socket)?;
    let limits = json!({ "stdout": "8MiB", "stderr": "8MiB" });
    let body = json!({
        "code": code, "language": language.name(), "background": true, "policy": { "timeout": "2m", "limits": limits },
    });
    let run = id(&client.post("/v1/runs", &body)?)?;
    let path = format!("/v1/runs/{run}/events");
    thread::scope(|scope| {
        let slow = scope.spawn(|| {
            let mut count = 0_usize;
            Client::connect(socket)?.events(&path, || {
                count += 1;
                if count.is_multiple_of(1000) {
                    thread::sleep(Duration::from_millis(100));
                }
            })
        });
        let begin = Instant::now();
        let fast = Client::connect(socket)?.events(&path, || {})?;
        let time = begin.elapsed();
        let slow = slow.join().map_err(|_| anyhow::anyhow!("a reader panicked"))??;
        check(&fast)?;
        check(&slow)?;
        let events = fast.iter().filter(|line| line.starts_with("event: output")).count();
        let name = language.name();
        let row = |what: &str, unit, value| Row::new(format!("service, {name}: {what}"), unit, vec![value]);
        Ok(vec![
            row("events to one reader beside a slow one", "1/s", events as f64 / time.as_secs_f64()),
            row("lines in them", "1/s", LINES as f64 / time.as_secs_f64()),
        ])
    })
}

/// Checks that every line has arrived, in its order.
fn check(lines: &[String]) -> anyhow::Result<()> {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    for pair in lines.windows(2).filter(|pair| pair[0] == "event: output") {
        let data: Value = serde_json::from_str(pair[1].strip_prefix("data: ").context("data")?)?;
        let text = data["text"].as_str().context("text")?;
        if data["stream"] == "stdout" { stdout.push_str(text) } else { stderr.push_str(text) }
    }
    let numbers = |text: &str| text.lines().map(str::parse).collect::<Result<Vec<usize>, _>>();
    let expected = |from: usize| (from..LINES).step_by(2).collect::<Vec<_>>();
    ensure!(numbers(&stdout)? == expected(0) && numbers(&stderr)? == expected(1), "output was lost");
    Ok(())
}
