//! From the moment at which a token is cancelled to the moment at which the caller has the outcome.

use std::{
    sync::{Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use isolette::{CancellationToken, Error, Language, RunOptions, Sandbox, policy::Limits};
use serde_json::Value;

use crate::{row::Row, server, work::Guest};

const SAMPLES: usize = 30;

/// What a program gets to go from saying that it has begun to what it is cancelled in.
const A_MOMENT: Duration = Duration::from_millis(5);

/// Nothing ends by itself for so long.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// Where it is cancelled, and how it gets there in either language.
const PLACES: [(&str, &str, &str); 6] = [
    ("a loop", "while True: pass", "for (;;);"),
    ("a regular expression", "import re\nre.match('(a+)+$', 'a' * 60 + '!')", "/^(a+)+$/.test('a'.repeat(60) + '!')"),
    ("a sleep", "import time\ntime.sleep(3000)", "await new Promise((done) => setTimeout(done, 2_000_000))"),
    ("a tool that is awaited", "call_tool('hang')", "call_tool('hang')"),
    ("a tool that blocks", "call_tool('block')", "call_tool('block')"),
    ("a request that is not answered", "http_get(BASE_URL)", "http_get(BASE_URL)"),
];

pub(crate) fn measure(guest: &Guest) -> anyhow::Result<Vec<Row>> {
    let (sender, begun) = mpsc::channel();
    let (unblock, blocked) = mpsc::channel::<()>();
    let blocked = Mutex::new(blocked);
    let mut limits = Limits::default();
    (limits.wall_time, limits.cpu_time, limits.sleep) = (FOR_EVER, FOR_EVER, FOR_EVER);
    let sandbox = Sandbox::builder()
        .language(guest.language)
        .limits(limits)
        .base_url(&server::silent()?)
        .tool_typed("begun", "Tells", move |_: Value| sender.send(()).map_err(|error| error.to_string()))
        .tool_async("hang", "Never comes back", |_: Value| std::future::pending::<Result<(), String>>())
        .tool_typed("block", "Comes back when it is told to", move |_: Value| {
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
                // Whoever is blocked would hold up the next one.
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
        thread::sleep(A_MOMENT);
        let cancelled = Instant::now();
        token.cancel();
        match run.join() {
            Ok((end, Err(Error::Cancelled { .. }))) => Ok(end - cancelled),
            Ok((_, ended)) => anyhow::bail!("it was not cancelled: {ended:?}"),
            Err(_) => anyhow::bail!("the thread of the run panicked"),
        }
    })
}
