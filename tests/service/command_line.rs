//! The commands that send requests to a server.

use std::process::Output;

use isolette_tests::{host_test, isolette, transcript};
use serde_json::Value;

use crate::server::Server;

fn run(server: &Server, arguments: &[&str]) -> Output {
    server.command(arguments).output().expect("it ends")
}

/// What a command writes on standard output, which must succeed.
fn stdout(server: &Server, arguments: &[&str]) -> String {
    let output = run(server, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", transcript(&output));
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}

/// Asserts a transcript, in which identifiers and times are replaced.
fn assert_transcript(name: &str, outputs: &[Output]) {
    let text: Vec<_> = outputs.iter().map(transcript).collect();
    insta::with_settings!({ filters => vec![
        (r"(sb|run|snap|files)-[0-9a-f]{32}", "${1}-ID"),
        (r"cmd-[0-9a-f]{16}", "cmd-ID"),
        (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
        (r" {2,}", "  "),
    ] }, { insta::assert_snapshot!(name, text.join("\n======\n")) });
}

#[host_test]
fn a_day_with_a_sandbox() {
    let server = Server::start(&[]);
    let outputs: Vec<_> = [
        &["list"][..],
        &["create", "--name", "work", "--metadata", "conversation=17"],
        &["exec", "work", "-c", "x = 41"],
        &["exec", "work", "-c", "x + 1"],
        &["exec", "work", "-c", "print('out')\nimport sys\nprint('err', file=sys.stderr)\n1/0"],
        &["exec", "work", "-c", "import sys; sys.exit(9)"],
        &["exec", "work", "-c", "while True: pass", "--timeout", "200ms"],
        &[
            "exec",
            "work",
            "--write",
            "a.txt=hello",
            "-c",
            "open('/workspace/b.txt', 'w').write('there')",
            "--read",
            "b.txt",
        ],
        &["exec", "work", "--cmd", "cat a.txt"],
        &["list"],
        &["pause", "work"],
        &["exec", "work", "-c", "x"],
        &["extend", "work", "--idle", "1h"],
        &["ps"],
        &["destroy", "work"],
        &["destroy", "work"],
        &["inspect", "work", "--json"],
    ]
    .iter()
    .map(|arguments| run(&server, arguments))
    .collect();
    assert_transcript("a_day_with_a_sandbox", &outputs);
}

#[host_test]
fn runs_in_the_background() {
    let server = Server::start(&[]);
    stdout(&server, &["create", "--name", "work", "--tool", "ask"]);
    let code = "for i in range(3): print('line', i)\ncall_tool('ask', question='how many?')";
    let id = stdout(&server, &["exec", "work", "-b", "-c", code]);
    server.until(&format!("/v1/runs/{id}"), |name, _| name == "calls");
    let outputs: Vec<_> = [
        &["ps"][..],
        &["wait", &id, "--timeout", "10ms"],
        &["resume", &id, "--show"],
        &["resume", &id],
        &["resume", &id, "--approve"],
        &["resume", &id, "--answer", "5"],
        &["wait", &id],
        &["resume", &id, "--answer", "5"],
        &["logs", &id],
        &["logs", &id, "--follow"],
        &["logs", &id, "--follow", "--stream", "stdout", "--offset", "7"],
        &["logs", &id, "--offset", "14"],
        &["cancel", &id],
        &["ps", "--all"],
        &["cancel", "run-none"],
    ]
    .iter()
    .map(|arguments| run(&server, arguments))
    .collect();
    assert_transcript("runs_in_the_background", &outputs);
}

#[host_test]
fn programs_are_paused_on_request() {
    let server = Server::start(&[]);
    stdout(&server, &["create", "--name", "work", "--tool", "ask", "--pauses"]);
    let code = "call_tool('ask', question='how many?')";
    let paused = server.command(&["exec", "work", "-c", code]).output().expect("it starts");
    let said = String::from_utf8_lossy(&paused.stderr);
    assert_eq!(paused.status.code(), Some(106), "{said}");
    let id = said.split(&[' ', '\n']).find(|word| word.starts_with("run-")).expect("the run").to_owned();
    // It did not end with the command that began it.
    let server = server.killed();
    stdout(&server, &["resume", &id, "--answer", "5"]);
    assert_eq!(stdout(&server, &["wait", &id]), "5");
}

#[host_test]
fn snapshots_and_forks() {
    let server = Server::start(&[]);
    stdout(&server, &["create", "--name", "work"]);
    stdout(&server, &["exec", "work", "-c", "x = 1"]);
    let snapshot = stdout(&server, &["snapshot", "create", "work", "--note", "one"]);
    stdout(&server, &["exec", "work", "-c", "x = 2"]);
    let fork = stdout(&server, &["fork", "work"]);
    let outputs: Vec<_> = [
        &["snapshot", "list"][..],
        &["exec", &fork, "-c", "x"],
        &["snapshot", "restore", "work", &snapshot],
        &["exec", "work", "-c", "x"],
        &["create", "--snapshot", &snapshot, "--name", "second"],
        &["exec", "second", "-c", "x"],
        &["snapshot", "rm", &snapshot],
        &["snapshot", "list"],
        &["snapshot", "restore", "work", &snapshot],
        &["fork", "work", "-n", "2", "--timeout", "1s"],
        &["resume", "work"],
        &["snapshot"],
    ]
    .iter()
    .map(|arguments| run(&server, arguments))
    .collect();
    assert_transcript("snapshots_and_forks", &outputs);
}

#[host_test]
fn commands_in_a_fixed_grammar() {
    let server = Server::start(&[]);
    stdout(&server, &["create", "--name", "work"]);
    let outputs: Vec<_> = [
        "pwd && mkdir -p a/b && echo 'one two' > a/b/c.txt && cat a/b/c.txt && ls a",
        "test -f a/b/c.txt && printf '%s is %d%%\\n' x 7",
        "test -f nothing && echo never",
        "cat nothing",
        "python3 -c 'import sys; print(sys.argv[1:]); y = 1' a b",
        "python3 -c 'print(y)'",
        "echo 'import sys; print(\"file\", sys.argv)' > p.py && python3 p.py x",
        "python3 -m json.tool a/b/c.txt",
        "node -e 'console.log(1 + 1)'",
        "echo 'console.log(\"from a file\")' > j.js && node j.js",
        "rm -r a && ls",
        "echo -n no end",
        "bash -c ls",
        "ls | cat",
        "echo $HOME",
        "ls -l",
    ]
    .iter()
    .map(|command| run(&server, &["exec", "work", "--cmd", command]))
    .collect();
    assert_transcript("commands_in_a_fixed_grammar", &outputs);
    let runs: Value =
        serde_json::from_str(&stdout(&server, &["exec", "work", "--json", "--cmd", "pwd && echo x"])).expect("JSON");
    assert_eq!(runs[1]["result"]["stdout"], "x\n");
    // Programs of commands leave no contexts.
    let found: Value = serde_json::from_str(&stdout(&server, &["inspect", "work", "--json"])).expect("JSON");
    assert_eq!(found["contexts"], serde_json::json!([]));
}

#[host_test]
fn a_policy_of_flags() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("in.txt"), "given").expect("a file");
    let mut create = server.command(&[
        "create",
        "--name",
        "work",
        "--input",
        ".",
        "--memory",
        "64MiB",
        "--allow",
        "GET https://example.com",
    ]);
    assert!(create.current_dir(folder.path()).status().expect("it ends").success());
    assert_eq!(stdout(&server, &["exec", "work", "-c", "open('/input/in.txt').read()"]), "\"given\"");
    let found: Value = serde_json::from_str(&stdout(&server, &["inspect", "work", "--json"])).expect("JSON");
    let policy = &found["effective"]["policy"];
    assert_eq!(policy["limits"]["memory"], 64 << 20, "{policy}");
    assert!(policy["network"].to_string().contains("example.com"), "{policy}");
}

#[host_test]
fn a_server_is_started_when_it_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = |arguments: &[&str]| {
        let mut command = isolette();
        command.args(arguments).env_remove("ISOLETTE_SERVER");
        command.env("XDG_STATE_HOME", folder.path()).env("XDG_RUNTIME_DIR", folder.path().join("none"));
        command.output().expect("it ends")
    };
    let probed = command(&["probe", "--json"]);
    let probed: Value = serde_json::from_slice(&probed.stdout).expect("JSON");
    assert_eq!((&probed["server"], &probed["isolations"]["wasm"]["available"]), (&Value::Null, &Value::Bool(true)));
    // Several at once start one server.
    let made: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| command(&["create"]))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let said =
        made.iter().filter(|output| String::from_utf8_lossy(&output.stderr).contains("started a server")).count();
    let all: Vec<_> = made.iter().map(transcript).collect();
    assert_eq!(said, 1, "{all:?}");
    let listed = command(&["list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert_eq!(listed.as_array().map(Vec::len), Some(3), "{all:?}");
    let said = made.iter().map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).collect::<String>();
    let process = said.split_once("process ").and_then(|(_, rest)| rest.split_once(',')).expect("a process").0;
    let process = rustix::process::Pid::from_raw(process.parse().expect("a number")).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("it runs");
    while folder.path().join("isolette/service/service.sock").exists() {
        std::thread::yield_now();
    }
}

#[host_test]
fn a_server_that_is_not_there_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = format!("unix:{}", folder.path().join("none").display());
    let output = isolette().args(["list", "--server", &place]).output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(104), "{stderr}");
    assert!(stderr.contains("cannot be reached") && stderr.contains("hint: "), "{stderr}");
    let output = isolette().args(["list", "--server", "ftp://x"]).output().expect("it ends");
    assert_eq!(output.status.code(), Some(102));
}
