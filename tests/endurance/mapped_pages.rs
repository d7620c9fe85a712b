//! What the host reads of a fork server's memory to save states does not stay in the page tables that guests start with.

use std::{fs, process};

use isolette::{Isolation, SnapshotKey};
use isolette_abi::saved::REGION;
use isolette_tests::{Case, Skipped, processes, scenario};

/// More guests than are started until such pages are looked for.
const MANY: usize = 200;

/// The bytes of files that the processes which start guests have mapped as memory of guests, and not written to.
fn mapped_by_fork_servers() -> u64 {
    let maps = |process| fs::read_to_string(format!("/proc/{process}/smaps")).unwrap_or_default();
    processes::children(process::id()).into_iter().map(|process| mapped(&maps(process))).sum()
}

fn mapped(smaps: &str) -> u64 {
    let (mut is_memory, mut bytes) = (false, 0);
    for line in smaps.lines() {
        let number = |text: &str| text.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10;
        let start = line.split_once('-').and_then(|(start, _)| u64::from_str_radix(start, 16).ok());
        match (start, line.split_once(':')) {
            (Some(start), _) => is_memory = start >= REGION.start && line.contains(" rw-p ") && line.contains('/'),
            (None, Some(("Rss", text))) if is_memory => bytes += number(text),
            (None, Some(("Anonymous", text))) if is_memory => bytes -= number(text),
            _ => {}
        }
    }
    bytes
}

#[scenario]
fn what_was_read_to_save_a_state_is_forgotten_again(case: &Case) -> Result<(), Skipped> {
    if case.isolation != Isolation::Process {
        return Err(Skipped("only processes have fork servers".into()));
    }
    let sandbox = case.sandbox();
    let run = || assert!(sandbox.run("1").unwrap().success());
    (0..MANY).for_each(|_| run());
    let before = mapped_by_fork_servers();
    let mut session = sandbox.session().unwrap();
    session.run(case.pick("x = list(range(1000))", "var x = Array.from({length: 1000}, (_, i) => i)")).unwrap();
    let snapshot = session.snapshot().unwrap();
    // A guest that is started in advance at this moment has them forgotten before they are seen.
    let read = (0..MANY).find_map(|_| {
        snapshot.to_bytes(&SnapshotKey::new([7; 32])).unwrap();
        Some(mapped_by_fork_servers()).filter(|bytes| *bytes > before)
    });
    let read = read.expect("what the host reads to be mapped");
    // A system that is short of memory takes pages from fork servers that have waited long. Those that runs need come back, and stay.
    let most = before.max(read / 4 * 3);
    // Where other programs use the processors, few guests are started in advance, which is when pages are forgotten.
    let is_forgotten = (0..10 * MANY).any(|_| {
        run();
        mapped_by_fork_servers() <= most
    });
    assert!(is_forgotten, "before: {before} bytes, read: {read}, now: {}", mapped_by_fork_servers());
    Ok(())
}
