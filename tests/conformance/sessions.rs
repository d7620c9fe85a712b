//! A session keeps one guest alive: names, imports and `/tmp` persist, until something ends it.

use std::time::Duration;

use isolette::{CancellationToken, Error, ExecutionResult, Language, OutputFile, RunOptions};
use isolette_tests::{Case, Skipped, scenario};
use serde_json::json;

use crate::meeting_tools;

#[scenario]
fn runs_of_a_sandbox_share_nothing(case: &Case) {
    let sandbox = case.sandbox();
    sandbox.run(case.pick("import json\njson.dumps = None\nleft = 1", "JSON.stringify = null; var left = 1;")).unwrap();
    let look = case.pick(
        "import json\n[json.dumps is None, 'left' in globals()]",
        "[JSON.stringify === null, 'left' in globalThis]",
    );
    assert_eq!(sandbox.run(look).unwrap().value, Some(json!([false, false])));
}

#[scenario]
fn names_persist_in_a_session(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    session.run(case.pick("total = 1", "let total = 1")).unwrap();
    for expected in 2..6 {
        let result = session.run(case.pick("total += 1\ntotal", "total += 1; total")).unwrap();
        assert_eq!(result.value, Some(json!(expected)));
    }
}

/// Sources are kept for tracebacks, but not those of all programs of a long session.
#[scenario]
fn sources_of_a_long_session_are_limited(case: &Case) -> Result<(), Skipped> {
    if case.language != Language::Python {
        return Err(Skipped("only Python keeps the source of a program beside its code".into()));
    }
    let mut session = case.sandbox().session().unwrap();
    session.run("def first(): raise ValueError('from the first')").unwrap();
    let long = format!("1 # {}", "x".repeat(40_000));
    for _ in 0..60 {
        session.run(&long).unwrap();
    }
    session.run("def last(): raise ValueError('from the last')").unwrap();
    let kept =
        session.run("import linecache\nsum(len(line) for entry in linecache.cache.values() for line in entry[2])");
    let kept = kept.unwrap().value.and_then(|value| value.as_u64()).unwrap();
    assert!((1 << 19..(1 << 20) + 50_000).contains(&kept), "{kept}");
    let traceback = session.run("last()").unwrap().error.unwrap().traceback;
    assert!(traceback.contains("def last(): raise ValueError"), "{traceback}");
    Ok(())
}

#[scenario(only = Python, because = "JavaScript shows the source of a function itself")]
fn sources_belong_to_the_program_that_defined_them(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let programs = [
        "import inspect\nclass First:\n    x = 1\n\ndef f():\n    return 'first'\n",
        "\nclass Second:\n    y = 2\n\n    def method(self):\n        return 'second'\n\n\ndef g():\n    return f()\n",
        "# a comment\nfrom dataclasses import dataclass\n@dataclass\nclass Third:\n    n: int = 1\n",
        "from enum import Enum\nclass Outer:\n    class Inner(Enum):\n        A = 1\n",
        "class First:\n    x = 'again'\n",
        "```python\nasync def h(): pass\nclass Fenced: pass\nawait h()\n```",
    ];
    for program in programs {
        assert_eq!(session.run(program).unwrap().error, None, "{program}");
    }
    for (name, source) in [
        ("First", "class First:\n    x = 'again'\n"),
        ("f", "def f():\n    return 'first'\n"),
        ("Second", "class Second:\n    y = 2\n\n    def method(self):\n        return 'second'\n"),
        ("Second.method", "    def method(self):\n        return 'second'\n"),
        ("g", "def g():\n    return f()\n"),
        ("Third", "@dataclass\nclass Third:\n    n: int = 1\n"),
        ("Outer", "class Outer:\n    class Inner(Enum):\n        A = 1\n"),
        ("Outer.Inner", "    class Inner(Enum):\n        A = 1\n"),
        ("Fenced", "class Fenced: pass\n"),
    ] {
        let found = session.run(&format!("inspect.getsource({name})")).unwrap();
        assert_eq!(found.value, Some(json!(source)), "{name}: {:?}", found.error);
    }
    let made = session.run("inspect.getsource(type('Made', (), {}))").unwrap().error.unwrap();
    assert_eq!((&*made.kind, &*made.message), ("OSError", "source code not available"));
    // Other names of files are no reason for another text.
    let options = RunOptions::new().filename("other.py");
    assert!(session.run_with("\n\nclass Other:\n    z = 3", options).unwrap().success());
    let found = session.run("[inspect.getsource(Other), inspect.getsource(Third), inspect.getsource(f)]").unwrap();
    let sources =
        ["class Other:\n    z = 3\n", "@dataclass\nclass Third:\n    n: int = 1\n", "def f():\n    return 'first'\n"];
    assert_eq!(found.value, Some(json!(sources)));
}

#[scenario(only = Python, because = "the modules are Python's")]
fn tracebacks_warnings_and_doctests_show_lines_of_the_program_that_defined_them(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    session.run("import warnings, doctest\ndef divide(x):\n    return 1 / x  # the first\n").unwrap();
    session
        .run("\ndef call(x):\n    return divide(x)  # the second\ndef warn():\n    warnings.warn('mind')  # old\n")
        .unwrap();
    let traceback = session.run("\n\n\ncall(0)  # the third").unwrap().error.unwrap().traceback;
    for line in ["return 1 / x  # the first", "return divide(x)  # the second", "call(0)  # the third"] {
        assert!(traceback.contains(line), "{line}: {traceback}");
    }
    let warned = session.run("warn()").unwrap();
    assert!(warned.stderr.contains("UserWarning: mind\n  warnings.warn('mind')  # old\n"), "{}", warned.stderr);
    let define = "\n\n\n\ndef twice(x):\n    \"\"\"Doubles.\n\n    >>> twice(2)\n    4\n    >>> twice(3)\n    7\n    \"\"\"\n    return 2 * x\n";
    session.run(define).unwrap();
    let tested = session.run("tuple(doctest.testmod())").unwrap();
    assert_eq!(tested.value, Some(json!([1, 2])));
    assert!(tested.stdout.contains("line 10, in __main__.twice"), "{}", tested.stdout);
    assert!(tested.stdout.contains("(run 5)\", line 10"), "{}", tested.stdout);
}

#[scenario]
fn values_that_are_nested_too_deeply_leave_the_session_alive(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    assert!(session.run(case.pick("kept = 'yes'", "var kept = 'yes'")).unwrap().success());
    let programs = case.pick(
        [
            "import json\njson.loads('[' * 100000)",
            "def nested():\n    value = None\n    for _ in range(100000):\n        value = [value]\n    return value\nnested() == nested()",
            "hash(eval('(' * 100000))",
        ],
        ["JSON.parse('['.repeat(100000))", "eval('['.repeat(100000))", "new RegExp('('.repeat(100000))"],
    );
    for program in programs {
        let error = session.run(program).unwrap().error.expect("it is nested too deeply");
        let expected = ["RecursionError", "MemoryError", "SyntaxError", "RangeError", "InternalError"];
        assert!(expected.contains(&error.kind.as_str()), "{program}: {}", error.kind);
    }
    assert_eq!(session.run("kept").unwrap().value, Some(json!("yes")));
}

#[scenario]
fn functions_and_imports_persist_in_a_session(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let define = case.pick(
        "import math\nclass Shape:\n    def area(self): return math.factorial(4)\ndef twice(x): return 2 * x",
        "const fs = await import('fs'); class Shape { area() { return fs.existsSync('/tmp') ? 24 : 0; } } \
         function twice(x) { return 2 * x; }",
    );
    assert!(session.run(define).unwrap().success());
    let use_them = case.pick("twice(Shape().area())", "twice(new Shape().area())");
    assert_eq!(session.run(use_them).unwrap().value, Some(json!(48)));
}

#[scenario]
fn an_exception_leaves_the_session_alive(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let failing = case.pick("kept = 'yes'\nraise ValueError('no')", "var kept = 'yes'; throw new TypeError('no')");
    let result = session.run(failing).unwrap();
    assert_eq!(result.error.unwrap().message, "no");
    assert_eq!(result.exit_code, 1);
    assert_eq!(session.run("kept").unwrap().value, Some(json!("yes")));
    let wrong = session.run("this is not a program (").unwrap();
    assert_eq!(wrong.error.unwrap().kind, "SyntaxError");
    assert_eq!(session.run("kept").unwrap().value, Some(json!("yes")));
}

#[scenario]
fn a_session_can_redeclare_a_name(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    for expected in 1..4 {
        let code = case.pick(format!("value = {expected}\nvalue"), format!("const value = {expected}; value"));
        assert_eq!(session.run(&code).unwrap().value, Some(json!(expected)));
    }
}

#[scenario]
fn output_and_value_belong_to_one_run_of_a_session(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let first = session.run(case.pick("print('one')\nresult = 1", "console.log('one'); result = 1")).unwrap();
    assert_eq!((&*first.stdout, first.value), ("one\n", Some(json!(1))));
    let second = session.run(case.pick("print('two')", "console.log('two')")).unwrap();
    assert_eq!((&*second.stdout, second.value), ("two\n", None));
}

#[scenario]
fn process_state_changed_by_a_run_is_reset(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let meddling = case.pick(
        vec![
            "import sys\nsys.stdout.close()\nsys.stderr.close()",
            "sys.stdout.detach()\nsys.stderr.detach()",
            "sys.stdout = sys.__stdout__ = sys.stderr = sys.__stderr__ = None",
            "sys.stderr.write('a')\nsys.stderr.buffer.write(b'b')\nsys.stderr = sys.stdout",
        ],
        vec![
            "console.group('a'); console.count('x'); console.count('x'); process.exitCode = 3",
            "setInterval(() => console.log('late'), 1).unref(); performance.now(); console.time('y')",
            "process.nextTick(() => exit(4)); setImmediate(() => console.log('never'))",
        ],
    );
    let look = case.pick(
        "print(1)\nprint(2, file=sys.stderr)",
        "console.log(1); console.error(2); console.log(performance.now() < 60000); console.count('x')",
    );
    for code in meddling {
        session.run(code).unwrap();
        let result = session.run(look).unwrap();
        assert_eq!(result.stdout, case.pick("1\n", "1\ntrue\nx: 1\n"), "{code}: {:?}", result.error);
        assert_eq!(result.stderr, "2\n", "{code}");
        assert_eq!(result.exit_code, 0, "{code}");
    }
}

#[scenario]
fn sessions_are_isolated_from_each_other(case: &Case) {
    let sandbox = case.sandbox();
    let (mut one, mut other) = (sandbox.session().unwrap(), sandbox.session().unwrap());
    one.run(case.pick("mine = 1", "var mine = 1")).unwrap();
    let error = other.run("mine").unwrap().error.unwrap();
    assert_eq!(error.kind, case.pick("NameError", "ReferenceError"));
}

#[scenario]
fn session_files_are_listed_by_the_run_that_changed_them(case: &Case) {
    let sandbox = case.builder().temp_output().build().unwrap();
    let mut session = sandbox.session().unwrap();
    let mut write = |path: &str| {
        let result =
            session.run(&case.pick(format!("open('{path}', 'w').write('x')"), format!("write_file('{path}', 'x')")));
        let ExecutionResult { files, truncated, .. } = result.unwrap();
        assert!(!truncated.files);
        names(&files)
    };
    assert_eq!(write("/output/a.txt"), ["/output/a.txt"]);
    assert_eq!(write("/output/b.txt"), ["/output/b.txt"]);
    assert_eq!(write("/tmp/c.txt"), [""; 0]);
    assert_eq!(write("/output/a.txt"), ["/output/a.txt"], "it is written once more");
    session.write_file("/output/in/d.txt", b"d").unwrap();
    let result = session.run("1").unwrap();
    assert_eq!(names(&result.files), [""; 0], "no program has written it");
    let all = result.list_output();
    assert_eq!(names(&all), ["/output/a.txt", "/output/b.txt", "/output/in/d.txt"]);
}

fn names(files: &[OutputFile]) -> Vec<String> {
    files.iter().map(|file| file.path.clone()).collect()
}

#[scenario]
fn files_put_into_a_session_count_against_its_quotas(case: &Case) {
    let mut limits = case.limits();
    (limits.file_bytes, limits.file_total_bytes, limits.file_count) = (1000, 1500, 3);
    let mut session = case.builder().limits(limits).temp_output().build().unwrap().session().unwrap();
    session.write_file("/output/a.txt", &[b'a'; 900]).unwrap();
    let refused = |result: Result<(), Error>| match result {
        Err(Error::LimitExceeded { what, limit, used, .. }) => (what, limit, used),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(session.write_file("/output/a.txt", &[b'b'; 1001])), ("limits.file_bytes", 1000, 1001));
    assert_eq!(refused(session.write_file("/output/b.txt", &[b'b'; 601])), ("limits.file_total_bytes", 1500, 1501));
    assert_eq!(session.read_file("/output/a.txt", 1000).unwrap(), [b'a'; 900], "it is as it was");
    let write = case.pick(
        "try:\n    with open('/output/b.txt', 'w') as file: file.write('b' * 601)\n\
         except OSError as error:\n    import errno; result = errno.errorcode[error.errno]",
        "try { write_file('/output/b.txt', 'b'.repeat(601)); } catch (error) { result = error.code; }",
    );
    let result = session.run(write).unwrap();
    assert_eq!(result.value, Some(json!("ENOSPC")), "{result:?}");
    assert_eq!(refused(session.write_file("/output/d/e/f.txt", b"")), ("limits.file_count", 3, 4));
    let (entries, _) = session.list_files("/output").unwrap();
    assert_eq!(entries.len(), 2, "no directory is left of what was refused: {entries:?}");
}

#[scenario]
fn a_timeout_ends_the_session(case: &Case) {
    let sandbox = case.sandbox();
    let mut session = sandbox.session().unwrap();
    let endless = case.pick("while True: pass", "while (true);");
    let error = session.run_with(endless, RunOptions::new().timeout(Duration::from_millis(300))).unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
    let after = session.run("1").unwrap_err();
    assert!(matches!(&after, Error::SessionEnded { reason } if reason.contains("timeout")), "{after}");
    assert_eq!(sandbox.session().unwrap().run("1").unwrap().value, Some(json!(1)), "a new one can be started");
}

#[scenario]
fn a_cancellation_ends_the_session(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let token = CancellationToken::new();
    token.cancel();
    let endless = case.pick("while True: pass", "while (true);");
    let error = session.run_with(endless, RunOptions::new().cancel(token)).unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
    let after = session.run("1").unwrap_err();
    assert!(matches!(&after, Error::SessionEnded { reason } if reason.contains("cancelled")), "{after}");
}

#[scenario]
fn two_sessions_and_a_run_work_at_the_same_time(case: &Case) {
    let sandbox = case.sandbox();
    let (mut one, mut other) = (sandbox.session().unwrap(), sandbox.session().unwrap());
    std::thread::scope(|scope| {
        for (session, name) in [(&mut one, "one"), (&mut other, "other")] {
            scope.spawn(move || {
                session.run(&case.pick(format!("name = '{name}'"), format!("var name = '{name}'"))).unwrap();
                for _ in 0..20 {
                    assert_eq!(session.run("name").unwrap().value, Some(json!(name)));
                }
            });
        }
        scope.spawn(|| assert!(sandbox.run("name").unwrap().error.is_some()));
    });
}

#[scenario]
fn random_numbers_differ_from_guest_to_guest(case: &Case) {
    let sandbox = case.sandbox();
    let draw = case.pick(
        "import random, uuid, os\n[random.random(), uuid.uuid4().hex, os.urandom(8).hex()]",
        "[Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))].join()]",
    );
    let (one, other) = (sandbox.run(draw).unwrap().value.unwrap(), sandbox.run(draw).unwrap().value.unwrap());
    for (one, other) in one.as_array().unwrap().iter().zip(other.as_array().unwrap()) {
        assert_ne!(one, other);
    }
}

#[scenario]
fn a_call_of_an_earlier_program_of_a_session_has_ended(case: &Case) {
    let sandbox = meeting_tools::with_tools(case).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let start = case.pick(
        "kept = tools.stuck.start()\n'started'",
        "globalThis.controller = new AbortController();\n\
         globalThis.kept = call_tool_async('stuck', {}, { signal: controller.signal });\nprocess.exit()",
    );
    assert!(session.run(start).unwrap().success());
    // The ticket of the new call is that of the earlier one, so ending that one must not end the new one.
    let end_it = case.pick(
        "new = tools.meet.start(of=1, name='new')\nkept.cancel()\nnew.result()",
        "const call = call_tool_async('meet', { of: 1, name: 'new' });\ncontroller.abort();\nkept.catch(() => {});\nawait call",
    );
    let result = session.run(end_it).unwrap();
    assert_eq!(result.value, Some(json!("new")), "{:?}", result.error);
}

#[scenario]
fn awaiting_a_call_of_an_earlier_program_is_an_error(case: &Case) {
    let sandbox = meeting_tools::with_tools(case).build().unwrap();
    let mut session = sandbox.session().unwrap();
    session
        .run(case.pick("kept = tools.stuck.start()", "globalThis.kept = tools.stuck.start({});\nprocess.exit()"))
        .unwrap();
    for again in case.pick(["await kept", "kept.result()"], ["await kept", "await Promise.all([kept])"]) {
        let result = session.run_with(again, RunOptions::new().timeout(Duration::from_secs(20))).unwrap();
        assert!(!result.success(), "{:?}", result.value);
    }
    assert_eq!(session.run("1 + 1").unwrap().value, Some(json!(2)));
}
