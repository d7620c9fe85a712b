//! `isolette image warm`, and programs in the image that it makes.

use std::fs;

use isolette::Isolation;
use isolette_tests::{Case, Skipped, engines, isolette, scenario};
use serde_json::{Value, json};

use super::{User, path, stderr, stdout};

/// Runs a command of a user whose images are in a folder of the test.
fn command(user: &User<'_>, arguments: &[&str]) -> std::process::Output {
    isolette().args(arguments).env("XDG_DATA_HOME", user.folder).output().unwrap()
}

#[scenario]
fn an_image_is_made_listed_used_and_replaced(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("`wasm` does not save states".into()));
    }
    if case.isolation == Isolation::MicroVm && engines::emulated() {
        return Err(Skipped("an emulated machine is too slow to make as many images".into()));
    }
    let folder = tempfile::tempdir().unwrap();
    let user = User { case, folder: folder.path() };
    let (isolation, language) = (case.isolation.to_string(), case.language.to_string());
    let file = folder.path().join(case.pick("prepare.py", "prepare.js"));
    let make = |extra: &[&str]| {
        let arguments = ["image", "warm", "--run", path(&file), "--name", "prepared", "--isolation", &isolation];
        command(&user, &[&arguments[..], &["--timeout", "5m"], extra].concat())
    };
    fs::write(&file, case.pick("print('loading')\nanswer = 42", "console.log('loading'); var answer = 42")).unwrap();
    let made = make(&["--json"]);
    assert!(made.status.success(), "{}", stderr(&made));
    assert_eq!(stderr(&made), "loading\n");
    let report: Value = serde_json::from_slice(&made.stdout).unwrap();
    let directory = folder.path().join("isolette/images/prepared");
    assert_eq!((&report["name"], &report["isolations"]), (&json!("prepared"), &json!([isolation])));
    assert_eq!(report["directory"], json!(directory));
    let listed = stdout(&command(&user, &["image", "list"]));
    let line = listed.lines().find(|line| line.starts_with("prepared ")).unwrap_or_else(|| panic!("{listed}"));
    assert!(line.contains(" warm ") && line.ends_with(path(&directory)), "{line}");
    let verified = command(&user, &["image", "verify", "prepared"]);
    assert!(verified.status.success(), "{}", stderr(&verified));
    let answer = || {
        let run = ["run", "--image", "prepared", "--isolation", &isolation, "--lang", &language, "-c", "answer"];
        let output = command(&user, &[&run[..], &["--timeout", "5m"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(answer(), "42\n");

    fs::write(&file, case.pick("answer = 43", "var answer = 43")).unwrap();
    let refused = make(&[]);
    assert_eq!(refused.status.code(), Some(102));
    assert!(stderr(&refused).ends_with("hint: replace it with `--replace`\n"), "{}", stderr(&refused));
    assert_eq!(answer(), "42\n");
    let replaced = make(&["--replace"]);
    assert!(replaced.status.success(), "{}", stderr(&replaced));
    assert!(stdout(&replaced).starts_with(&format!("prepared: for {isolation}, with ")), "{}", stdout(&replaced));
    assert_eq!(answer(), "43\n");

    fs::write(&file, case.pick("1 / 0", "null.x")).unwrap();
    let failed = make(&["--replace"]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(
        stderr(&failed).ends_with("error: the set-up program failed, and no image was made\n"),
        "{}",
        stderr(&failed)
    );
    assert_eq!(answer(), "43\n");
    Ok(())
}
