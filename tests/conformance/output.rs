//! Streaming of output while a program runs.

use std::sync::{Arc, Mutex};

use isolette::{RunOptions, Stream, policy::Limits};
use isolette_tests::{Case, scenario};

type Seen = Arc<Mutex<Vec<(Stream, Vec<u8>)>>>;

fn watch() -> (RunOptions, Seen) {
    let seen = Seen::default();
    let sink = Arc::clone(&seen);
    (RunOptions::new().on_output(move |stream, bytes| sink.lock().unwrap().push((stream, bytes.to_vec()))), seen)
}

/// Consecutive writes to one stream are joined: how they are split is unspecified.
fn joined(seen: &Seen) -> Vec<(Stream, String)> {
    let mut joined: Vec<(Stream, String)> = Vec::new();
    for (stream, bytes) in &*seen.lock().unwrap() {
        let text = String::from_utf8_lossy(bytes);
        match joined.last_mut() {
            Some((last, all)) if last == stream => all.push_str(&text),
            _ => joined.push((*stream, text.into_owned())),
        }
    }
    joined
}

#[scenario]
fn output_arrives_in_the_order_of_writing(case: &Case) {
    let (options, seen) = watch();
    let program = case.pick(
        "import sys\nfor n in range(3):\n    print('out', n, flush=True)\n    print('err', n, file=sys.stderr, flush=True)",
        "for (let n = 0; n < 3; n++) { console.log('out', n); console.error('err', n); }",
    );
    let result = case.sandbox().run_with(program, options).unwrap();
    let expected: Vec<_> =
        (0..3).flat_map(|n| [(Stream::Stdout, format!("out {n}\n")), (Stream::Stderr, format!("err {n}\n"))]).collect();
    assert_eq!(joined(&seen), expected);
    assert_eq!(result.stdout, "out 0\nout 1\nout 2\n");
    assert_eq!(result.stderr, "err 0\nerr 1\nerr 2\n");
}

#[scenario]
fn output_arrives_before_the_program_continues(case: &Case) {
    let (options, seen) = watch();
    let at_the_call = Arc::clone(&seen);
    let count = move |_: serde_json::Value| Ok::<_, String>(joined(&at_the_call).len());
    let sandbox = case.builder().tool_typed("count", "Writes so far", count).build().unwrap();
    let program = case.pick("print('before')\ncall_tool('count')", "console.log('before'); call_tool('count')");
    let result = sandbox.run_with(program, options).unwrap();
    assert_eq!(result.value, Some(1.into()), "what was printed is there when a tool is called");
}

#[scenario]
fn output_bytes_arrive_unchanged(case: &Case) {
    let (options, seen) = watch();
    let program = case.pick(
        "import sys\nsys.stdout.buffer.write(bytes(range(256)))\nsys.stdout.flush()",
        "process.stdout.write(Uint8Array.from({ length: 256 }, (_, n) => n)); undefined",
    );
    let result = case.sandbox().run_with(program, options).unwrap();
    assert!(result.success(), "{result:?}");
    let bytes: Vec<u8> = seen.lock().unwrap().iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
    assert!(result.stdout.contains('\u{fffd}') && result.stdout.contains("ABC"));
}

#[scenario]
fn streamed_output_is_limited(case: &Case) {
    let mut limits = Limits::default();
    (limits.stdout, limits.stderr) = (10, 5);
    let sandbox = case.builder().limits(limits).build().unwrap();
    let (options, seen) = watch();
    let program = case.pick(
        "import sys\nprint('0123456789abc', end='', flush=True)\nprint('01234567', end='', file=sys.stderr)",
        "process.stdout.write('0123456789abc'); process.stderr.write('01234567'); undefined",
    );
    let result = sandbox.run_with(program, options).unwrap();
    assert_eq!((&*result.stdout, &*result.stderr), ("0123456789", "01234"));
    assert_eq!((result.truncated.stdout, result.truncated.stderr), (3, 3));
    assert_eq!(joined(&seen), [(Stream::Stdout, "0123456789".into()), (Stream::Stderr, "01234".into())]);
}

#[scenario]
fn output_before_an_exception_is_kept(case: &Case) {
    let program = case.pick(
        "print('no newline at the end', end='')\nraise SystemExit(3)",
        "process.stdout.write('no newline at the end'); process.exit(3)",
    );
    let result = case.sandbox().run(program).unwrap();
    assert_eq!((&*result.stdout, result.exit_code), ("no newline at the end", 3));
    assert_eq!(result.error, None);
}
