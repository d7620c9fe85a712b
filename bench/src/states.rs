//! Measures snapshots of sessions and sessions that continue from them, and programs that are paused and saved.

use std::{
    thread,
    time::{Duration, Instant},
};

use isolette::{
    Answer, Isolation, Language, RunOptions, Sandbox, SavedRun, Session, SnapshotKey, Step, Tool, policy::Limits,
};
use serde_json::json;

use crate::{memory::proportional_set_size, row::Row, warm_images, work::Guest};

/// Samples of each row.
const SAMPLES: usize = 50;

/// The time in which a hundred guests end.
const PAUSE: Duration = Duration::from_millis(300);

pub(crate) fn measure(guest: &Guest, isolation: Isolation) -> anyhow::Result<Vec<Row>> {
    let language = guest.language;
    let sandbox = Sandbox::builder().language(language).isolation(isolation).build()?;
    // 100,000 numbers, some 4 MiB in Python.
    let (fill, look) = match language {
        Language::Python => ("numbers = list(range(1000, 101000))", "len(numbers)"),
        _ => ("var numbers = Array.from({length: 100000}, (_, n) => n + 0.5)", "numbers.length"),
    };
    let mut session = sandbox.session()?;
    session.run(fill)?;
    let mut rows = Vec::new();
    let mut row =
        |what: &str, samples: &[Duration]| rows.push(Row::milliseconds(format!("{language}: {what}"), samples));

    let snapshot = session.snapshot()?;
    row("snapshot of a session with 100,000 numbers", &timed(SAMPLES, || session.snapshot().map(drop))?);
    row(
        "session from a snapshot, first result",
        &timed(SAMPLES, || {
            let mut session = sandbox.session_from(&snapshot)?;
            session.run(look)
        })?,
    );
    for count in [10, 100] {
        row(&format!("fork({count}), until they can be used"), &rested(|| session.fork(count))?);
        let answered = |mut sessions: Vec<Session>| {
            sessions.iter_mut().try_for_each(|session| session.run(look).map(drop))?;
            Ok(sessions)
        };
        row(&format!("fork({count}), and a result from each"), &rested(|| session.fork(count).and_then(answered))?);
        // Their processes are not started in advance.
        let apart = || (0..count).map(|_| sandbox.session_from(&snapshot)).collect::<Result<_, _>>().and_then(answered);
        row(&format!("{count} sessions from a snapshot, and a result from each"), &rested(apart)?);
    }
    let mut small = sandbox.session()?;
    small.run(guest.print)?;
    for (what, session, code) in [("a new session", &mut small, guest.print), ("that session", &mut session, look)] {
        let plain = timed(SAMPLES, || session.run(code))?;
        row(&format!("a program in {what}"), &plain);
        let kept = timed(SAMPLES, || session.run_with(code, RunOptions::new().rollback_on_error()))?;
        row(&format!("a program in {what}, ready to be rolled back"), &kept);
    }
    let before = proportional_set_size()?;
    let mut forks: Vec<Session> = session.fork(100)?;
    forks.iter_mut().try_for_each(|fork| fork.run(look).map(drop))?;
    let all = proportional_set_size()?.saturating_sub(before) as f64 / 1024.0;
    rows.push(Row::new(format!("{language}: memory of 100 forks after a result from each (PSS)"), "MiB", vec![all]));
    rows.push(Row::new(
        format!("{language}: size of the snapshot"),
        "MiB",
        vec![snapshot.size() as f64 / f64::from(1 << 20)],
    ));
    rows.extend(pauses(language, isolation)?);
    rows.extend(warm_images::measure(language, isolation)?);
    Ok(rows)
}

/// A program in the midst of a function, which waits again and again.
fn pauses(language: Language, isolation: Isolation) -> anyhow::Result<Vec<Row>> {
    let ask = Tool::deferred("ask", "Asks", json!({ "type": "object" }))?;
    let mut limits = Limits::default();
    limits.tool_calls = u64::MAX;
    let sandbox = Sandbox::builder().language(language).isolation(isolation).limits(limits).tool(ask).build()?;
    let code = match language {
        Language::Python => {
            "def ask():\n    for n in range(1_000_000):\n        try:\n            yield call_tool('ask')\n        finally:\n            n += 1\nsum(ask())"
        }
        _ => {
            "function* ask() { for (let n = 0; n < 1e6; n++) { try { yield call_tool('ask') } finally { n += 0 } } }\nlet sum = 0; for (const n of ask()) sum += n"
        }
    };
    let paused = |step: Step| match step {
        Step::Paused(run) => Ok(run),
        _ => Err(isolette::Error::invalid("the program has ended", "measure another one")),
    };
    let mut rows = Vec::new();
    let mut row =
        |what: &str, samples: &[Duration]| rows.push(Row::milliseconds(format!("{language}: {what}"), samples));
    row("a program until its first pause", &timed(SAMPLES, || sandbox.start(code).and_then(paused))?);
    let mut run = paused(sandbox.start(code)?)?;
    row(
        "from an answer to the next pause",
        &timed(SAMPLES, || {
            run = paused(run.resume(Answer::Value(json!(1)))?)?;
            Ok(())
        })?,
    );
    let key = SnapshotKey::new([1; 32]);
    row("a paused program into the bytes of a file", &timed(SAMPLES, || run.to_bytes(&key))?);
    let file = run.to_bytes(&key)?;
    row(
        "a paused program from the bytes of its file, an answer, and the next pause",
        &timed(SAMPLES, || {
            let saved = SavedRun::from_bytes(file.clone(), &key)?;
            let mut run = sandbox.paused_from(&saved, RunOptions::new())?;
            run.resume(Answer::Value(json!(1))).and_then(paused)
        })?,
    );
    rows.push(Row::new(format!("{language}: file of a paused program"), "KB", vec![file.len() as f64 / 1e3]));
    Ok(rows)
}

/// Times some rounds, each after the guests of the round before have ended.
fn rested<T>(mut work: impl FnMut() -> Result<T, isolette::Error>) -> Result<Vec<Duration>, isolette::Error> {
    let mut times = Vec::new();
    for _ in 0..SAMPLES / 10 {
        thread::sleep(PAUSE);
        let began = Instant::now();
        let kept = work()?;
        times.push(began.elapsed());
        drop(kept);
    }
    Ok(times)
}

fn timed<T>(
    count: usize,
    mut work: impl FnMut() -> Result<T, isolette::Error>,
) -> Result<Vec<Duration>, isolette::Error> {
    let mut time = || {
        let began = Instant::now();
        work().map(|_| began.elapsed())
    };
    (0..count).map(|_| time()).collect()
}
