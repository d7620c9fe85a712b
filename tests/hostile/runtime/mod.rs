//! A runtime that was taken over: the process of a guest in which the attacker's own machine code runs. Whatever it does, it
//! is its own end alone.

mod machine_code;
mod saved_memory;

use std::{
    fs,
    time::{Duration, Instant},
};

use isolette::{Answer, Error, Isolation, RunOptions, Sandbox, Session, Step, Tool};
use isolette_abi::{
    MESSAGE_LIMIT,
    frames::{CONTENTS_LIMIT, HEADER, Kind},
    runtime::RunReply,
    shared_memory::{AWAITED, EMPTY, FRAME_LIMIT, FULL},
};
use isolette_tests::{Skipped, engines, host_test, processes};
use serde_json::json;

use self::machine_code::{SURVIVED, SystemCall};

/// A process that was killed is gone within this time on any machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A guest in a process of its own, and the sandbox that it belongs to.
struct TakenOver {
    sandbox: Sandbox,
    session: Session,
    process: u32,
}

impl TakenOver {
    fn new() -> Result<Self, Skipped> {
        if let Some(reason) = engines::missing(Isolation::Process) {
            return Err(Skipped(reason.to_owned()));
        }
        let sandbox = Sandbox::builder().isolation(Isolation::Process).build().expect("a sandbox");
        let mut session = sandbox.session().expect("a session");
        let process = Self::process_of(&mut session);
        Ok(Self { sandbox, session, process })
    }

    /// A guest that continues from the state of another one.
    fn restored() -> Result<Self, Skipped> {
        let Self { sandbox, mut session, process: before } = Self::new()?;
        let mut fork = session.fork(1).expect("a fork").remove(0);
        drop(session);
        // The first one has ended, once it is not among the guests any more.
        let started = Instant::now();
        while processes::guests().contains(&before) {
            assert!(started.elapsed() < TIMEOUT, "the process of the first session is still there");
            std::thread::yield_now();
        }
        let process = Self::process_of(&mut fork);
        Ok(Self { sandbox, session: fork, process })
    }

    fn process_of(session: &mut Session) -> u32 {
        let (ended, process) = processes::busiest_during(|| session.run("sum(range(3_000_000))"));
        ended.expect("a program");
        process.expect("the process of the session")
    }

    /// The end of the next program, during which the process does what it was prepared for.
    fn end(&mut self, what: &str) -> Error {
        self.end_within(Duration::from_secs(2), what)
    }

    fn end_within(&mut self, limit: Duration, what: &str) -> Error {
        let options = RunOptions::new().timeout(limit);
        self.session.run_with("1 + 1", options).expect_err(what)
    }

    /// The process is gone, and others are not affected.
    fn assert_alone(self, what: &str) {
        let started = Instant::now();
        while fs::exists(format!("/proc/{}", self.process)).unwrap_or(false) {
            assert!(started.elapsed() < TIMEOUT, "{what}: the process is still there");
            std::thread::yield_now();
        }
        assert_eq!(self.sandbox.run("1 + 1").expect(what).value, Some(json!(2)), "{what}");
    }
}

const fn system_call(name: &'static str, number: u64, arguments: [u64; 6]) -> SystemCall {
    SystemCall { name, number, arguments }
}

/// An address in the region of the runtime's memory, and one outside.
const INSIDE: u64 = 0x100_0000_0000;
const OUTSIDE: u64 = 0x40_0000_0000;

/// What a process needs to get anywhere. Numbers are of Linux on x86-64.
const FORBIDDEN: [SystemCall; 33] = [
    system_call("read another descriptor", 0, [1, 0, 0, 0, 0, 0]),
    system_call("write another descriptor", 1, [3, 0, 0, 0, 0, 0]),
    system_call("open", 2, [0; 6]),
    system_call("close", 3, [3, 0, 0, 0, 0, 0]),
    system_call("mmap", 9, [0, 4096, 3, 0x22, u64::MAX, 0]),
    system_call("mmap of a file", 9, [INSIDE, 4096, 3, 0x12, 1, 0]),
    system_call("mmap of a file to execute", 9, [INSIDE, 4096, 5, 0x12, 1, 0]),
    system_call("mprotect to execute", 10, [INSIDE, 4096, 7, 0, 0, 0]),
    system_call("mprotect to read only", 10, [INSIDE, 4096, 1, 0, 0, 0]),
    system_call("mprotect of code", 10, [OUTSIDE, 4096, 3, 0, 0, 0]),
    system_call("mprotect beyond the region", 10, [0x120_0000_0000, 4096, 3, 0, 0, 0]),
    system_call("mprotect of much", 10, [INSIDE, 8 << 30, 3, 0, 0, 0]),
    system_call("mprotect with high bits", 10, [INSIDE, 4096, 3 | (1 << 32), 0, 0, 0]),
    system_call("munmap", 11, [INSIDE, 4096, 0, 0, 0, 0]),
    system_call("rt_sigaction", 13, [11, 0, 0, 8, 0, 0]),
    system_call("dup", 32, [0; 6]),
    system_call("getpid", 39, [0; 6]),
    system_call("socket", 41, [1, 1, 0, 0, 0, 0]),
    system_call("sendmsg", 46, [0; 6]),
    system_call("clone", 56, [17, 0, 0, 0, 0, 0]),
    system_call("fork", 57, [0; 6]),
    system_call("execve", 59, [0; 6]),
    system_call("kill", 62, [0, 0, 0, 0, 0, 0]),
    system_call("ptrace", 101, [0; 6]),
    system_call("prctl", 157, [0; 6]),
    system_call("prctl to filter system calls", 157, [22, 2, 0, 0, 0, 0]),
    system_call("exit_group", 231, [7, 0, 0, 0, 0, 0]),
    system_call("openat", 257, [0; 6]),
    system_call("process_vm_readv", 310, [1, 0, 0, 0, 0, 0]),
    system_call("seccomp", 317, [0; 6]),
    system_call("bpf", 321, [0; 6]),
    system_call("io_uring_setup", 425, [1, 0, 0, 0, 0, 0]),
    system_call("read in the x32 ABI", 0x4000_0000, [0; 6]),
];

/// What the runtime needs.
const PERMITTED: [SystemCall; 2] = [
    system_call("write nothing", 1, [0; 6]),
    system_call("mprotect to read and write", 10, [INSIDE + (1 << 21), 4096, 3, 0, 0, 0]),
];

#[host_test]
fn a_forbidden_system_call_ends_the_process() -> Result<(), Skipped> {
    for call in &FORBIDDEN {
        for create in [TakenOver::new, TakenOver::restored] {
            let mut guest = create()?;
            machine_code::take_over(guest.process, call, Kind::Failed);
            let error = guest.end(call.name);
            let Error::GuestCrashed { reason, .. } = &error else { panic!("{}: {error}", call.name) };
            assert!(reason.contains("the process of the guest ended"), "{} went through: {reason}", call.name);
            guest.assert_alone(call.name);
        }
    }
    Ok(())
}

/// Without this, the test above would pass if the code never ran.
#[host_test]
fn a_permitted_system_call_does_not_end_the_process() -> Result<(), Skipped> {
    for call in &PERMITTED {
        let mut guest = TakenOver::new()?;
        machine_code::take_over(guest.process, call, Kind::Failed);
        let error = guest.end(call.name);
        let Error::GuestCrashed { reason, .. } = &error else { panic!("{}: {error}", call.name) };
        assert!(reason.contains("the runtime in the process"), "{} did not go through: {reason}", call.name);
        guest.assert_alone(call.name);
    }
    Ok(())
}

/// Frames that no runtime sends there.
fn forged() -> [(&'static str, Vec<u8>); 11] {
    let frame = |kind: Kind, contents: &[u8]| [&kind.header(contents.len())[..], contents].concat();
    let too_long = u32::try_from(CONTENTS_LIMIT + 1).unwrap().to_le_bytes();
    let ended = RunReply { memory_peak: 0, result: Ok(SURVIVED.to_vec()) }.encode();
    [
        ("an unknown kind", vec![9; HEADER]),
        ("a length beyond the limit", [&[Kind::Call as u8][..], &too_long].concat()),
        ("a frame of the host's", frame(Kind::Run, b"")),
        ("an answer", frame(Kind::Reply, b"")),
        ("a greeting", frame(Kind::Ready, b"")),
        ("more than one frame", [frame(Kind::Call, b"x"), frame(Kind::Call, b"y")].concat()),
        ("an end without a status", frame(Kind::Ended, b"")),
        ("an end with an unknown status", frame(Kind::Ended, &[9; 64])),
        ("an outcome that is none", frame(Kind::Ended, &ended)),
        ("a call that is none", frame(Kind::Call, &[0xff; 64])),
        ("a failure that is not text", frame(Kind::Failed, &[0xff; 64])),
    ]
}

#[host_test]
fn a_forged_frame_ends_the_process() -> Result<(), Skipped> {
    for (what, bytes) in forged() {
        let mut guest = TakenOver::new()?;
        machine_code::have_it_send(guest.process, &bytes);
        let error = guest.end(what);
        assert!(matches!(error, Error::GuestCrashed { .. }), "{what}: {error}");
        guest.assert_alone(what);
    }
    Ok(())
}

#[host_test]
fn a_forged_frame_in_shared_memory_ends_the_process() -> Result<(), Skipped> {
    let long = ("a frame that is longer than the memory", Kind::Call.header(FRAME_LIMIT).to_vec());
    let frames = forged().into_iter().chain([long]).map(|(what, bytes)| (what, bytes, FULL));
    let states = [AWAITED, EMPTY, 7, u32::MAX].map(|state| ("a state that is none", vec![9; HEADER], state));
    for (what, bytes, state) in frames.chain(states) {
        let mut guest = TakenOver::new()?;
        machine_code::have_it_hand_over(guest.process, &bytes, state);
        let error = guest.end_within(Duration::from_millis(300), what);
        // The host may have ceased to look there before the process was awake.
        assert!(matches!(error, Error::GuestCrashed { .. } | Error::Timeout { .. }), "{what}, {state}: {error}");
        guest.assert_alone(what);
    }
    Ok(())
}

#[host_test]
fn a_process_that_never_answers_is_ended_at_the_timeout() -> Result<(), Skipped> {
    let half = Kind::Call.header(MESSAGE_LIMIT);
    for (what, bytes) in [("nothing", &[][..]), ("half a header", &half[..2]), ("a header alone", &half[..])] {
        let mut guest = TakenOver::new()?;
        machine_code::have_it_send(guest.process, bytes);
        let error = guest.end(what);
        assert!(matches!(error, Error::Timeout { .. }), "{what}: {error}");
        guest.assert_alone(what);
    }
    Ok(())
}

/// What a program does while it is paused is not measured, so it can do nothing.
#[host_test]
fn the_process_of_a_paused_program_is_stopped() -> Result<(), Skipped> {
    if let Some(reason) = engines::missing(Isolation::Process) {
        return Err(Skipped(reason.to_owned()));
    }
    let ask = Tool::deferred("ask", "Asks", json!({ "type": "object" })).expect("a tool");
    let sandbox = Sandbox::builder().isolation(Isolation::Process).tool(ask).build().expect("a sandbox");
    let Step::Paused(mut run) = sandbox.start("call_tool('ask')").expect("a step") else { panic!("not paused") };
    let stopped = || processes::guests().into_iter().filter(|number| processes::is_stopped(*number)).count();
    let started = Instant::now();
    while stopped() == 0 {
        assert!(started.elapsed() < TIMEOUT, "no process is stopped");
        std::thread::yield_now();
    }
    let Step::Done(result) = run.resume(Answer::Value(json!(3))).expect("a step") else { panic!("not done") };
    assert_eq!((result.value, stopped()), (Some(json!(3)), 0));
    Ok(())
}
