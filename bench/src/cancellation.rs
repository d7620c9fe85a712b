//! Measures the time from the cancellation of a token until the caller receives the outcome.

use std::{
    sync::{Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use isolette::{CancellationToken, Error, Isolation, Language, RunOptions, Sandbox, policy::Limits};
use serde_json::Value;

use crate::{row::Row, server, work::Guest};

const SAMPLES: usize = 30;

/// Time for a program to get from its `begun` call to the operation that is cancelled.
const DELAY: Duration = Duration::from_millis(5);

/// Limit that is longer than the measurement.
const LONG: Duration = Duration::from_secs(3600);

/// The cancelled operation, and its program in Python and in JavaScript.
const PLACES: [(&str, &str, &str); 6] = [
    ("a loop", "while True: pass", "for (;;);"),
    ("a regular expression", "import re\nre.match('(a+)+$', 'a' * 60 + '!')", "/^(a+)+$/.test('a'.repeat(60) + '!')"),
    ("a sleep", "import time\ntime.sleep(3000)", "await new Promise((done) => setTimeout(done, 2_000_000))"),
    ("a tool that is awaited", "call_tool('hang')", "call_tool('hang')"),
    ("a tool that blocks", "call_tool('block')", "call_tool('block')"),
    ("a request that is not answered", "http_get(BASE_URL)", "http_get(BASE_URL)"),
];

pub(crate) fn measure(guest: &Guest, isolation: Isolation) -> anyhow::Result<Vec<Row>> {
    let (sender, begun) = mpsc::channel();
    let (unblock, blocked) = mpsc::channel::<()>();
    let blocked = Mutex::new(blocked);
    let mut limits = Limits::default();
    (limits.timeout, limits.cpu_time, limits.sleep) = (LONG, LONG, LONG);
    let sandbox = Sandbox::builder()
        .language(guest.language)
        .isolation(isolation)
        .limits(limits)
        .base_url(&server::silent()?)
        .tool_typed("begun", "Reports the start", move |_: Value| sender.send(()).map_err(|error| error.to_string()))
        .tool_typed_async("hang", "Never returns", |_: Value| std::future::pending::<Result<(), String>>())
        .tool_typed("block", "Returns after a signal", move |_: Value| {
            let blocked = blocked.lock().map_err(|error| error.to_string())?;
            blocked.recv().map_err(|error| error.to_string())
        })
        .build()?;
    let mut rows = Vec::new();
    for (place, python, javascript) in PLACES {
        let code = match guest.language {
            Language::Python => format!("call_tool('begun')\n{python}"),
            _ => format!("call_tool('begun'); {javascript}"),
        };
        let samples: Vec<Duration> = (0..SAMPLES)
            .map(|_| {
                let took = once(&sandbox, &begun, &code);
                // A tool that still blocks would delay the next run.
                if place == "a tool that blocks" {
                    unblock.send(())?;
                }
                took
            })
            .collect::<anyhow::Result<_>>()?;
        rows.push(Row::milliseconds(format!("{}: cancelled in {place}", guest.language), &samples));
    }
    Ok(rows)
}

fn once(sandbox: &Sandbox, begun: &mpsc::Receiver<()>, code: &str) -> anyhow::Result<Duration> {
    let token = CancellationToken::new();
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            let ended = sandbox.run_with(code, RunOptions::new().cancel(token.clone()));
            (Instant::now(), ended)
        });
        begun.recv_timeout(Duration::from_secs(30))?;
        thread::sleep(DELAY);
        let cancelled = Instant::now();
        token.cancel();
        match run.join() {
            Ok((end, Err(Error::Cancelled { .. }))) => Ok(end - cancelled),
            Ok((_, ended)) => anyhow::bail!("the run was not cancelled: {ended:?}"),
            Err(_) => anyhow::bail!("the thread of the run panicked"),
        }
    })
}
