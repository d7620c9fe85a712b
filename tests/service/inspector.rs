//! The page that shows what runs did: from audit files, and from a server, in headless Chromium.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use isolette_tests::{Skipped, agents, host_test, isolette};
use serde_json::{Value, json};

use crate::server::{Server, text};

/// A program whose texts are hostile to a page, with calls of every outcome.
const PROGRAM: &str = "\
import base64
open('/output/chart.png', 'wb').write(base64.b64decode(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='))
for number in range(3):
    try:
        http_get(f'https://example.com/</script><img src=x onerror=alert({number})>')
    except HttpError as error:
        print(type(error).__name__, '</script><script>alert(1)</script>')
{'<img src=x onerror=alert(2)>': [1, 2]}
";

/// A folder that a browser may read and write.
fn folder() -> PathBuf {
    let test = std::env::current_exe().expect("the test knows its own path");
    let target = test.ancestors().nth(3).expect("tests are in the folder `deps` of a profile's folder");
    let folder = target.join("inspector");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Lets headless Chromium do one step with a page. Returns what the step reports.
fn browse(step: &str, page: &str, token: &str) -> Result<Value, Skipped> {
    let chromium = Path::new("/usr/bin/chromium");
    if !chromium.exists() {
        return Err(Skipped("Chromium is not installed: `cargo xtask setup` installs it".into()));
    }
    let modules = agents::installed_client("service-node/node_modules")?;
    let parent = modules.parent().expect("it was joined").to_owned();
    let draft = tempfile::Builder::new().suffix(".mjs").tempfile_in(parent).expect("a file beside the modules");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("service/clients/inspector.mjs");
    fs::copy(source, draft.path()).expect("the client can be copied");
    let mut client = Command::new(agents::node_for_suite()?);
    client.arg(draft.path()).args([step, page, token]).arg(folder()).env("CHROMIUM", chromium);
    let output = client.output().expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    Ok(serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}")))
}

/// Runs the program. Returns the files of its audit and of its result, and the folder of its output.
fn files(name: &str) -> (PathBuf, PathBuf, PathBuf) {
    let folder = folder().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let (audit, result, output) = (folder.join("audit.jsonl"), folder.join("result.json"), folder.join("output"));
    let program = folder.join("report.py");
    fs::write(&program, PROGRAM).expect("a file");
    let mut run = isolette();
    run.args(["run", "--json", "--audit-arguments", "--isolation", "process", "--audit"]).arg(&audit);
    let ran = run.arg("--output").arg(&output).arg(&program).output().expect("it ends");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    fs::write(&result, ran.stdout).expect("a file");
    (audit, result, output)
}

fn page(arguments: &[&Path], name: &str) -> String {
    let made = isolette().arg("inspect-run").args(arguments).output().expect("it ends");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let path = folder().join(name);
    fs::write(&path, made.stdout).expect("a file");
    format!("file://{}", path.display())
}

#[host_test]
fn a_page_of_files_shows_everything_and_runs_nothing() -> Result<(), Skipped> {
    let (audit, result, output) = files("shown");
    let page = page(&[&audit, &result, Path::new("--output"), &output], "shown.html");
    let seen = browse("files", &page, "")?;
    assert_eq!(seen["messages"], json!([]), "the console of the browser");
    assert_eq!(seen["requests"], json!([]), "requests of the page");
    assert_eq!(seen["markup"], json!(0), "elements that the program made");
    let body = text(&seen, "text");
    for expected in
        ["denied", "HttpDenied </script><script>alert(1)</script>", "<img src=x onerror=alert(2)>", "report.py"]
    {
        assert!(body.contains(expected), "{expected}: {body}");
    }
    assert!(text(&seen, "details").contains("https://example.com/</script>"), "{seen}");
    assert_eq!(seen["pictures"], 1);
    assert_ne!(seen["light"], seen["dark"], "the same colours in both");
    assert!(seen["colors"].as_u64().is_some_and(|colors| colors > 8), "an empty timeline: {}", seen["colors"]);
    // Facts, timeline, program, output and picture can be seen.
    let heights = seen["parts"].as_array().expect("a list");
    assert!(heights.iter().all(|height| height.as_u64().is_some_and(|height| height > 16)), "{heights:?}");
    assert_eq!(seen["isWide"], false, "a narrow window has to be scrolled sideways");
    Ok(())
}

#[host_test]
fn no_text_of_an_audit_becomes_markup() -> Result<(), Skipped> {
    let hostile =
        "</script><img src=x onerror=alert(1)><!-- \u{2028}\u{202e}\u{0}${alert(1)} &lt;b&gt; javascript:alert(1)";
    let scope = json!({ "run": hostile, "session": hostile, "labels": { hostile: hostile, "__proto__": hostile } });
    let record = |fields: Value| {
        let mut all = scope.as_object().expect("an object").clone();
        all.extend(fields.as_object().expect("an object").clone());
        Value::Object(all).to_string()
    };
    let mut lines = vec![record(json!({
        "record": "run-began", "time": "2026-01-01T00:00:00Z", "language": hostile, "engine": hostile, "program": hostile,
        "code": hostile, "code_bytes": 1, "code_sha256": hostile,
    }))];
    lines.extend((1..=3).map(|number| {
        record(json!({
            "record": "call", "number": number, "started_ms": number, "duration_ms": 1.5, "capability": "http",
            "operation": hostile, "target": hostile, "outcome": "denied", "rule": hostile,
            "arguments": { hostile: [hostile, 12_345_678_901_234_567_890_u64] },
            "arguments_sha256": hostile, "approval": hostile, "mismatch": hostile, "signature": hostile, "note": hostile,
            "hops": [{ "operation": hostile, "target": hostile, "rule": hostile, "outcome": hostile }],
        }))
    }));
    let counted = json!([{ "operation": hostile, "outcome": hostile, "calls": 3 }]);
    lines.push(record(json!({ "record": "file-calls", "counted": counted })));
    lines.push(record(json!({ "record": "run-paused", "time": "2026-01-01T00:00:00.002Z", "calls": 2 })));
    lines.push(record(json!({ "record": "run-ended", "ending": hostile, "calls": 3, "usage": { "wall_ms": 9.5 } })));
    let audit = folder().join("hostile.jsonl");
    fs::write(&audit, lines.join("\n") + "\n").expect("a file");
    let seen = browse("files", &page(&[&audit], "hostile.html"), "")?;
    assert_eq!(seen["messages"], json!([]), "the console of the browser");
    assert_eq!(seen["requests"], json!([]), "requests of the page");
    assert_eq!(seen["markup"], json!(0), "elements that the program made");
    let details = text(&seen, "details");
    // What would turn the order of letters round can be seen, and no number is rounded.
    for expected in ["<img src=x onerror=alert(1)>", "⟨202E⟩", "⟨0000⟩", "12345678901234567890"] {
        assert!(details.contains(expected), "{expected}: {details}");
    }
    Ok(())
}

#[host_test]
fn ten_thousand_calls_are_smooth() -> Result<(), Skipped> {
    let audit = folder().join("many.jsonl");
    let mut lines =
        vec![json!({ "record": "run-began", "time": "2026-01-01T00:00:00Z", "run": "0a", "language": "python" })];
    lines.extend((1..=10_000_u64).map(|number| {
        let (started, took) = (number as f64 * 0.7, if number % 50 == 0 { 400.0 } else { 0.5 });
        let outcome = if number % 97 == 0 { "denied" } else { "ok" };
        json!({
            "record": "call", "run": "0a", "number": number, "started_ms": started, "duration_ms": took, "capability": "tools",
            "operation": "call", "target": format!("tool_{}", number % 13), "outcome": outcome, "bytes_out": 1, "bytes_in": 1,
        })
    }));
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    fs::write(&audit, lines.join("\n") + "\n").expect("a file");
    let page = page(&[&audit], "many.html");
    let seen = browse("many", &page, "")?;
    assert_eq!(seen["messages"], json!([]));
    assert_eq!(seen["calls"], 10_000);
    assert_eq!(seen["denied"], 10_000 / 97);
    // Rows out of sight are no elements. Times are printed, since they are no matter of right and wrong.
    assert!(seen["rows"].as_u64().is_some_and(|rows| rows < 60), "{seen}");
    println!("frames of 10,000 calls: {}", seen["frames"]);
    Ok(())
}

#[host_test]
fn a_server_shows_a_run_while_it_lasts() -> Result<(), Skipped> {
    let server = Server::start(&["--http", "127.0.0.1:0", "--token", "alice=env:ALICE"]);
    let alice = [("authorization", "Bearer alice-secret"), ("content-type", "application/json")];
    let post = |path: &str, body: Value| server.send("POST", path, &alice, Some(body.to_string().into_bytes()));
    let sandbox = text(&post("/v1/sandboxes", json!({ "name": "work" })).expect(201), "id").to_owned();
    let runs = format!("/v1/sandboxes/{sandbox}/runs");
    post(&runs, json!({ "code": "x = 'first cell'" })).expect(200);
    post(&format!("/v1/sandboxes/{sandbox}/snapshots"), json!({ "note": "before the second" })).expect(201);
    post(&format!("/v1/sandboxes/{sandbox}/fork"), json!({})).expect(201);
    let tool = json!({ "code": "x + ' is seen'", "background": true });
    let run = post(&runs, tool).expect(202);
    let run = text(&run, "id");
    server.send("GET", &format!("/v1/runs/{run}?wait=1m"), &alice, None).expect(200);
    let trace = server.send("GET", &format!("/v1/runs/{run}/trace"), &alice, None).expect(200);
    assert!(trace["traceEvents"].as_array().is_some_and(|events| !events.is_empty()), "{trace}");
    // The page has no data; everything else needs a token.
    let shell = server.send("GET", "/inspector", &[], None);
    assert_eq!(shell.status, 200);
    let policy = shell.headers["content-security-policy"].to_str().expect("text");
    assert!(policy.contains("connect-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(server.send("GET", &format!("/v1/runs/{run}/document"), &[], None).status, 401);
    let page = format!("{}/inspector#{run}", server.url());
    let seen = browse("live", &page, "alice-secret")?;
    assert_eq!(seen["messages"], json!([]));
    let tree = text(&seen, "tree");
    for expected in ["work", "cell 1", "cell 2", "before the second"] {
        assert!(tree.contains(expected), "{expected}: {tree}");
    }
    assert!(text(&seen, "text").contains("first cell is seen"), "{seen}");
    assert!(text(&seen, "first").contains("x = 'first cell'"), "{seen}");
    assert!(text(&seen, "trace").ends_with(".perfetto.json"), "{seen}");
    Ok(())
}

#[host_test]
fn the_command_prints_pages_traces_and_json() {
    let (audit, result, _) = files("printed");
    let print = |arguments: &[&str], files: &[&Path]| {
        let output = isolette().arg("inspect-run").args(arguments).args(files).output().expect("it ends");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (_, document, _) = print(&["--json"], &[&audit, &result]);
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let run = &document["runs"][0];
    assert_eq!((&run["ending"], &run["output"][0]["stream"]), (&json!("ok"), &json!("stdout")));
    assert_eq!(run["calls"].as_array().map(Vec::len), run["calls_in_all"].as_u64().map(|count| count as usize));
    let (_, trace, _) = print(&["--perfetto"], &[&audit]);
    let trace: Value = serde_json::from_str(&trace).expect("JSON");
    assert!(trace["traceEvents"].as_array().is_some_and(|events| events.len() > 5));
    // One part of the identifier is enough.
    let part = &text(run, "run")[..8];
    assert_eq!(print(&["--json", "--run", part], &[&audit]).0, Some(0));
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other");
    fs::write(&other, "one line\n").expect("a file");
    let errors = [
        print(&["--json", "--run", "ffffffffffff"], &[&audit]).2,
        print(&["--json"], &[&other]).2,
        print(&["--json"], &[&folder.path().join("absent")]).2,
    ];
    let errors = errors.join("\n").replace(&*folder.path().to_string_lossy(), "FOLDER");
    insta::assert_snapshot!("inspect_run_errors", errors);
}

#[host_test]
fn a_run_is_seen_while_it_lasts() {
    let server = Server::start(&[]);
    let tools = json!([{ "name": "ask", "description": "", "input_schema": { "type": "object" } }]);
    let sandbox = server.create(json!({ "tools": tools }));
    let code = "try:\n    http_get('https://example.com/a')\nexcept PermissionError:\n    pass\ncall_tool('ask')";
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code, "timeout": "20s" }));
    server.until(&run, |event, _| event == "calls");
    let document = server.get(&format!("{run}/document")).expect(200);
    let seen = &document["runs"][0];
    assert_eq!(seen["ended"], Value::Null, "{seen}");
    let call = &seen["calls"][0];
    assert_eq!(
        (&call["target"], &call["outcome"], &call["line"]),
        (&json!("https://example.com/a"), &json!("denied"), &json!(2))
    );
    server.post(&format!("{run}/answers"), json!({ "answers": { "1": { "value": 5 } } })).expect(202);
    assert_eq!(server.ended(&run)["state"], "succeeded");
    let document = server.get(&format!("{run}/document")).expect(200);
    let limits = document["runs"][0]["limits"].as_array().expect("a list");
    let of = |name: &str| limits.iter().find(|limit| limit["name"] == name).map(|limit| limit["limit"].clone());
    assert_eq!((of("time"), of("memory")), (Some(json!(20_000.0)), Some(json!(268_435_456.0))), "{limits:?}");
    assert_eq!((of("tool calls"), of("host calls")), (Some(json!(1000.0)), Some(Value::Null)));
    assert_eq!(document["runs"][0]["calls"][1]["line"], 5);
}
