//! The records that an audit gets of host calls. Their limits and failures: `audit_limits.rs`.

use std::{
    fs, io,
    sync::{Arc, Mutex, mpsc},
    time::SystemTime,
};

use insta::assert_snapshot;
use isolette::{
    CancellationToken, Redaction, RunOptions, SandboxBuilder, Tool,
    audit::{Audit, AuditRecord, AuditSink, RecordedArguments},
    policy::Access,
};
use isolette_tests::{
    Case,
    brewery::{Brewery, Variant},
    scenario,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

/// Stores the records.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Vec<Value>>>);

impl AuditSink for Kept {
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()> {
        let records = records.iter().map(|record| serde_json::to_value(record).unwrap());
        self.0.lock().unwrap().extend(records);
        Ok(())
    }
}

impl Kept {
    pub(crate) fn records(&self) -> Vec<Value> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn calls(&self) -> Vec<Value> {
        self.records().into_iter().filter(|record| record["record"] == "call").collect()
    }
}

pub(crate) fn echo(name: &str) -> Tool {
    Tool::from_schema(name, "", json!({"type": "object"}), Ok::<_, String>).unwrap()
}

/// The sandbox of these tests: tools, files and a server.
fn audited(case: &Case, api: &Brewery) -> (SandboxBuilder, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "notes").unwrap();
    let fail = |_| Err::<Value, _>("no mail today");
    let builder = case
        .builder()
        .tool(echo("mail.read"))
        .tool(Tool::from_schema("mail.fail", "", json!({"type": "object"}), fail).unwrap())
        .allow_tools("mail.*")
        .mount(folder.path(), "/data", Access::ReadOnly)
        .temp_output()
        .base_url(&api.base_url());
    (builder, folder)
}

/// One line for each call, without values that differ between runs.
fn listed(calls: &[Value], api: &Brewery) -> String {
    let line = |call: &Value| {
        format!(
            "{} {} {} -> {} [{}]{}\n",
            call["capability"].as_str().unwrap(),
            call["operation"].as_str().unwrap(),
            call["target"].as_str().unwrap(),
            call["outcome"].as_str().unwrap(),
            call["rule"].as_str().unwrap_or_default(),
            call["arguments"].as_object().map(|_| format!(" {}", call["arguments"])).unwrap_or_default(),
        )
    };
    // The number of times that a library inspects a file is not tested.
    let mut lines: Vec<String> = calls.iter().map(line).collect();
    lines.retain(|line| !line.starts_with("files stat"));
    lines.concat().replace(&api.base_url(), "[api]")
}

#[scenario(programs = ["audit/calls"])]
fn every_call_is_audited(case: &Case) {
    let (api, kept) = (Brewery::start(Variant::Plain), Kept::default());
    let (builder, _folder) = audited(case, &api);
    let sandbox = builder.audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    let before = SystemTime::now();
    let options = RunOptions::new().label("tenant", "t1").label("tenant", "t2");
    let result = sandbox.run_with(&case.program(), options).unwrap();
    assert_eq!(result.value, Some(json!("notes")));
    let records = kept.records();
    assert_snapshot!(format!("audited-{}", case.language.name()), listed(&kept.calls(), &api));

    // All records exist at the end of the run, in order, with its identifier.
    let kinds: Vec<_> = records.iter().map(|record| record["record"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("run-began", "run-ended"));
    assert!(kinds[1..kinds.len() - 1].iter().all(|kind| *kind == "call"));
    let run = json!(result.run.unwrap().to_string());
    assert!(records.iter().all(|record| record["run"] == run && record["labels"] == json!({"tenant": "t2"})));
    let numbers: Vec<_> = kept.calls().iter().map(|call| call["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let ended = &records[records.len() - 1];
    assert_eq!(
        (&ended["ending"], &ended["exit_code"], &ended["calls"]),
        (&json!("ok"), &json!(0), &json!(numbers.len()))
    );

    // The result contains the same about the calls that it lists.
    let outcome: Vec<Value> = result.calls.iter().map(|call| serde_json::to_value(call).unwrap()).collect();
    let shared: Vec<_> = kept.calls().into_iter().filter(|call| call["capability"] != "files").collect();
    assert_eq!(outcome.len(), shared.len());
    for (one, other) in outcome.iter().zip(&shared) {
        for (key, value) in one.as_object().unwrap() {
            assert_eq!(*value, other[key], "{key}");
        }
    }
    let mut last = 0.0;
    for call in &result.calls {
        assert!(call.time >= before && call.time <= SystemTime::now());
        assert!(call.started_ms >= last && call.started_ms <= result.usage.wall_ms);
        last = call.started_ms;
    }
}

#[scenario(programs = ["audit/calls"])]
fn arguments_are_audited_only_on_request(case: &Case) {
    let (api, kept) = (Brewery::start(Variant::Plain), Kept::default());
    let code = case.program();
    let (builder, _folder) = audited(case, &api);
    let digests = builder.audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    digests.run(&code).unwrap();
    let reported = serde_json::to_string(&kept.records()).unwrap();
    assert!(!reported.contains("hunter2-token") && !reported.contains("of-the-guest"), "{reported}");
    // The digest of a known text can be found.
    let digest: String = Sha256::digest("written").iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(reported.contains(&format!(r#""arguments_sha256":"{digest}""#)), "{reported}");
    assert!(kept.calls().iter().all(|call| call["arguments_sha256"].as_str().is_some_and(|text| text.len() == 64)));

    let (builder, _folder) = audited(case, &api);
    let kept = Kept::default();
    let whole = builder
        .audit(&Audit::new(kept.clone()).unwrap())
        .record_arguments(RecordedArguments::Whole)
        .redact(&Redaction::new(["hunter2-token"]))
        .build()
        .unwrap();
    let result = whole.run(&code).unwrap();
    assert!(!serde_json::to_string(&kept.records()).unwrap().contains("hunter2-token"));
    // Credentials are redacted from calls, but not from the text of the program.
    assert!(!serde_json::to_string(&kept.calls()).unwrap().contains("of-the-guest"));
    assert_eq!(result.calls[0].arguments, Some(json!({"box": "in", "key": "[redacted]"})));
    let request = result.calls.iter().find(|call| call.capability.as_str() == "http").unwrap();
    let arguments = request.arguments.as_ref().unwrap();
    assert!(arguments["url"].as_str().unwrap().ends_with("/breweries/random?key=[redacted]"), "{arguments}");
    assert!(arguments["headers"].as_array().unwrap().iter().any(|header| header[1] == "[redacted]"), "{arguments}");
    let code = kept.records()[0]["code"].clone();
    assert!(code.as_str().unwrap().contains("[redacted]"), "{code}");
    // Programs can use the values even if they contain a secret.
    assert_eq!(whole.run("call_tool('mail.read')").unwrap().value, Some(json!({})));
}

#[scenario]
fn audit_records_name_the_session(case: &Case) {
    let kept = Kept::default();
    let sandbox = case.builder().audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    let mut session = sandbox.session().unwrap();
    session.run("x = 1").unwrap();
    session.run("x").unwrap();
    sandbox.run("1").unwrap();
    let began: Vec<_> = kept.records().into_iter().filter(|record| record["record"] == "run-began").collect();
    let identifier = json!(session.identifier().to_string());
    assert_eq!(
        began.iter().map(|record| record["session"].clone()).collect::<Vec<_>>(),
        [identifier.clone(), identifier, json!(null)]
    );
    assert_ne!(began[0]["run"], began[1]["run"]);
    assert_eq!((&began[1]["code_bytes"], &began[1]["code"]), (&json!(1), &json!(null)));
}

#[scenario]
fn a_dropped_run_is_audited(case: &Case) {
    let kept = Kept::default();
    let (arrived, arrivals) = mpsc::channel();
    let hang = move |_: Value| {
        let _ = arrived.send(());
        std::future::pending::<Result<(), String>>()
    };
    let audit = Audit::new(kept.clone()).unwrap();
    let sandbox = case.builder().tool_typed_async("hang", "", hang).audit(&audit).build().unwrap();
    let token = CancellationToken::new();
    let cancelled = token.clone();
    let canceller = std::thread::spawn(move || {
        arrivals.recv().unwrap();
        cancelled.cancel();
        arrivals
    });
    let error = sandbox.run_with("call_tool('hang')", RunOptions::new().cancel(token)).unwrap_err();
    assert_eq!(error.name(), "Cancelled");
    let arrivals = canceller.join().unwrap();
    let tokio = tokio::runtime::Builder::new_current_thread().build().unwrap();
    tokio.block_on(async {
        let arrived = async move {
            while arrivals.try_recv().is_err() {
                tokio::task::yield_now().await
            }
        };
        tokio::select! {
            _ = sandbox.run_async("call_tool('hang')", RunOptions::new()) => panic!("it never ends by itself"),
            () = arrived => {}
        }
    });
    // The guest ends shortly afterwards.
    let ends = || kept.records().into_iter().filter(|record| record["record"] == "run-ended").collect::<Vec<_>>();
    while ends().len() < 2 {
        audit.flush().unwrap();
        std::thread::yield_now();
    }
    assert!(ends().iter().all(|end| end["ending"] == "Cancelled"), "{:?}", ends());
    assert_eq!(kept.calls().iter().map(|call| call["outcome"].clone()).collect::<Vec<_>>(), ["cancelled", "cancelled"]);
}

#[scenario]
fn argument_digests_are_recorded_only_on_request(case: &Case) {
    let result = case.builder().tool(echo("echo")).build().unwrap().run("call_tool('echo')").unwrap();
    assert_eq!((result.calls[0].arguments_sha256, &result.calls[0].arguments), (None, &None));
    let asked = case.builder().tool(echo("echo")).record_arguments(RecordedArguments::Digest).build().unwrap();
    let digest = asked.run("call_tool('echo')").unwrap().calls[0].arguments_sha256.unwrap();
    assert_eq!(digest.as_bytes(), &<[u8; 32]>::from(Sha256::digest("{}")));
}

/// The digest shows which file was replaced.
#[scenario]
fn a_renamed_file_is_audited_with_both_names(case: &Case) {
    let kept = Kept::default();
    let sandbox = case.builder().temp_output().audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    let program = case.pick(
        "import os\nfor name in 'ab': open(f'/output/{name}', 'w').write(name)\nos.rename('/output/a', '/output/b')",
        "const fs = await import('fs'); for (const name of 'ab') write_file(`/output/${name}`, name); \
         fs.renameSync('/output/a', '/output/b')",
    );
    assert!(sandbox.run(program).unwrap().success());
    let calls = kept.calls();
    let [renamed] = &*calls.iter().filter(|call| call["operation"] == "rename").collect::<Vec<_>>() else {
        panic!("{calls:?}")
    };
    assert_eq!((&renamed["target"], &renamed["outcome"]), (&json!("/output/a -> /output/b"), &json!("ok")));
    let digest: String = Sha256::digest("/output/b").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(renamed["arguments_sha256"], json!(digest));
}
