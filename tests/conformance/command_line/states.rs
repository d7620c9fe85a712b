//! `run --save`, `run --from`, `snapshot` and `fork`: the state of a session in a file, from process to process.

use std::process::{Command, Output};

use isolette::Isolation;
use isolette_tests::{Case, Skipped, isolette, scenario};
use serde_json::{Value, json};

use super::{User, path, stderr, stdout};

impl User<'_> {
    fn run(&self, arguments: &[&str], code: &str) -> Output {
        let language = self.case.language.to_string();
        self.command(&[arguments, &["-c", code, "--lang", &language]].concat())
    }
}

fn supported(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm { Err(Skipped("`wasm` does not save states".into())) } else { Ok(()) }
}

#[scenario]
fn a_state_is_kept_in_a_file_from_process_to_process(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let folder = tempfile::tempdir().unwrap();
    let user = User { case, folder: folder.path() };
    let file = folder.path().join("state");
    let file = path(&file);
    let begin = case.pick(
        "count = 1\ndef add():\n    global count\n    count += 1\n    return count",
        "var count = 1; function add() { return ++count }",
    );
    let begun = user.run(&["run", "--save", file], begin);
    assert!(begun.status.success(), "{}", stderr(&begun));
    for expected in 2..5 {
        let output = user.run(&["run", "--from", file, "--save", file], "add()");
        assert_eq!((stdout(&output), output.status.code()), (format!("{expected}\n"), Some(0)), "{}", stderr(&output));
    }
    let failed = user.run(&["run", "--from", file, "--save", file], case.pick("add()\n1 / 0", "add(); null.x"));
    assert_eq!(failed.status.code(), Some(1));
    assert!(stderr(&failed).ends_with("warning: the state was not saved, because the program failed\n"));
    let forked = user.run(&["fork", file, "-n", "3"], case.pick("[COPY, add()]", "[COPY, add()]"));
    let lines: Vec<Value> = stdout(&forked).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let values: Vec<_> = lines.iter().map(|line| line["value"].clone()).collect();
    assert_eq!(values, [json!([0, 5]), json!([1, 5]), json!([2, 5])], "{}", stderr(&forked));
    Ok(())
}

#[scenario]
fn a_state_of_another_user_is_refused(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [owner, other] = [&folders[0], &folders[1]].map(|folder| User { case, folder: folder.path() });
    let file = folders[0].path().join("state");
    let file = path(&file);
    assert!(owner.run(&["run", "--save", file], case.pick("x = 42", "var x = 42")).status.success());
    let refused = other.run(&["run", "--from", file], "x");
    assert_eq!(refused.status.code(), Some(102));
    assert!(stderr(&refused).contains("saved with another key"), "{}", stderr(&refused));
    let forced = other.run(&["run", "--from", file, "--untrusted"], "x");
    if case.isolation == Isolation::Process {
        assert_eq!(stdout(&forced), "42\n", "{}", stderr(&forced));
    } else {
        assert!(stderr(&forced).contains("its origin is not known"), "{}", stderr(&forced));
    }
    let described =
        isolette().args(["snapshot", file, "--json"]).env("XDG_STATE_HOME", folders[0].path()).output().unwrap();
    let described: Value = serde_json::from_slice(&described.stdout).unwrap();
    assert_eq!(described["isolation"], json!(case.isolation));
    assert!(described["bytes"].as_u64().unwrap() > 100_000, "{described}");
    Ok(())
}

#[scenario]
fn what_is_no_state_is_refused_however_long_it_is(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let folder = tempfile::tempdir().unwrap();
    let user = User { case, folder: folder.path() };
    let sparse = |name: &str, beginning: &[u8], length| {
        let path = folder.path().join(name);
        std::fs::write(&path, beginning).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        path
    };
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let head = [b"isolette\0", &u32::MAX.to_le_bytes()[..]].concat();
    for (file, reason) in [
        (pipe, "it is not a file"),
        (folder.path().to_owned(), "it is not a file"),
        (sparse("longer than any", b"", 40 << 30), "it is longer than any snapshot"),
        (sparse("empty", b"", 3 << 30), "it is not a snapshot"),
        (sparse("of another version", &head, 3 << 30), "it has version 4294967295 of the format"),
        (sparse("short", b"isolette", 9), "it is not a snapshot"),
    ] {
        for command in [&["run", "--from"][..], &["run", "--untrusted", "--from"]] {
            let output = user.run(&[command, &[path(&file)]].concat(), "1");
            assert_eq!(output.status.code(), Some(102), "{}: {}", file.display(), stderr(&output));
            assert!(stderr(&output).contains(reason), "{}: {}", file.display(), stderr(&output));
        }
    }
    Ok(())
}
