//! Invalid input and its error messages. Nothing runs, no file is created, and the exit code shows the kind of error.

use std::{fs, process::Output};

use insta::{assert_snapshot, with_settings};
use isolette_tests::{host_test, transcript};

use super::{json, path, run, run_with_input, stderr};

const PLACES: [(&str, &str); 2] = [(r"/\S*/\.tmp\w+", "[folder]"), (r"looked in `/.*`", "looked in [folders]")];

/// The command and its whole output, in readable form.
fn reported(arguments: &[&str], output: &Output) -> String {
    format!("$ isolette {}\n{}", arguments.join(" "), transcript(output))
}

#[host_test]
fn invalid_command_line_arguments_are_reported() {
    let attempts: [&[&str]; 31] = [
        &[],
        &["walk"],
        &["run", "--fast", "-c", "1"],
        &["run"],
        &["run", "program.py", "-c", "1"],
        &["run", "--lang", "cobol", "-c", "1"],
        &["run", "--isolation", "vm", "-c", "1"],
        &["run", "--network", "some", "-c", "1"],
        &["run", "--mount", "/tmp", "-c", "1"],
        &["run", "--mount", "/tmp:data", "-c", "1"],
        &["run", "--mount", "/tmp:/data:wr", "-c", "1"],
        &["run", "--mount", "/tmp:/data/../x", "-c", "1"],
        &["run", "--mount", "/tmp:/tmp/x", "-c", "1"],
        &["run", "--mount", "/tmp:/data", "--mount", "/:/data", "-c", "1"],
        &["run", "--mount", "/no/such/folder:/data", "-c", "1"],
        &["run", "--input", "/no/such/folder", "-c", "1"],
        &["run", "--var", "LIMIT", "-c", "1"],
        &["run", "--var", "NAME=text", "-c", "1"],
        &["run", "--var", "1st=1", "-c", "1"],
        &["run", "--timeout", "30", "-c", "1"],
        &["run", "--timeout", "soon", "-c", "1"],
        &["run", "--timeout", "0s", "-c", "1"],
        &["run", "--memory", "lots", "-c", "1"],
        &["run", "--memory", "0MiB", "-c", "1"],
        &["run", "--allow", "GET https://*.*.example.com", "-c", "1"],
        &["run", "--allow", "CONNECT example.com", "-c", "1"],
        &["run", "--allow", "example.com +public", "-c", "1"],
        &["run", "--network", "none", "--allow", "example.com", "-c", "1"],
        &["run", "--network", "allowlist", "-c", "1"],
        &["run", "--base-url", "/v1", "-c", "1"],
        &["run", "--base-url", "ftp://example.com/v1", "-c", "1"],
    ];
    let all: Vec<_> = attempts
        .iter()
        .map(|arguments| {
            let output = run(arguments);
            assert!(output.stdout.is_empty(), "errors go to stderr: {}", reported(arguments, &output));
            assert!(matches!(output.status.code(), Some(102 | 105)), "{}", reported(arguments, &output));
            reported(arguments, &output)
        })
        .collect();
    with_settings!({filters => PLACES}, { assert_snapshot!("bad-arguments", all.join("\n")); });
}

#[host_test]
fn unreadable_files_are_reported_by_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let not_utf8 = folder.path().join("latin1.py");
    fs::write(&not_utf8, b"print('gr\xfc\xdfe')").unwrap();
    let missing = folder.path().join("missing.py");
    let mut all: Vec<_> = [missing.as_path(), folder.path(), &not_utf8]
        .iter()
        .map(|file| {
            let arguments = ["run", path(file)];
            reported(&arguments, &run(&arguments))
        })
        .collect();
    all.push(reported(&["run", "-"], &run_with_input(&["run", "-"], b"print('\xff')")));
    with_settings!({filters => PLACES}, { assert_snapshot!("bad-files", all.join("\n")); });
}

#[host_test]
fn unusable_images_are_reported_by_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder_with = |manifest: &str| {
        let folder = folder.path().join(if manifest.is_empty() { "empty" } else { "malformed" });
        fs::create_dir(&folder).unwrap();
        if !manifest.is_empty() {
            fs::write(folder.join("image.json"), manifest).unwrap();
        }
        path(&folder).to_owned()
    };
    let (empty, malformed) = (folder_with(""), folder_with("{}"));
    let attempts: [&[&str]; 5] = [
        &["run", "--image", &empty, "-c", "1"],
        &["run", "--image", &malformed, "-c", "1"],
        &["image", "verify", &malformed],
        &["image", "inspect", &empty],
        &["image", "inspect", "cobol"],
    ];
    let all: Vec<_> = attempts.iter().map(|arguments| reported(arguments, &run(arguments))).collect();
    with_settings!({filters => PLACES}, { assert_snapshot!("bad-images", all.join("\n")); });
}

#[host_test]
fn code_over_the_size_limit_is_refused_by_the_command_line() {
    let fifty_megabytes = vec![b'#'; 50 << 20];
    let piped = run_with_input(&["run", "-"], &fifty_megabytes);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.py");
    fs::write(&file, fifty_megabytes).unwrap();
    for output in [piped, run(&["run", path(&file)])] {
        assert_snapshot!("bad-long-code", transcript(&output));
    }
}

#[host_test]
fn empty_code_succeeds_on_the_command_line() {
    for output in [run(&["run", "-c", ""]), run_with_input(&["run", "-"], b""), run(&["run", "-c", "", "--lang", "js"])]
    {
        assert_eq!(transcript(&output), "exit code 0\n--- stdout ---\n--- stderr ---\n");
    }
}

#[host_test]
fn a_named_isolation_never_falls_back() {
    let output = run(&["run", "--isolation", "microvm", "-c", "print('ran')"]);
    if output.status.success() {
        // On a machine with micro-VMs, the program must have run in one.
        let explained = json(&run(&["run", "--isolation", "microvm", "--explain", "--json", "-c", "1"]));
        assert_eq!(explained["isolation"]["engine"], "microvm");
        return;
    }
    assert_eq!(output.status.code(), Some(104), "{}", transcript(&output));
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains("isolation `microvm` is not available") && stderr(&output).contains("hint: "));
}

#[host_test]
fn failures_are_printed_as_json_on_request() {
    let attempts: [(&[&str], &str, i64); 4] = [
        (&["--image", "/no/such/image", "-c", "1"], "Image", 103),
        (&["--input", "/no/such/folder", "-c", "1"], "Io", 105),
        (&["--timeout", "300ms", "-c", "while True: pass"], "Timeout", 124),
        (&["--allow", "not a rule at all", "-c", "1"], "InvalidArgument", 102),
    ];
    for (arguments, kind, code) in attempts {
        let output = run(&[&["run", "--json"], arguments].concat());
        let report = json(&output);
        assert_eq!((&report["error"]["type"], &report["exit_code"]), (&kind.into(), &code.into()), "{report}");
        assert_eq!(output.status.code().map(i64::from), Some(code));
        assert_eq!(stderr(&output), "", "the object has it all");
    }
}
