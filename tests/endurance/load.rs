//! Many runs on two threads, one in twenty of them hostile: no call is lost, nothing leaks, and each ends as expected.

use std::{
    panic::resume_unwind,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use isolette::{CancellationToken, Error, ExecutionResult, Isolation, RunOptions, Sandbox, policy::Limits};
use isolette_tests::{Case, engines, panics, report, scenario};
use serde_json::{Value, json};

use super::{MEMORY_OF_MICRO_VM, mib, process::ProcessState};

/// On real processors; an emulated one would take hours.
const RUNS: usize = 10_000;
const RUNS_EMULATED: usize = 300;

const THREADS: usize = 2;

/// One in this many runs is hostile.
const HOSTILE: usize = 20;

/// The allowed growth of the process after a fifth of the runs.
const GROWTH: u64 = 8 << 20;
const THREADS_MORE: usize = 4;

/// The timeouts of programs that never end, and of those that do.
const SHORT: Duration = Duration::from_millis(80);
const LONG: Duration = Duration::from_secs(300);

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Number {
    run: usize,
}

type Ended = Result<ExecutionResult, Error>;

/// A program, and how it has to end.
struct Hostile {
    name: &'static str,
    python: &'static str,
    javascript: &'static str,
    ends_well: fn(&Ended) -> bool,
}

const KINDS: [Hostile; 9] = [
    Hostile {
        name: "loop",
        python: "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        javascript: "for (;;) { try { for (;;); } finally { continue; } }",
        ends_well: |ended| matches!(ended, Err(Error::Timeout { .. })),
    },
    Hostile {
        name: "cancelled",
        python: "print('begun', flush=True)\nwhile True: pass",
        javascript: "console.log('begun'); setTimeout(() => { for (;;); }, 1)",
        ends_well: |ended| matches!(ended, Err(Error::Cancelled { .. })),
    },
    Hostile {
        name: "memory",
        python: "x = []\nwhile True: x.append(bytes(1 << 20))",
        javascript: "const x = []; for (;;) x.push(new Uint8Array(1 << 20).fill(1));",
        ends_well: |ended| {
            matches!(ended, Err(Error::OutOfMemory { .. }))
                || raised(ended, &["MemoryError", "InternalError", "RangeError"])
        },
    },
    Hostile {
        name: "depth",
        python: "def f(): return f()\nf()",
        javascript: "function f() { return 1 + f(); } f()",
        ends_well: |ended| {
            matches!(ended, Err(Error::StackOverflow { .. }))
                || raised(ended, &["RecursionError", "InternalError", "RangeError"])
        },
    },
    Hostile {
        name: "output",
        python: "for n in range(300): print('x' * 1000)",
        javascript: "for (let n = 0; n < 300; n++) console.log('x'.repeat(1000));",
        ends_well: |ended| matches!(ended, Ok(result) if result.truncated.stdout > 200_000 && result.stdout.len() <= 64 << 10),
    },
    Hostile {
        name: "calls",
        python: "for n in range(100): call_tool('echo', value=n)",
        javascript: "for (let n = 0; n < 100; n++) call_tool('echo', { value: n });",
        ends_well: |ended| matches!(ended, Ok(result) if result.error.is_some() && result.usage.tool_calls == 51),
    },
    Hostile {
        name: "panic",
        python: "call_tool('panic')",
        javascript: "call_tool('panic')",
        ends_well: |ended| matches!(ended, Ok(result) if result.error.as_ref().is_some_and(|error| error.message.contains("panicked"))),
    },
    Hostile {
        name: "network",
        python: "http_get('http://169.254.169.254/latest/meta-data/')",
        javascript: "http_get('http://169.254.169.254/latest/meta-data/')",
        ends_well: |ended| matches!(ended, Ok(result) if result.error.as_ref().is_some_and(|error| error.message.contains("is not allowed"))),
    },
    Hostile {
        name: "exit",
        python: "import os\nos._exit(7)",
        javascript: "process.exit(7)",
        ends_well: |ended| matches!(ended, Ok(result) if result.exit_code == 7),
    },
];

fn raised(ended: &Ended, kinds: &[&str]) -> bool {
    let error = ended.as_ref().ok().and_then(|result| result.error.as_ref());
    error.is_some_and(|error| kinds.contains(&&*error.kind))
}

const FILES_OF_MICRO_VM: usize = 2;

/// The state that all runs share.
struct Load {
    case: Case,
    sandbox: Sandbox,
    runs: usize,
    next: AtomicUsize,
    /// Whether the tool was called for this run.
    called: Arc<Vec<AtomicBool>>,
    /// The state after a fifth of the runs, and in the last fifth.
    held: Mutex<[ProcessState; 2]>,
}

impl Load {
    fn new(case: &Case) -> Self {
        let runs = if engines::emulated() { RUNS_EMULATED } else { RUNS };
        let called: Arc<Vec<_>> = Arc::new((0..runs).map(|_| AtomicBool::new(false)).collect());
        let mut limits = Limits::default();
        (limits.memory, limits.stdout, limits.tool_calls) = (80 << 20, 64 << 10, 50);
        let calls = Arc::clone(&called);
        let sandbox = case
            .builder()
            .limits(limits)
            .tool_typed("note", "Notes the number of a run", move |number: Number| {
                let known = calls.get(number.run).ok_or("there is no such run")?;
                if known.swap(true, Ordering::Relaxed) { Err("the run was here before") } else { Ok(number.run * 2) }
            })
            .tool_typed("echo", "Gives back what it gets", |value: Value| Ok::<_, String>(value))
            .tool_typed("panic", "Panics", |_: Value| -> Result<(), String> { resume_unwind(Box::new("on purpose")) })
            .build()
            .unwrap();
        Self {
            case: *case,
            sandbox,
            runs,
            next: AtomicUsize::new(0),
            called,
            held: Mutex::new([ProcessState::MOST; 2]),
        }
    }

    /// Executes runs until all are done.
    fn work(&self, progress: bool) {
        loop {
            let run = self.next.fetch_add(1, Ordering::Relaxed);
            if run >= self.runs {
                return;
            }
            match run % HOSTILE {
                7 => self.hostile(run, &KINDS[run / HOSTILE % KINDS.len()]),
                _ => self.honest(run),
            }
            let fifth = self.runs / 5;
            let window = if (fifth..2 * fifth).contains(&run) { Some(0) } else { (run >= 4 * fifth).then_some(1) };
            // Measuring takes as long as a few runs.
            if let (Some(window), 0) = (window, run % 10) {
                let mut held = self.held.lock().unwrap();
                held[window] = held[window].least(ProcessState::now());
            }
            if progress && run % 200 < THREADS {
                report::progress(&format!("{run} of {} runs", self.runs));
            }
        }
    }

    fn honest(&self, run: usize) {
        let code = self.case.pick(
            "seen = 'left' in globals()\nleft = list(range(1000))\nresult = [seen, call_tool('note', run=RUN), len(left)]",
            "const seen = 'left' in globalThis; globalThis.left = Array(1000).fill(0); \
             result = [seen, call_tool('note', { run: RUN }), left.length]",
        );
        let result = self.sandbox.run_with(code, RunOptions::new().timeout(LONG).variable("RUN", run)).unwrap();
        assert_eq!(result.value, Some(json!([false, run * 2, 1000])), "run {run}: {result:?}");
    }

    fn hostile(&self, run: usize, kind: &Hostile) {
        let code = self.case.pick(kind.python, kind.javascript);
        let mut options = RunOptions::new().timeout(if kind.name == "loop" { SHORT } else { LONG });
        if kind.name == "cancelled" {
            let token = CancellationToken::new();
            options = options.cancel(token.clone()).on_output(move |_, _| token.cancel());
        }
        let ended = self.sandbox.run_with(code, options);
        assert!((kind.ends_well)(&ended), "run {run}, {}: {ended:?}", kind.name);
    }
}

#[scenario]
fn ten_thousand_runs_with_hostile_ones_leak_nothing(case: &Case) {
    let load = Load::new(case);
    let began = Instant::now();
    thread::scope(|scope| {
        let others: Vec<_> = (1..THREADS).map(|_| scope.spawn(|| load.work(false))).collect();
        load.work(true);
        others.into_iter().for_each(|other| other.join().unwrap());
    });
    let seconds = began.elapsed().as_secs_f64();
    let [before, after] = *load.held.lock().unwrap();
    let what = |what: &str| format!("{} runs with 5 % hostile on {THREADS} threads, {what}", load.runs);
    report::measured(&what("runs per second"), f64::from(u32::try_from(load.runs).unwrap()) / seconds);
    report::measured(&what("growth of memory (MiB)"), mib(after.memory.saturating_sub(before.memory)));
    report::measured(&what("threads at the end"), f64::from(u32::try_from(after.threads).unwrap()));
    for (run, called) in load.called.iter().enumerate() {
        assert_eq!(called.load(Ordering::Relaxed), run % HOSTILE != 7, "run {run}");
    }
    assert_eq!(panics::of_the_host(), [""; 0]);
    // Micro-VMs and processes that are prepared for the next runs count as well, and their number varies.
    let ready = if case.isolation == Isolation::Wasm { 0 } else { THREADS };
    let processes = if case.isolation == Isolation::Process { ready } else { 0 };
    assert!(after.processes <= before.processes + processes, "{before:?} {after:?}");
    assert!(after.files <= before.files + ready * FILES_OF_MICRO_VM, "{before:?} {after:?}");
    assert!(after.threads <= before.threads + THREADS_MORE, "{before:?} {after:?}");
    assert!(after.memory <= before.memory + GROWTH + ready as u64 * MEMORY_OF_MICRO_VM, "{before:?} {after:?}");
}
