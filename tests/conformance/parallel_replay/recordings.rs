//! Replays of recordings that are of another program, of an earlier version, or damaged.

use std::{collections::BTreeSet, fs, path::Path};

use isolette::{
    Tool,
    policy::{Approval, CallRequest, Decision},
};
use isolette_tests::{Case, scenario};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{builder, gate::interleaving, run};

#[derive(Deserialize, JsonSchema)]
struct Named {
    /// The result.
    name: String,
}

fn echo() -> Tool {
    Tool::typed_async("echo", "Returns its argument", async |Named { name }| Ok::<_, String>(name)).unwrap()
}

#[scenario(programs = ["parallel/another_way"])]
fn a_program_that_goes_another_way_gets_results_as_they_come(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let recording = case.builder().tool(echo()).record(directory.path()).build().unwrap();
    let recorded = recording.run(&case.program()).unwrap();
    assert_eq!(recorded.calls.len(), 2, "{recorded:?}");
    let not_a = async |request: CallRequest| {
        if request.arguments["name"] == "a" { Decision::deny("not a") } else { Decision::Allow }
    };
    let replay = case.builder().replay(directory.path()).approval(Approval::PerCall).approver(not_a).build().unwrap();
    let result = replay.run(&case.program()).unwrap();
    let log: BTreeSet<_> = result.value.unwrap().as_array().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(log.len(), 3, "{log:?}");
    for part in ["not approved: not a", "\"b\"", "the recording has no result of this call"] {
        assert!(log.iter().any(|entry| entry.contains(part)), "{part} is not in {log:?}");
    }
}

/// Removes from a recording what earlier versions did not write.
fn as_of_an_earlier_version(directory: &Path) {
    fs::remove_file(directory.join("runs.jsonl")).unwrap();
    let path = directory.join("tools.jsonl");
    let without_origin = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().retain(|name, _| name != "run" && name != "ticket");
        format!("{line}\n")
    };
    let lines: String = fs::read_to_string(&path).unwrap().lines().map(without_origin).collect();
    fs::write(path, lines).unwrap();
}

#[scenario(programs = ["parallel/interleaved"])]
fn a_recording_of_an_earlier_version_is_replayed(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let recording = interleaving(builder(case)).record(directory.path()).build().unwrap();
    let recorded = run(case, &recording, 0);
    as_of_an_earlier_version(directory.path());
    let replayed = run(case, &builder(case).replay(directory.path()).build().unwrap(), 0);
    let length = |outcome: &Value| outcome["value"].as_array().unwrap().len();
    assert_eq!(length(&recorded), length(&replayed));
}

#[scenario]
fn damaged_lists_of_runs_are_refused(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("new");
    case.builder().record(&folder).build().unwrap();
    let began = r#"{"run":1,"began":"ab"}"#;
    for (lines, expected) in [
        (format!("{began}\n{began}\n"), "line 2 of"),
        (r#"{"run":1,"ended":{"waits":1}}"#.to_owned(), "has not begun"),
        (format!("{began}\n{{\"run\":1,\"completed\":{{\"wait\":0,\"tickets\":[1]}}}}"), "line 2 of"),
        (format!("{began}\n{{\"run\":1,\"completed\":{{\"wait\":1,\"tickets\":{:?}}}}}", vec![1; 5000]), "4096"),
        ("{}".to_owned(), "line 1 of"),
    ] {
        fs::write(folder.join("runs.jsonl"), lines).unwrap();
        let error = case.builder().replay(&folder).build().unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("hint: record again"), "{error}");
    }
}
