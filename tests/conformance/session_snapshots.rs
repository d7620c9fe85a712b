//! Snapshots of sessions, and sessions that continue from them.

use std::{collections::HashSet, time::Duration};

use isolette::{
    CancellationToken, Determinism, Error, Isolation, Language, RunOptions, Sandbox, Session, Snapshot, SnapshotKey,
    policy::Access,
};
use isolette_tests::{Case, Skipped, guests, scenario};
use serde_json::{Value, json};

fn skipped(reason: &str) -> Skipped {
    Skipped(reason.into())
}

/// The program `snapshots/<name>` in the language of the case.
fn program(case: &Case, name: &str) -> String {
    guests::read(&format!("snapshots/{name}"), case.language)
}

fn run(case: &Case, session: &mut Session, name: &str) -> Option<Value> {
    let result = session.run(&program(case, name)).unwrap();
    assert!(result.success(), "{name}: {:?}", result.error);
    result.value
}

/// A session with state, unless the isolation saves none.
fn prepared(case: &Case) -> Result<Session, Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(skipped("`wasm` does not save states"));
    }
    let mut session = case.sandbox().session().unwrap();
    run(case, &mut session, "prepare");
    Ok(session)
}

fn advanced(note: &str, counted: u64, changed: u64) -> Option<Value> {
    Some(json!([counted, counted, note, 4096 * 32_640 - changed, [1]]))
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn a_session_returns_to_a_snapshot(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let snapshot = session.snapshot().unwrap();
    for _ in 0..3 {
        assert_eq!(run(case, &mut session, "advance"), advanced("before", 2, 0));
        assert_eq!(run(case, &mut session, "advance"), advanced("after", 3, 255));
        session.restore(&snapshot).unwrap();
    }
    assert_eq!(run(case, &mut session, "advance"), advanced("before", 2, 0));
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn forks_and_their_origin_go_their_own_ways(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let mut forks = session.fork(3).unwrap();
    assert_eq!(run(case, &mut session, "advance"), advanced("before", 2, 0));
    for fork in &mut forks {
        assert_ne!(fork.identifier(), session.identifier());
        assert_eq!(run(case, fork, "advance"), advanced("before", 2, 0));
    }
    // A fork can be saved and forked in turn, whatever has become of its origin.
    drop(session);
    let mut fork = forks.swap_remove(1);
    drop(forks);
    for _ in 0..3 {
        fork = fork.fork(1).unwrap().remove(0);
    }
    assert_eq!(run(case, &mut fork, "advance"), advanced("after", 3, 255));
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn another_sandbox_continues_with_its_own_rights(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let define = case.pick(
        "def look(): return open('/data/secret').read()\ndef ask(): return call_tool('ask')",
        "function look() { return read_file('/data/secret'); } function ask() { return call_tool('ask'); }",
    );
    session.run(define).unwrap();
    let snapshot = session.snapshot().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "found").unwrap();
    let granting = case
        .builder()
        .mount(folder.path(), "/data", Access::ReadOnly)
        .tool_typed("ask", "Asks", |_: Value| Ok::<_, String>(json!("asked")))
        .build()
        .unwrap();
    let mut granted = granting.session_from(&snapshot).unwrap();
    assert_eq!(granted.run("look()").unwrap().value, Some(json!("found")));
    assert_eq!(granted.run("ask()").unwrap().value, Some(json!("asked")));
    let taken = granted.snapshot().unwrap();
    let mut denied = case.sandbox().session_from(&taken).unwrap();
    for call in ["look()", "ask()"] {
        assert!(denied.run(call).unwrap().error.is_some(), "{call}");
    }
    assert_eq!(run(case, &mut denied, "advance"), advanced("before", 2, 0));
    Ok(())
}

#[scenario(programs = ["snapshots/drawn", "snapshots/prepare"])]
fn copies_share_no_random_numbers(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    run(case, &mut session, "drawn");
    let snapshot = session.snapshot().unwrap();
    let mut drawn = HashSet::new();
    let mut count = 0;
    let mut forks: Vec<_> = (0..4).map(|_| case.sandbox().session_from(&snapshot).unwrap()).collect();
    session.restore(&snapshot).unwrap();
    forks.push(session);
    for mut fork in forks {
        for _ in 0..2 {
            let Some(Value::Array(values)) = run(case, &mut fork, "drawn") else { panic!("no array") };
            count += values.len();
            drawn.extend(values.iter().map(Value::to_string));
        }
    }
    assert_eq!(drawn.len(), count, "{drawn:?}");
    Ok(())
}

#[scenario(programs = ["snapshots/prepare"])]
fn deterministic_clocks_go_on_in_copies(case: &Case) -> Result<(), Skipped> {
    prepared(case)?;
    let sandbox = case.builder().deterministic(Determinism::default()).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let now = case.pick("import time\ntime.time_ns() // 1000", "Number(process.hrtime.bigint() / 1000n)");
    let before = session.run(now).unwrap().value.unwrap().as_u64().unwrap();
    let snapshot = session.snapshot().unwrap();
    let mut later = Vec::new();
    for mut copy in [session, sandbox.session_from(&snapshot).unwrap(), sandbox.session_from(&snapshot).unwrap()] {
        later.push(copy.run(now).unwrap().value.unwrap().as_u64().unwrap());
    }
    assert!(later[0] > before, "{before} {later:?}");
    assert!(later.iter().all(|time| *time == later[0]), "{later:?}");
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/failing", "snapshots/kept"])]
fn a_failed_program_is_rolled_back(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    for _ in 0..2 {
        let failed = session.run_with(&program(case, "failing"), RunOptions::new().rollback_on_error()).unwrap();
        assert_eq!(failed.error.as_ref().unwrap().message, "no");
        assert!(failed.rolled_back);
        let looked = session.run_with(&program(case, "kept"), RunOptions::new().rollback_on_error()).unwrap();
        assert!(!looked.rolled_back);
        assert_eq!(looked.value, Some(json!([1, "before", false, false])));
    }
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn a_program_that_was_ended_is_rolled_back(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let forever = case.pick("counter.add()\nwhile True: pass", "counter.add(); for (;;);");
    let options = || RunOptions::new().rollback_on_error();
    let late = session.run_with(forever, options().timeout(Duration::from_millis(300)));
    assert!(matches!(&late, Err(Error::Timeout { partial, .. }) if partial.rolled_back), "{late:?}");
    let printing = case.pick("counter.add()\nprint(1)\nwhile True: pass", "counter.add(); console.log(1); for (;;);");
    let token = CancellationToken::new();
    let stop = token.clone();
    let cancelled = session.run_with(printing, options().cancel(token).on_output(move |_, _| stop.cancel()));
    assert!(matches!(&cancelled, Err(Error::Cancelled { partial }) if partial.rolled_back), "{cancelled:?}");
    assert!(!session.ended());
    assert_eq!(run(case, &mut session, "advance"), advanced("before", 2, 0));
    let ended = session.run_with(forever, RunOptions::new().timeout(Duration::from_millis(300)));
    assert!(matches!(ended, Err(Error::Timeout { .. })), "{ended:?}");
    assert!(matches!(session.run("1"), Err(Error::SessionEnded { .. })));
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn an_ended_session_can_be_restored(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let snapshot = session.snapshot().unwrap();
    let forever = case.pick("while True: pass", "for (;;);");
    session.run_with(forever, RunOptions::new().timeout(Duration::from_millis(300))).unwrap_err();
    assert!(session.ended());
    assert!(matches!(session.snapshot(), Err(Error::SessionEnded { .. })));
    session.restore(&snapshot).unwrap();
    assert!(!session.ended());
    assert_eq!(session.snapshot().unwrap().size(), snapshot.size());
    assert_eq!(run(case, &mut session, "advance"), advanced("before", 2, 0));
    Ok(())
}

#[scenario]
fn where_no_state_is_saved_the_error_says_so(case: &Case) -> Result<(), Skipped> {
    if case.isolation != Isolation::Wasm {
        return Err(skipped("it saves states"));
    }
    let mut session = case.sandbox().session().unwrap();
    let expected = "a snapshot of the session is not available: this isolation does not save states\n\
                    hint: use the isolation `process` or `microvm`";
    assert_eq!(session.snapshot().unwrap_err().to_string(), expected);
    assert_eq!(session.run_with("1", RunOptions::new().rollback_on_error()).unwrap_err().to_string(), expected);
    assert_eq!(session.run("1").unwrap().value, Some(json!(1)));
    Ok(())
}

#[scenario(programs = ["snapshots/prepare"])]
fn snapshots_are_small(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    if case.isolation != Isolation::Process {
        return Err(skipped("a micro-VM is saved whole"));
    }
    let size = |snapshot: &Snapshot| snapshot.size();
    let mut fresh = case.sandbox().session().unwrap();
    fresh.run("1").unwrap();
    let (small, large) = (size(&fresh.snapshot().unwrap()), size(&session.snapshot().unwrap()));
    assert!(small < 2 << 20, "{small}");
    assert!((1 << 20..8 << 20).contains(&large), "{large}");
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn a_saved_snapshot_continues_in_another_sandbox(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let key = SnapshotKey::new([5; 32]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.snapshot");
    let snapshot = session.snapshot().unwrap();
    snapshot.save_with(&path, &key).unwrap();
    drop(session);
    let loaded = Snapshot::load_with(&path, &key).unwrap();
    assert_eq!(
        (loaded.size(), loaded.isolation(), loaded.image()),
        (snapshot.size(), snapshot.isolation(), snapshot.image())
    );
    // What was loaded can be saved again, and a session that continues from it can be, too.
    let again = Snapshot::from_bytes(loaded.to_bytes(&key).unwrap(), &key).unwrap();
    // All memory of a micro-VM is in its file, which takes some seconds where machines are emulated.
    let times = if case.isolation == Isolation::MicroVm { [0, 1] } else { [2, 1] };
    for (snapshot, times) in [loaded, again].into_iter().zip(times) {
        for _ in 0..times {
            let mut session = case.sandbox().session_from(&snapshot).unwrap();
            assert_eq!(run(case, &mut session, "advance"), advanced("before", 2, 0));
            let later = Snapshot::from_bytes(session.snapshot().unwrap().to_bytes(&key).unwrap(), &key).unwrap();
            let mut session = case.sandbox().session_from(&later).unwrap();
            assert_eq!(run(case, &mut session, "advance"), advanced("after", 3, 255));
        }
    }
    Ok(())
}

#[scenario(programs = ["snapshots/prepare"])]
fn snapshots_of_others_are_refused(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let (key, other) = (SnapshotKey::new([5; 32]), SnapshotKey::new([6; 32]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.snapshot");
    session.snapshot().unwrap().save_with(&path, &key).unwrap();
    let refused = |loaded: Result<Snapshot, Error>| loaded.unwrap_err().to_string();
    assert!(refused(Snapshot::load_with(&path, &other)).contains("saved with another key"));
    let bytes = std::fs::read(&path).unwrap();
    for position in [0, 10, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[position] ^= 0x40;
        assert!(Snapshot::from_bytes(changed, &key).is_err(), "{position}");
        assert!(Snapshot::from_bytes(bytes[..position].to_vec(), &key).is_err(), "{position}");
    }
    // A choice that is spelled out, and only for what is locked in without trust.
    let loaded = Snapshot::load_untrusted(&path).unwrap();
    assert!(refused(loaded.to_bytes(&key).map(|_| loaded.clone())).contains("the key would vouch for it"));
    let untrusted = case.sandbox().session_from(&loaded);
    if case.isolation == Isolation::Process {
        assert_eq!(untrusted.unwrap().run("counter.count").unwrap().value, Some(json!(1)));
    } else {
        assert!(untrusted.unwrap_err().to_string().contains("of a micro-VM, whose whole state would be trusted"));
    }
    Ok(())
}

#[scenario(programs = ["snapshots/prepare"])]
fn what_does_not_fit_a_snapshot_is_named(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let snapshot = session.snapshot().unwrap();
    let other = case.pick(Language::JavaScript, Language::Python);
    let other = Sandbox::builder().language(other).isolation(case.isolation).build().unwrap();
    let error = other.session_from(&snapshot).unwrap_err().to_string();
    assert!(error.starts_with("the snapshot has the image ") && error.contains("\nhint: "), "{error}");
    let wasm = Sandbox::builder().language(case.language).isolation(Isolation::Wasm).build().unwrap();
    let error = wasm.session_from(&snapshot).unwrap_err().to_string();
    let expected = format!("the snapshot has the isolation {}, and the sandbox has wasm", case.isolation);
    assert!(error.starts_with(&expected), "{error}");
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn a_state_is_not_lost_if_no_guest_can_continue_from_it(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    if case.isolation != Isolation::Process {
        return Err(Skipped("a micro-VM keeps the size that it was saved with".into()));
    }
    session.run(case.pick("big = bytearray(160 << 20)", "var big = new Uint8Array(160 << 20)")).unwrap();
    let snapshot = session.snapshot().unwrap();
    let mut limits = case.limits();
    limits.memory = 64 << 20;
    let narrow = case.builder().limits(limits).build().unwrap();
    let mut refused = narrow.session_from(&snapshot).unwrap();
    for _ in 0..2 {
        let error = refused.run("1").unwrap_err().to_string();
        assert!(error.starts_with("the state in which the guest starts is not available: the state has "), "{error}");
        assert!(!refused.ended());
    }
    let mut continued = case.sandbox().session_from(&refused.snapshot().unwrap()).unwrap();
    assert_eq!(run(case, &mut continued, "advance"), advanced("before", 2, 0));
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/drawn", "snapshots/failing"])]
fn what_was_rolled_back_draws_other_random_numbers(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let snapshot = session.snapshot().unwrap();
    let mut drawn = HashSet::new();
    let mut count = 0;
    let failing = format!("{}\n{}", program(case, "drawn"), program(case, "failing"));
    for mut session in [session, case.sandbox().session_from(&snapshot).unwrap()] {
        // The first program of a copy fails, and then one that cannot be started.
        session.run_with(&failing, RunOptions::new().rollback_on_error()).unwrap();
        session.run_with("1", RunOptions::new().variable("1x", 1)).unwrap_err();
        for _ in 0..2 {
            let Some(Value::Array(values)) = run(case, &mut session, "drawn") else { panic!("no array") };
            count += values.len();
            drawn.extend(values.iter().map(Value::to_string));
        }
    }
    assert_eq!(drawn.len(), count, "{drawn:?}");
    Ok(())
}

#[scenario(programs = ["snapshots/prepare", "snapshots/advance"])]
fn a_run_that_is_given_up_is_rolled_back(case: &Case) -> Result<(), Skipped> {
    let mut session = prepared(case)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let forever = case.pick("counter.add()\nwhile True: pass", "counter.add(); for (;;);");
    runtime.block_on(async {
        let run = session.run_async(forever, RunOptions::new().rollback_on_error());
        assert!(tokio::time::timeout(Duration::from_millis(300), run).await.is_err());
    });
    assert!(!session.ended());
    session.snapshot().unwrap();
    assert_eq!(run(case, &mut session, "advance"), advanced("before", 2, 0));
    Ok(())
}
