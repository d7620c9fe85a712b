//! Measures programs in a guest.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use isolette::{Isolation, Language, Sandbox, SandboxBuilder, Session, audit::Audit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{row::Row, server, spans::Spans, typed};

/// A time that is long enough for an engine to prepare the guests of the next runs. A model takes longer to write a program.
const GAP: Duration = Duration::from_millis(20);

/// The same programs in each language.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) language: Language,
    pub(crate) print: &'static str,
    tool_calls: &'static str,
    pub(crate) hundred_tool_calls: &'static str,
    pub(crate) hundred_clock_reads: &'static str,
    echo_tool_calls: &'static str,
    typed_calls: &'static str,
    echo_typed_calls: &'static str,
    bytes: &'static str,
    reads: &'static str,
    requests: &'static str,
}

pub(crate) const GUESTS: [Guest; 2] = [
    Guest {
        language: Language::Python,
        print: "print(1)",
        tool_calls: "for n in range(1000): call_tool('add', a=n, b=1)",
        hundred_tool_calls: "for n in range(100): call_tool('add', a=n, b=1)",
        hundred_clock_reads: "import time\nfor n in range(100): time.perf_counter()",
        echo_tool_calls: "place = {'name': 'Zürich', 'latitude': 47.37, 'longitude': 8.54, 'tags': ['lake', 'bank']}\n\
                          for n in range(1000): call_tool('place', place)",
        typed_calls: "from bench.typed.echo import Pair, add\nfor n in range(1000): add(Pair(n, 1))",
        echo_typed_calls: "from bench.typed import echo\nplace = echo.Place('Zürich', 47.37, 8.54, ['lake', 'bank'])\n\
                           for n in range(1000): echo.echo_place(place)",
        bytes: "from bench.typed import echo\ndata = bytes(1 << 20)\nfor n in range(10): echo.echo_bytes(data)",
        reads: "for n in range(1000):\n    with open('/input/note.txt') as f: f.read()",
        requests: "for n in range(200): http_get(BASE_URL)",
    },
    Guest {
        language: Language::JavaScript,
        print: "console.log(1)",
        tool_calls: "for (let n = 0; n < 1000; n++) call_tool('add', {a: n, b: 1}); undefined",
        hundred_tool_calls: "for (let n = 0; n < 100; n++) call_tool('add', {a: n, b: 1}); undefined",
        hundred_clock_reads: "for (let n = 0; n < 100; n++) performance.now(); undefined",
        echo_tool_calls: "var place = {name: 'Zürich', latitude: 47.37, longitude: 8.54, tags: ['lake', 'bank']}; \
                          for (let n = 0; n < 1000; n++) call_tool('place', place); undefined",
        typed_calls: "var echo = require('bench:typed/echo'); \
                      for (let n = 0; n < 1000; n++) echo.add({a: n, b: 1}); undefined",
        echo_typed_calls: "var echo = require('bench:typed/echo'); \
                           var place = {name: 'Zürich', latitude: 47.37, longitude: 8.54, tags: ['lake', 'bank']}; \
                           for (let n = 0; n < 1000; n++) echo.echoPlace(place); undefined",
        bytes: "var echo = require('bench:typed/echo'); var data = new Uint8Array(1 << 20); \
                for (let n = 0; n < 10; n++) echo.echoBytes(data); undefined",
        reads: "for (let n = 0; n < 1000; n++) read_file('/input/note.txt'); undefined",
        requests: "for (let n = 0; n < 200; n++) http_get(BASE_URL); undefined",
    },
];

#[derive(Deserialize, JsonSchema)]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Place {
    name: String,
    latitude: f64,
    longitude: f64,
    tags: Vec<String>,
}

/// Returns a sandbox with two tools, and an interface with the same functions.
pub(crate) fn builder(guest: &Guest, isolation: Isolation) -> SandboxBuilder {
    Sandbox::builder()
        .language(guest.language)
        .isolation(isolation)
        .tool_typed("add", "Adds", |pair: Pair| Ok::<_, String>(pair.a + pair.b))
        .tool_typed("place", "Returns its arguments", |place: Place| Ok::<_, String>(place))
        .capability(typed::Server)
}

pub(crate) fn measure(guest: &Guest, isolation: Isolation, spans: &Spans) -> anyhow::Result<Vec<Row>> {
    let language = guest.language;
    spans.clear();
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("note.txt"), "a line of text\n")?;
    let limits = {
        let mut limits = isolette::policy::Limits::default();
        limits.tool_calls = u64::MAX;
        limits.capability_calls = u64::MAX;
        limits.http_requests = u64::MAX;
        limits
    };
    let sandbox = builder(guest, isolation)
        .input_dir(folder.path())
        .base_url(&server::start()?)
        .limits(limits.clone())
        .build()?;
    let mut rows = vec![
        Row::milliseconds(
            format!("{language}: check the image that an earlier process has read (once a process)"),
            &spans.take("digest"),
        ),
        Row::milliseconds(format!("{language}: map the image (once a process)"), &spans.take("map")),
    ];

    let fresh = repeat(200, || check(sandbox.run(guest.print)))?;
    rows.push(Row::milliseconds(format!("{language}: instantiate"), &spans.take("instantiate")));
    rows.push(Row::milliseconds(format!("{language}: fresh instance and `{}`", guest.print), &fresh));
    let rested = timed(200, || thread::sleep(GAP), || check(sandbox.run(guest.print)))?;
    rows.push(Row::milliseconds(format!("{language}: the same, {} ms after the run before", GAP.as_millis()), &rested));

    let first = repeat(50, || {
        let mut session = sandbox.session()?;
        check(session.run("0"))?;
        Ok(session)
    })?;
    rows.push(Row::milliseconds(format!("{language}: new session and its first run"), &first));
    let mut session = sandbox.session()?;
    check(session.run(guest.print))?;
    let warm = repeat(500, || check(session.run(guest.print)))?;
    rows.push(Row::milliseconds(format!("{language}: warm run in a session"), &warm));
    for (what, count, code) in [
        ("tool call", 1000, guest.tool_calls),
        ("typed call", 1000, guest.typed_calls),
        ("tool call with a record there and back", 1000, guest.echo_tool_calls),
        ("typed call with the same record there and back", 1000, guest.echo_typed_calls),
        ("1 MiB of bytes there and back", 10, guest.bytes),
        ("open and read a small file", 1000, guest.reads),
        ("HTTP round trip on loopback", 200, guest.requests),
    ] {
        rows.push(Row::microseconds_each(format!("{language}: {what}"), count, &each(&mut session, code)?));
    }
    let audit = Audit::file(folder.path().join("audit.jsonl"))?;
    let mut audited = builder(guest, isolation).limits(limits).audit(&audit).build()?.session()?;
    let calls = each(&mut audited, guest.tool_calls)?;
    rows.push(Row::microseconds_each(format!("{language}: tool call, on record in an audit"), 1000, &calls));
    rows.push(throughput(&sandbox, guest)?);
    Ok(rows)
}

fn each(session: &mut Session, code: &str) -> anyhow::Result<Vec<Duration>> {
    repeat(15, || check(session.run(code)))
}

/// Measures runs on two threads, the number of cores of the smallest machines.
fn throughput(sandbox: &Sandbox, guest: &Guest) -> anyhow::Result<Row> {
    const THREADS: usize = 2;
    const RUNS: usize = 300;
    let started = Instant::now();
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let (sandbox, code) = (sandbox.clone(), guest.print);
            thread::spawn(move || (0..RUNS).try_for_each(|_| check(sandbox.run(code))))
        })
        .collect();
    for thread in threads {
        thread.join().map_err(|_| anyhow::anyhow!("a thread panicked"))??;
    }
    let rate = (THREADS * RUNS) as f64 / started.elapsed().as_secs_f64();
    Ok(Row::new(format!("{}: fresh instances on {THREADS} threads", guest.language), "runs/s", vec![rate]))
}

pub(crate) fn repeat<T>(count: usize, work: impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<Vec<Duration>> {
    timed(count, || {}, work)
}

/// Times some work, each time after something that does not count.
fn timed<T>(
    count: usize,
    mut before: impl FnMut(),
    mut work: impl FnMut() -> anyhow::Result<T>,
) -> anyhow::Result<Vec<Duration>> {
    // The first runs are a warm-up.
    for _ in 0..3 {
        work()?;
    }
    (0..count)
        .map(|_| {
            before();
            let started = Instant::now();
            let done = work()?;
            let took = started.elapsed();
            drop(done);
            Ok(took)
        })
        .collect()
}

pub(crate) fn check(result: Result<isolette::ExecutionResult, isolette::Error>) -> anyhow::Result<()> {
    let result = result?;
    match result.error {
        Some(error) => anyhow::bail!("the program failed: {}", error.traceback),
        None => Ok(()),
    }
}
