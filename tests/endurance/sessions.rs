//! Sessions that are created, used, forked and dropped, many times: memory, descriptors, processes and files stay as they were.

use std::{env, fs, path::Path};

use isolette::{Isolation, Sandbox};
use isolette_tests::{Case, Skipped, engines, processes, report, scenario};
use serde_json::json;

use super::{folders, mib, process::ProcessState};

/// What fits in the usual test run. `ISOLETTE_TEST_ROUNDS` names another number.
const ROUNDS: usize = 1000;

/// Looking takes as long as a round.
const BETWEEN_LOOKS: usize = 10;

/// The allowed growth of this process and of all that it has started, after a fifth of the rounds. With 20,000 rounds, it is less
/// than 300 bytes in each.
const GROWTH: u64 = 4 << 20;

/// Processes that are ready for the next guests, whose number varies, and the descriptors of each.
const READY: usize = 4;
const DESCRIPTORS: usize = 3;

fn rounds() -> usize {
    let given = env::var("ISOLETTE_TEST_ROUNDS").ok();
    given.map_or(ROUNDS, |text| text.parse().unwrap_or_else(|_| panic!("ISOLETTE_TEST_ROUNDS is not a number: {text}")))
}

/// What this process and those that it has started hold.
#[derive(Clone, Copy, Debug)]
struct Held {
    host: ProcessState,
    /// Memory of all of them, without pages of files (PSS).
    memory: u64,
    /// Files and folders in the temporary folder, and in the user's cache.
    temporary: usize,
    cached: usize,
}

impl Held {
    const MOST: Self = Self { host: ProcessState::MOST, memory: u64::MAX, temporary: usize::MAX, cached: usize::MAX };

    fn now() -> Self {
        Self {
            host: ProcessState::now(),
            memory: processes::memory_without_files() << 10,
            temporary: files_below(&folders::temporary()),
            cached: files_below(&folders::cache()),
        }
    }

    /// The minimum of each: a guest that is about to end may exist in addition to the next one.
    fn least(self, other: Self) -> Self {
        Self {
            host: self.host.least(other.host),
            memory: self.memory.min(other.memory),
            temporary: self.temporary.min(other.temporary),
            cached: self.cached.min(other.cached),
        }
    }
}

/// One that is removed meanwhile does not count.
fn files_below(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| 1 + if entry.path().is_dir() { files_below(&entry.path()) } else { 0 }).sum()
}

fn round(case: &Case, sandbox: &Sandbox, number: usize) {
    let mut session = sandbox.session().unwrap();
    let begin = case.pick(
        "n = NUMBER\nlarge = list(range(1000))\nopen('/output/n.txt', 'w').write(str(n))",
        "var n = NUMBER, large = Array.from({ length: 1000 }, (_, i) => i); write_file('/output/n.txt', String(n))",
    );
    session.run(&begin.replace("NUMBER", &number.to_string())).unwrap();
    let mut fork = session.fork(1).unwrap().remove(0);
    let add = case.pick("n += 1\n[n, len(large)]", "n += 1; [n, large.length]");
    for session in [&mut session, &mut fork] {
        assert_eq!(session.run(add).unwrap().value, Some(json!([number + 1, 1000])));
    }
}

#[scenario]
fn sessions_that_are_forked_and_dropped_leave_nothing(case: &Case) -> Result<(), Skipped> {
    if case.isolation != Isolation::Process {
        return Err(Skipped("the state of processes is measured".into()));
    }
    if engines::emulated() {
        return Err(Skipped("an emulated machine is too slow for as many rounds as show a growth".into()));
    }
    let rounds = rounds();
    let sandbox = case.builder().temp_output().build().unwrap();
    let (mut before, mut after) = (Held::MOST, Held::MOST);
    for number in 0..rounds {
        round(case, &sandbox, number);
        if number % BETWEEN_LOOKS == 0 {
            if (rounds / 5..rounds * 3 / 10).contains(&number) {
                before = before.least(Held::now());
            } else if number >= rounds * 9 / 10 {
                after = after.least(Held::now());
            }
        }
        if number % 500 == 0 {
            report::progress(&format!("{number} of {rounds} rounds"));
        }
    }
    let growth = after.memory.saturating_sub(before.memory);
    let own = after.host.memory.saturating_sub(before.host.memory);
    println!("{}, {rounds} rounds: {before:?}, {after:?}", case.language);
    report::measured(&format!("growth in {rounds} rounds of sessions (MiB)"), mib(growth));
    assert!(after.host.processes <= before.host.processes + READY, "processes: {before:?}, {after:?}");
    assert!(after.host.files <= before.host.files + READY * DESCRIPTORS, "descriptors: {before:?}, {after:?}");
    assert!(growth <= GROWTH && own <= GROWTH, "{} and {} MiB more: {before:?}, {after:?}", mib(growth), mib(own));
    assert_eq!((after.temporary, after.cached), (before.temporary, before.cached), "files: {before:?}, {after:?}");
    Ok(())
}
