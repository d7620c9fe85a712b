//! Memory that lies: a process whose memory was changed at will is saved, and others continue from it.

use std::{
    fs::{self, File},
    ops::Range,
    os::unix::fs::FileExt as _,
    time::Duration,
};

use isolette::{Error, RunOptions, Snapshot};
use isolette_abi::saved::{CHANGEABLE, PAGE};
use isolette_tests::{Skipped, host_test};
use serde_json::json;

use super::{TakenOver, machine_code};

/// Fills what a process has of these addresses, at most 1,000 pages of each mapping from its end on, with bytes.
fn fill(process: u32, addresses: &Range<u64>, byte: impl Fn(usize) -> u8) {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("the mappings of a child");
    let memory = File::options().write(true).open(format!("/proc/{process}/mem")).expect("the memory of a child");
    for line in maps.lines().filter(|line| line.contains(" rw")) {
        let (start, end) = line.split_once(' ').and_then(|(range, _)| range.split_once('-')).expect("a range");
        let parse = |text| u64::from_str_radix(text, 16).expect("an address");
        let (start, end) = (parse(start), parse(end));
        if !addresses.contains(&start) {
            continue;
        }
        let mut address = end;
        for _ in 0..1000 {
            if address <= start {
                break;
            }
            address -= PAGE;
            let page: Vec<u8> = (0..PAGE as usize).map(&byte).collect();
            memory.write_all_at(&page, address).expect("the memory of a child can be written to");
        }
    }
}

#[host_test]
fn who_continues_from_it_ends_alone() -> Result<(), Skipped> {
    type Byte = fn(usize) -> u8;
    let random = |index: usize| (index.wrapping_mul(2_654_435_761) >> 7) as u8;
    for (what, addresses) in ["variables", "stack, heap and memories"].into_iter().zip(CHANGEABLE) {
        let kinds: [(&str, Byte); 3] = [("zeros", |_| 0), ("ones", |_| 0xff), ("random", random)];
        for (kind, byte) in kinds {
            let what = format!("{what}: {kind}");
            let mut guest = TakenOver::new()?;
            let kept = guest.session.snapshot().expect(&what);
            machine_code::waiting_at(guest.process);
            fill(guest.process, &addresses, byte);
            let snapshot: Snapshot = guest.session.snapshot().expect(&what);
            for mut session in
                [guest.sandbox.session_from(&snapshot).expect(&what), guest.session.fork(1).expect(&what).remove(0)]
            {
                let options = RunOptions::new().timeout(Duration::from_secs(2));
                let ended = session.run_with("1 + 1", options);
                assert!(
                    matches!(
                        ended,
                        Err(Error::GuestCrashed { .. }
                            | Error::Timeout { .. }
                            | Error::OutOfMemory { .. }
                            | Error::Unavailable { .. })
                    ),
                    "{what}: {ended:?}"
                );
            }
            guest.session.restore(&kept).expect(&what);
            assert_eq!(guest.session.run("1 + 1").expect(&what).value, Some(json!(2)), "{what}");
            guest.assert_alone(&what);
        }
    }
    Ok(())
}
