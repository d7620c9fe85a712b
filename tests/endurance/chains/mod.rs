//! Programs that wait in files, while the processes that continue them are killed: no answer is lost or counted twice, and no
//! process is left.

mod chain;
mod orphans;
mod random;

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::Stdio,
    thread,
};

use isolette::Isolation;
use isolette_tests::{Case, Skipped, engines, isolette, processes, report, scenario};

use self::{
    chain::{Chain, Kills},
    orphans::Orphans,
};

/// The pauses of programs that run at the same time, so that each process competes with those of the other program.
const PAUSES: [u32; 2] = [200, 50];
const PAUSES_EMULATED: [u32; 2] = [4, 3];

fn supported(case: &Case) -> Result<(), Skipped> {
    match case.isolation {
        Isolation::Process => Ok(()),
        Isolation::MicroVm => {
            Err(Skipped("each of its files is the whole memory of a guest, and it has no process".into()))
        }
        _ => Err(Skipped("programs are not paused in this isolation".into())),
    }
}

#[scenario]
fn answers_survive_processes_that_are_killed(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let pauses = if engines::emulated() { PAUSES_EMULATED } else { PAUSES };
    let orphans = Orphans::adopt();
    let folder = tempfile::tempdir().unwrap();
    let mut kills = Kills::default();
    thread::scope(|scope| {
        let start = |pauses| {
            let mut chain = Chain::new(case, folder.path(), pauses);
            scope.spawn(move || chain.complete())
        };
        for chain in pauses.map(start) {
            kills = kills + chain.join().unwrap();
        }
    });
    report::measured("kills that left the file of before", kills.before.into());
    report::measured("kills that left the next file", kills.after.into());
    let is_draft = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(".snapshot-");
    let drafts =
        fs::read_dir(folder.path()).unwrap().filter(|file| is_draft(&file.as_ref().unwrap().file_name())).count();
    report::measured("unfinished files that killed processes left", u32::try_from(drafts).unwrap().into());
    let chains = u32::try_from(pauses.len()).unwrap();
    assert!(kills.before >= chains && kills.after >= chains, "{kills:?}");
    assert_eq!(orphans.await_their_end(), [0; 0], "processes of killed hosts are left");
    Ok(())
}

/// A guest that waits ends when its socket is closed. One that computes has to be ended by the system.
#[scenario]
fn a_guest_that_computes_ends_with_its_killed_host(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let orphans = Orphans::adopt();
    let endless = case.pick("print('begun')\nwhile True: pass", "console.log('begun'); for (;;);");
    let mut host = isolette()
        .args(["run", "--isolation", "process", "--timeout", "1h", "--lang", &case.language.to_string(), "-c", endless])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let guests = processes::started_by(host.id());
    host.kill().unwrap();
    host.wait().unwrap();
    assert_eq!((line.as_str(), guests >= 2), ("begun\n", true), "{guests} processes");
    assert_eq!(orphans.await_their_end(), [0; 0], "processes of a killed host are left");
    Ok(())
}
