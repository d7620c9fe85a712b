//! Measures calls that a program makes at the same time, beside the same calls one after another.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use futures::{StreamExt as _, stream};
use isolette::{Isolation, Language, Sandbox, SandboxBuilder, Session, policy::Limits};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::oneshot;

use crate::{
    row::Row,
    server,
    work::{self, Guest, check},
};

/// The same program in each language.
struct Programs {
    python: &'static str,
    javascript: &'static str,
}

impl Programs {
    fn of(&self, language: Language) -> &'static str {
        if language == Language::Python { self.python } else { self.javascript }
    }
}

/// The work that has to be done once in a session.
const PREPARE: Programs = Programs { python: "import asyncio, httpx", javascript: "undefined" };

const TEN_WAITS: Programs = Programs {
    python: "_ = await asyncio.gather(*(call_tool_async('wait', ms=100) for n in range(10)))",
    javascript: "await Promise.all(Array.from({length: 10}, () => call_tool_async('wait', {ms: 100}))); undefined",
};

const MANY_WAITS: Programs = Programs {
    python: "_ = await asyncio.gather(*(call_tool_async('wait_10_ms') for n in range(1000)))",
    javascript: "await Promise.all(Array.from({length: 1000}, () => call_tool_async('wait_10_ms', {}))); undefined",
};

const REQUESTS: Programs = Programs {
    python: "async with httpx.AsyncClient() as client:\n    \
             _ = await asyncio.gather(*(client.get(BASE_URL) for n in range(20)))",
    javascript: "await Promise.all(Array.from({length: 20}, async () => (await fetch(BASE_URL)).text())); undefined",
};

const SYNCHRONOUS: Programs = Programs {
    python: "for n in range(1000): call_tool('add', a=n, b=1)",
    javascript: "for (let n = 0; n < 1000; n++) call_tool('add', {a: n, b: 1}); undefined",
};

const AWAITED: Programs = Programs {
    python: "for n in range(1000): await call_tool_async('add', a=n, b=1)",
    javascript: "for (let n = 0; n < 1000; n++) await call_tool_async('add', {a: n, b: 1}); undefined",
};

const NAMED: Programs = Programs {
    python: "for n in range(1000): tools.add(a=n, b=1)",
    javascript: "for (let n = 0; n < 1000; n++) tools.add({a: n, b: 1}); undefined",
};

const STARTED: Programs = Programs {
    python: "for n in range(1000): await tools.add.start(a=n, b=1)",
    javascript: "for (let n = 0; n < 1000; n++) await tools.add.start({a: n, b: 1}); undefined",
};

const GATHERED: Programs = Programs {
    python: "_ = await asyncio.gather(*(call_tool_async('add', a=n, b=1) for n in range(1000)))",
    javascript: "await Promise.all(Array.from({length: 1000}, (_, n) => call_tool_async('add', {a: n, b: 1}))); undefined",
};

/// Time after which the server responds.
const RESPONSE_TIME: Duration = Duration::from_millis(50);

#[derive(Deserialize, JsonSchema)]
struct Wait {
    ms: u64,
}

#[derive(Deserialize, JsonSchema)]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// Ends waits after 10 ms. Tokio's timer adds up to two milliseconds, which would be a fifth of what is measured.
#[derive(Clone, Debug)]
struct Timer(mpsc::Sender<(Instant, oneshot::Sender<()>)>);

impl Timer {
    fn start() -> Self {
        let (sender, waits) = mpsc::channel::<(Instant, oneshot::Sender<()>)>();
        // All waits are equally long, so the first one to begin is the first one to end.
        thread::spawn(move || {
            for (end, done) in waits {
                thread::sleep(end.saturating_duration_since(Instant::now()));
                // The run may have ended before.
                let _ = done.send(());
            }
        });
        Self(sender)
    }

    async fn wait(&self) -> anyhow::Result<()> {
        let (done, waits) = oneshot::channel();
        self.0.send((Instant::now() + Duration::from_millis(10), done))?;
        Ok(waits.await?)
    }
}

fn builder(guest: &Guest, isolation: Isolation, set: impl FnOnce(&mut Limits)) -> SandboxBuilder {
    let mut limits = Limits::default();
    (limits.tool_calls, limits.http_requests) = (u64::MAX, u64::MAX);
    set(&mut limits);
    let timer = Timer::start();
    Sandbox::builder()
        .language(guest.language)
        .isolation(isolation)
        .limits(limits)
        .tool_typed("add", "Adds", |pair: Pair| Ok::<_, String>(pair.a + pair.b))
        .tool_typed_async("wait", "Waits", async |Wait { ms }| {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            Ok::<_, String>(())
        })
        .tool_typed_async("wait_10_ms", "Waits", move |Nothing {}| {
            let timer = timer.clone();
            async move { timer.wait().await }
        })
}

fn session(builder: SandboxBuilder, guest: &Guest) -> anyhow::Result<Session> {
    let mut session = builder.build()?.session()?;
    check(session.run(PREPARE.of(guest.language)))?;
    Ok(session)
}

pub(crate) fn measure(guest: &Guest, isolation: Isolation) -> anyhow::Result<Vec<Row>> {
    let language = guest.language;
    let mut rows = Vec::new();
    let mut waits = session(builder(guest, isolation, |limits| limits.parallel_calls = 16), guest)?;
    for (what, samples, programs) in [
        ("10 tool calls of 100 ms at the same time", 10, TEN_WAITS),
        ("1000 tool calls of 10 ms, 16 at a time", 5, MANY_WAITS),
    ] {
        let took = work::repeat(samples, || check(waits.run(programs.of(language))))?;
        rows.push(Row::milliseconds(format!("{language}: {what}"), &took));
    }
    let address = server::slow(RESPONSE_TIME)?;
    let requests = builder(guest, isolation, |limits| (limits.parallel_calls, limits.http_concurrent) = (20, 20));
    let mut requests = session(requests.base_url(&address), guest)?;
    let took = work::repeat(20, || check(requests.run(REQUESTS.of(language))))?;
    rows.push(Row::milliseconds(format!("{language}: 20 requests of 50 ms at the same time"), &took));
    rows.extend(calls(&mut waits, language)?);
    Ok(rows)
}

/// The cost of a call by the way in which it is made. The ways take turns, so that each sees the same state of the machine.
fn calls(session: &mut Session, language: Language) -> anyhow::Result<[Row; 6]> {
    const CALLS: u32 = 1000;
    const SAMPLES: usize = 15;
    let mut times: [Vec<Duration>; 5] = Default::default();
    for _ in 0..SAMPLES {
        for (programs, times) in [SYNCHRONOUS, AWAITED, NAMED, STARTED, GATHERED].iter().zip(&mut times) {
            times.extend(work::repeat(1, || check(session.run(programs.of(language))))?);
        }
    }
    let above = |times: &[Duration], synchronous: &[Duration]| {
        let pairs = times.iter().zip(synchronous);
        pairs.map(|(time, base)| (time.as_secs_f64() - base.as_secs_f64()) * 1e6 / f64::from(CALLS)).collect()
    };
    let [synchronous, awaited, named, started, gathered] = &times;
    let each = |what, times| Row::microseconds_each(format!("{language}: {what}"), CALLS, times);
    let more = |what, times, base| Row::new(format!("{language}: {what}"), "µs", above(times, base));
    Ok([
        each("tool call, one of 1000 synchronous ones", synchronous),
        each("tool call, one of 1000 that are awaited one after another", awaited),
        each("tool call, one of 1000 at the same time", gathered),
        more("what an awaited tool call costs above a synchronous one", awaited, synchronous),
        more("what `await tools.add.start(…)` costs above `tools.add(…)`", started, named),
        more("what a tool call at the same time as others costs above a synchronous one", gathered, synchronous),
    ])
}

/// The same waits without a sandbox: the least time that the timers permit.
pub(crate) fn native() -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build()?;
    let timer = &Timer::start();
    let long = sampled(10, || {
        runtime.block_on(async {
            let waits = (0..10).map(|_| tokio::time::sleep(Duration::from_millis(100)));
            futures::future::join_all(waits).await;
        });
    });
    let many = sampled(5, || {
        runtime.block_on(async {
            let waits = stream::iter(0..1000).map(|_| timer.wait()).buffer_unordered(16);
            waits.collect::<Vec<_>>().await;
        });
    });
    Ok(vec![
        Row::milliseconds("native: 10 waits of 100 ms at the same time", &long),
        Row::milliseconds("native: 1000 waits of 10 ms, 16 at a time", &many),
    ])
}

fn sampled(samples: usize, work: impl Fn()) -> Vec<Duration> {
    let sample = |_| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    (0..samples).map(sample).collect()
}
