//! Many sessions that are saved, forked, restored and dropped: nothing leaks.

use std::time::{Duration, Instant};

use isolette::Isolation;
use isolette_tests::{Case, Skipped, engines, report, scenario};
use serde_json::json;

use super::{mib, process::ProcessState};

/// Rounds, each of which creates six guests in five ways.
const ROUNDS: usize = 1000;

/// A guest's thread has ended within this time on any machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The allowed growth of the process after a tenth of the rounds.
const GROWTH: u64 = 4 << 20;

/// What is in memory files (`memfd`) of this process, in bytes.
fn in_memory_files() -> u64 {
    let files = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let lengths = files.filter_map(|file| {
        let name = std::fs::read_link(file.path()).ok()?;
        name.to_string_lossy().contains("memfd:isolette-memory").then(|| std::fs::metadata(file.path()).ok())?
    });
    lengths.map(|file| file.len()).sum()
}

#[scenario]
fn sessions_that_are_saved_and_forked_leak_nothing(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("`wasm` does not save states".into()));
    }
    if engines::emulated() {
        return Err(Skipped("an emulated machine is too slow for as many rounds as show a growth".into()));
    }
    let rounds = ROUNDS;
    let sandbox = case.sandbox();
    let (mut before, mut after) = (ProcessState::MOST, ProcessState::MOST);
    let begin = case
        .pick("n = ROUND\nlarge = list(range(1000))", "var n = ROUND, large = Array.from({length: 1000}, (_, i) => i)");
    let add = case.pick("n += 1\n[n, len(large)]", "n += 1; [n, large.length]");
    for round in 0..rounds {
        let mut session = sandbox.session().unwrap();
        session.run(&begin.replace("ROUND", &round.to_string())).unwrap();
        let snapshot = session.snapshot().unwrap();
        let mut forks = session.fork(2).unwrap();
        forks.push(sandbox.session_from(&snapshot).unwrap());
        forks.push(session);
        for fork in &mut forks {
            assert_eq!(fork.run(add).unwrap().value, Some(json!([round + 1, 1000])));
        }
        forks[0].restore(&snapshot).unwrap();
        assert_eq!(forks[0].run(add).unwrap().value, Some(json!([round + 1, 1000])));
        drop((forks, snapshot));
        // A guest's thread ends after its handle.
        let began = Instant::now();
        while in_memory_files() > 0 {
            assert!(began.elapsed() < TIMEOUT, "{} bytes of saved memory are left", in_memory_files());
            std::thread::yield_now();
        }
        if (rounds / 10..rounds / 5).contains(&round) {
            before = before.least(ProcessState::now());
        } else if round >= rounds * 9 / 10 {
            after = after.least(ProcessState::now());
        }
        if round % 200 == 0 {
            report::progress(&format!("{round} of {rounds} rounds"));
        }
    }
    let growth = after.memory.saturating_sub(before.memory);
    report::measured(&format!("growth in {rounds} rounds of forks (MiB)"), mib(growth));
    assert!(after.files <= before.files + 2, "open files: {before:?}, {after:?}");
    assert!(after.processes <= before.processes + 2, "processes: {before:?}, {after:?}");
    assert!(growth <= GROWTH, "{} MiB more after {rounds} rounds", mib(growth));
    Ok(())
}
