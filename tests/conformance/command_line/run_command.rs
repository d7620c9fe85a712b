//! `isolette run`: sources of programs, what is provided to them, and their output.

use std::{
    fs,
    process::{Command, Stdio},
};

use isolette_tests::{
    brewery::{Brewery, Variant},
    built, engines, guests, host_test, isolette, transcript,
};
use serde_json::Value;

use super::{json, path, run, run_with_input, stdout};

#[host_test]
fn stdout_and_stderr_pass_through() {
    let output = run(&["run", "-c", "import sys\nprint('out')\nprint('err', file=sys.stderr)\n42"]);
    assert_eq!(transcript(&output), "exit code 0\n--- stdout ---\nout\n--- stderr ---\nerr\n");
    let output = run(&["run", "-c", "console.log('out'); console.error('err'); 42"]);
    assert_eq!(transcript(&output), "exit code 0\n--- stdout ---\nout\n--- stderr ---\nerr\n");
}

#[host_test]
fn the_dialect_is_that_of_the_flag_or_of_the_policy() {
    let program = "text({ a: 1 })";
    let by_flag = run(&["run", "--lang", "javascript", "--dialect", "openai", "-c", program]);
    assert_eq!(stdout(&by_flag), "{\"a\":1}\n");
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.toml");
    fs::write(&policy, "dialect = 'codex'\n").unwrap();
    let by_policy = run(&["run", "--lang", "javascript", "--policy", path(&policy), "-c", "notify([1])"]);
    assert_eq!(stdout(&by_policy), "[1]\n");
    let neither = run(&["run", "--lang", "javascript", "-c", program]);
    assert!(transcript(&neither).contains("text is not defined"), "{}", transcript(&neither));
}

/// Runs the program on a terminal and prints its output; with `err`, only standard error is a terminal.
const TERMINAL: &str = r#"
import os, pty, subprocess, sys
master, terminal = pty.openpty()
streams = {"err": {"stdout": subprocess.DEVNULL, "stderr": terminal}, "out": {"stdout": terminal, "stderr": subprocess.DEVNULL}}
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, **streams[sys.argv[1]])
os.close(terminal)
try:
    while got := os.read(master, 65536):
        sys.stdout.buffer.write(got)
except OSError:
    pass
sys.exit(child.wait())
"#;

fn on_terminal(stream: &str, arguments: &[&str]) -> String {
    let tool = isolette();
    let output = Command::new("python3")
        .args(["-c", TERMINAL, stream])
        .arg(tool.get_program())
        .args(arguments)
        .envs(tool.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

/// Programs may print any bytes; a terminal gets them escaped. Piped output is unchanged.
#[host_test]
fn terminal_control_characters_are_escaped() {
    let code = "import sys\nprint('a\\x1b[2Jb\\x9bc\\u202ed')\nprint('e\\x1b]0;x\\x07', file=sys.stderr)";
    assert_eq!(stdout(&run(&["run", "-c", code])), "a\u{1b}[2Jb\u{9b}c\u{202e}d\n");
    assert_eq!(on_terminal("out", &["run", "-c", code]), "a\\u{1b}[2Jb\\u{9b}c\\u{202e}d\n");
    let reported = on_terminal("err", &["run", "-c", code]);
    assert!(reported.ends_with("e\\u{1b}]0;x\\u{7}\n"), "{reported:?}");
    // The same for messages with texts of a program: its value, and its exceptions.
    assert_eq!(on_terminal("out", &["run", "-c", "'\\x9b2J'"]), "\"\\u009b2J\"\n");
    let reported = on_terminal("err", &["run", "-c", "raise ValueError('\\x1b[2J')"]);
    assert!(reported.contains("ValueError: \\u{1b}[2J"), "{reported:?}");
    // JSON stays JSON.
    let reported = on_terminal("out", &["run", "--json", "-c", "'\\x9b2J'"]);
    assert_eq!(serde_json::from_str::<Value>(&reported).unwrap()["value"], "\u{9b}2J");
    assert!(!reported.contains('\u{9b}'), "{reported:?}");
}

#[host_test]
fn a_value_is_printed_if_stdout_is_empty() {
    for (code, printed) in [
        ("6 * 7", "42\n"),
        ("{'a': [1, None]}", "{\"a\":[1,null]}\n"),
        ("'text'", "\"text\"\n"),
        ("{1}", "{1}\n"),
        ("x = 1", ""),
        ("const x = 6; x * 7", "42\n"),
    ] {
        assert_eq!(stdout(&run(&["run", "-c", code])), printed, "{code}");
    }
}

#[host_test]
fn exceptions_are_shown_on_stderr() {
    let output = run(&["run", "-c", "def f():\n    raise ValueError('no')\nf()", "--lang", "python"]);
    insta::assert_snapshot!("exception-python", transcript(&output));
    let output =
        run(&["run", "-c", "const f = () => {\n  throw new TypeError('no');\n};\nf();", "--lang", "javascript"]);
    insta::assert_snapshot!("exception-javascript", transcript(&output));
}

#[host_test]
fn exit_codes_of_programs_pass_through() {
    for code in [0, 3, 100] {
        assert_eq!(run(&["run", "-c", &format!("raise SystemExit({code})")]).status.code(), Some(code));
        assert_eq!(
            run(&["run", "-c", &format!("process.exit({code}) // js"), "--lang", "js"]).status.code(),
            Some(code)
        );
    }
    assert_eq!(run(&["run", "-c", "1 / 0"]).status.code(), Some(1));
}

#[host_test]
fn the_language_is_guessed_from_name_or_source() {
    let folder = tempfile::tempdir().unwrap();
    for (name, code, printed) in [
        ("a.py", "print(1 // 1)", "1\n"),
        ("a.js", "console.log([1] + '')", "1\n"),
        ("a.mjs", "console.log(`${1}`)", "1\n"),
        ("plain", "def f(): return 1\nprint(f())", "1\n"),
        ("plain", "const f = () => 1;\nconsole.log(f());", "1\n"),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, code).unwrap();
        assert_eq!(stdout(&run(&["run", path(&file)])), printed, "{name}: {code}");
    }
    assert_eq!(stdout(&run_with_input(&["run", "-"], b"print('from stdin')")), "from stdin\n");
    assert_eq!(stdout(&run_with_input(&["run", "-", "--lang", "javascript"], b"'from stdin'")), "\"from stdin\"\n");
}

#[host_test]
fn typescript_runs_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.ts");
    let code = "interface Point { x: number; y: number }\nconst p: Point = { x: 1, y: 2 };\nconsole.log((p.x + p.y) as number);\n\
                const missing: any = undefined;\nmissing.field;\n";
    fs::write(&file, code).unwrap();
    let output = run(&["run", path(&file)]);
    assert_eq!(stdout(&output), "3\n", "{}", transcript(&output));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("program.ts:5"),
        "lines are kept: {}",
        transcript(&output)
    );
}

#[host_test]
fn variables_and_mounts_are_provided() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in"), folder.path().join("new/out"));
    fs::create_dir(&input).unwrap();
    fs::write(input.join("a.txt"), "content").unwrap();
    let code = "open('/output/b.txt', 'w').write(open('/input/a.txt').read() * LIMIT + open('/data/a.txt').read())";
    let mount = format!("{}:/data", path(&input));
    let arguments =
        ["run", "-c", code, "--input", path(&input), "--output", path(&output), "--mount", &mount, "--var", "LIMIT=2"];
    let finished = run(&arguments);
    assert_eq!(finished.status.code(), Some(0), "{}", transcript(&finished));
    assert_eq!(fs::read_to_string(output.join("b.txt")).unwrap(), "contentcontentcontent");
}

#[host_test]
fn a_brewery_program_runs_on_the_command_line() {
    for language in guests::LANGUAGES {
        let api = Brewery::start(Variant::Plain);
        let program = guests::folder().join(format!("breweries/answer.{}", guests::ending(language)));
        let output = run(&["run", path(&program), "--base-url", &api.base_url(), "--json"]);
        assert_eq!(json(&output)["value"]["san_diego_total"], 250, "{}", transcript(&output));
        assert_eq!(api.requests().len(), 3);
    }
}

#[host_test]
fn json_output_is_one_object() {
    let folder = tempfile::tempdir().unwrap();
    let code =
        "import sys\nopen('/output/x', 'w').write('x')\nprint('out')\nprint('err', file=sys.stderr)\nresult = [1]";
    let report = json(&run(&["run", "--json", "-c", code, "--output", path(folder.path())]));
    assert_eq!(
        (&report["value"], &report["stdout"], &report["stderr"]),
        (&serde_json::json!([1]), &"out\n".into(), &"err\n".into())
    );
    assert_eq!((&report["exit_code"], &report["error"]), (&0.into(), &Value::Null));
    assert_eq!((&report["files"][0]["path"], &report["files"][0]["size"]), (&"/output/x".into(), &1.into()));
    assert_eq!(report["isolation"]["engine"], engines::automatic().to_string());
    for field in ["wall_ms", "memory_peak_bytes", "host_calls", "tool_calls", "http_requests"] {
        assert!(report["usage"][field].is_number(), "{field}: {report}");
    }
    assert!(report["truncated"].is_object() && report["calls"].is_array(), "{report}");
    let failed = json(&run(&["run", "--json", "-c", "x = 1\nraise KeyError('k')"]));
    assert_eq!((&failed["error"]["type"], &failed["error"]["line"]), (&"KeyError".into(), &2.into()), "{failed}");
}

#[host_test]
fn limit_hits_have_their_own_exit_codes() {
    for (code, arguments, expected) in [
        ("while True: pass", ["--timeout", "300ms"], 124),
        ("import time\ntime.sleep(60)", ["--timeout", "300ms"], 124),
        ("while (true); // js", ["--timeout", "300ms"], 124),
    ] {
        let output = run(&[&["run", "-c", code], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(expected), "{}", transcript(&output));
        insta::assert_snapshot!("ended-timeout", transcript(&output));
    }
}

/// `isolette … | head -1`.
#[host_test]
fn a_closed_stdout_is_not_a_crash() {
    let mut child = isolette()
        .args(["run", "-c", "for n in range(300_000): print(n)"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(output.status.code().is_some(), "{}", output.status);
}

#[host_test]
fn recordings_are_made_and_replayed_on_the_command_line() {
    let directory = tempfile::tempdir().unwrap();
    let recording = directory.path().join("recording");
    let api = Brewery::start(Variant::Plain);
    let base = api.base_url();
    let program = guests::folder().join("../../examples/breweries.py");
    let run_with = |flag: &str| run(&["run", path(&program), "--base-url", &base, flag, path(&recording), "--json"]);
    let recorded = json(&run_with("--record"));
    assert_eq!(recorded["error"], Value::Null, "{recorded}");
    drop(api);
    let replayed = json(&run_with("--replay"));
    assert_eq!((&replayed["value"], &replayed["stdout"]), (&recorded["value"], &recorded["stdout"]));
    // A second recording would be mixed with the first.
    let refused = run_with("--record");
    assert_eq!(refused.status.code(), Some(102));
    let time = "import time; print(time.time() // 60 * 60)";
    assert_eq!(stdout(&run(&["run", "-c", time, "--deterministic"])), "946684800.0\n");
}

#[host_test]
fn brewery_examples_of_both_languages_agree() {
    let examples = guests::folder().join("../../examples");
    let answers = ["breweries.py", "breweries.js"].map(|example| {
        let api = Brewery::start(Variant::Plain);
        let program = examples.join(example);
        let output = run(&["run", path(&program), "--base-url", &api.base_url(), "--json"]);
        let report = json(&output);
        assert_eq!(report["error"], Value::Null, "{report}");
        assert_eq!(report["stdout"], "250 breweries\n");
        report["value"].clone()
    });
    assert_eq!(answers[0]["total"], 250);
    assert_eq!(answers[0], answers[1]);
}

#[host_test]
fn the_embedding_example_runs() {
    let output = Command::new(built("embed", "embed")).output().unwrap();
    insta::assert_snapshot!("example-embed", transcript(&output));
}

#[host_test]
fn the_agent_example_runs() {
    let output = Command::new(built("agent-rust", "agent-rust")).output().unwrap();
    insta::assert_snapshot!("example-agent-rust", transcript(&output));
}
