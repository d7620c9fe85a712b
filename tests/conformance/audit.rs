//! What is put on record of host calls, and what happens when it cannot be.

use std::{
    fs, io,
    sync::{Arc, Mutex, mpsc},
    time::SystemTime,
};

use insta::assert_snapshot;
use isolette::{
    CancellationToken, Error, Redaction, RunOptions, SandboxBuilder, Tool,
    audit::{Audit, AuditRecord, AuditSink, RecordedArguments},
    policy::{Access, Limits},
};
use isolette_tests::{
    Case,
    brewery::{Brewery, Variant},
    conformance,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

conformance! {
    every_call_is_on_record with "audit/calls";
    arguments_are_on_record_only_if_asked_for with "audit/calls";
    an_audit_gets_what_the_outcome_leaves_out;
    calls_for_files_beyond_the_room_are_counted;
    a_run_that_fills_the_audit_ends_alone;
    runs_of_a_session_belong_together;
    a_run_that_cannot_be_recorded_ends;
    a_run_that_nobody_waits_for_is_on_record;
    without_an_audit_nothing_is_hashed;
    a_file_that_gets_another_name_is_on_record_with_both;
}

/// Keeps what it gets.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Value>>>);

impl AuditSink for Kept {
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()> {
        let records = records.iter().map(|record| serde_json::to_value(record).unwrap());
        self.0.lock().unwrap().extend(records);
        Ok(())
    }
}

impl Kept {
    fn records(&self) -> Vec<Value> {
        self.0.lock().unwrap().clone()
    }

    fn calls(&self) -> Vec<Value> {
        self.records().into_iter().filter(|record| record["record"] == "call").collect()
    }
}

fn echo(name: &str) -> Tool {
    Tool::with_schema(name, "", json!({"type": "object"}), Ok::<_, String>).unwrap()
}

/// What the programs of this test are lent.
fn lent(case: &Case, api: &Brewery) -> (SandboxBuilder, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "notes").unwrap();
    let fail = |_| Err::<Value, _>("no mail today");
    let builder = case
        .builder()
        .tool(echo("mail.read"))
        .tool(Tool::with_schema("mail.fail", "", json!({"type": "object"}), fail).unwrap())
        .only_tools("mail.*")
        .mount(folder.path(), "/data", Access::ReadOnly)
        .temp_output()
        .base_url(&api.base_url());
    (builder, folder)
}

/// One line for each call, without what no two runs have in common.
fn listed(calls: &[Value], api: &Brewery) -> String {
    let line = |call: &Value| {
        format!(
            "{} {} {} -> {} [{}]{}\n",
            call["capability"].as_str().unwrap(),
            call["operation"].as_str().unwrap(),
            call["target"].as_str().unwrap(),
            call["verdict"].as_str().unwrap(),
            call["rule"].as_str().unwrap_or_default(),
            call["arguments"].as_object().map(|_| format!(" {}", call["arguments"])).unwrap_or_default(),
        )
    };
    // How often a library looks at a file is its own business.
    let mut lines: Vec<String> = calls.iter().map(line).collect();
    lines.retain(|line| !line.starts_with("files stat"));
    lines.concat().replace(&api.base_url(), "[api]")
}

fn every_call_is_on_record(case: &Case) {
    let (api, kept) = (Brewery::start(Variant::Plain), Kept::default());
    let (builder, _folder) = lent(case, &api);
    let sandbox = builder.audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    let before = SystemTime::now();
    let options = RunOptions::new().label("tenant", "t1").label("tenant", "t2");
    let result = sandbox.run_with(&case.program(), options).unwrap();
    assert_eq!(result.value, Some(json!("notes")));
    let records = kept.records();
    assert_snapshot!(format!("audited-{}", case.language.name()), listed(&kept.calls(), &api));

    // All are there when the run is over, in order, and belong to it.
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

    // The outcome says the same of those that it lists.
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

fn arguments_are_on_record_only_if_asked_for(case: &Case) {
    let (api, kept) = (Brewery::start(Variant::Plain), Kept::default());
    let code = case.program();
    let (builder, _folder) = lent(case, &api);
    let digests = builder.audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    digests.run(&code).unwrap();
    let told = serde_json::to_string(&kept.records()).unwrap();
    assert!(!told.contains("hunter2-token") && !told.contains("of-the-guest"), "{told}");
    // Whoever knows what is written finds it by its digest.
    let digest: String = Sha256::digest("written").iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(told.contains(&format!(r#""arguments_sha256":"{digest}""#)), "{told}");
    assert!(kept.calls().iter().all(|call| call["arguments_sha256"].as_str().is_some_and(|text| text.len() == 64)));

    let (builder, _folder) = lent(case, &api);
    let kept = Kept::default();
    let whole = builder
        .audit(&Audit::new(kept.clone()).unwrap())
        .record_arguments(RecordedArguments::Whole)
        .redact(&Redaction::new(["hunter2-token"]))
        .build()
        .unwrap();
    let result = whole.run(&code).unwrap();
    assert!(!serde_json::to_string(&kept.records()).unwrap().contains("hunter2-token"));
    // What a program proves itself by is left out of its calls, but its text is its text.
    assert!(!serde_json::to_string(&kept.calls()).unwrap().contains("of-the-guest"));
    assert_eq!(result.calls[0].arguments, Some(json!({"box": "in", "key": "[redacted]"})));
    let request = result.calls.iter().find(|call| call.capability == "http").unwrap();
    let arguments = request.arguments.as_ref().unwrap();
    assert!(arguments["url"].as_str().unwrap().ends_with("/breweries/random?key=[redacted]"), "{arguments}");
    assert!(arguments["headers"].as_array().unwrap().iter().any(|header| header[1] == "[redacted]"), "{arguments}");
    let code = kept.records()[0]["code"].clone();
    assert!(code.as_str().unwrap().contains("[redacted]"), "{code}");
    // A secret does not stop programs from working with what they were given.
    assert_eq!(whole.run("call_tool('mail.read')").unwrap().value, Some(json!({})));
}

fn an_audit_gets_what_the_outcome_leaves_out(case: &Case) {
    let kept = Kept::default();
    let mut limits = case.limits();
    (limits.calls_recorded, limits.tool_calls) = (2, Limits::UNLIMITED);
    let sandbox =
        case.builder().limits(limits).tool(echo("echo")).audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    // More than wait for the writer at a time.
    let program = case.pick(
        "for number in range(10_000): call_tool('echo', number=number)",
        "for (let number = 0; number < 10_000; number++) call_tool('echo', { number });",
    );
    let result = sandbox.run(program).unwrap();
    assert_eq!((result.calls.len(), result.truncated.calls), (2, 9_998));
    let calls = kept.calls();
    assert_eq!(calls.len(), 10_000);
    assert!(calls.iter().zip(1_u64..).all(|(call, number)| call["number"] == number && call["verdict"] == "ok"));
}

/// Bytes of records, as a file has them.
fn bytes(records: &[Value]) -> usize {
    records.iter().map(|record| record.to_string().len() + 1).sum()
}

fn calls_for_files_beyond_the_room_are_counted(case: &Case) {
    let kept = Kept::default();
    let mut limits = case.limits();
    limits.audit_bytes = 40_000;
    let sandbox = case
        .builder()
        .limits(limits)
        .tool(echo("echo"))
        .temp_output()
        .audit(&Audit::new(kept.clone()).unwrap())
        .build()
        .unwrap();
    let program = case.pick(
        "import os\nfor n in range(3000):\n    os.path.exists('/output/none')\n    if n % 1000 == 0: call_tool('echo')\n\
         with open('/output/file', 'w') as file: file.write('x' * 1000)",
        "const fs = await import('fs');\nfor (let n = 0; n < 3000; n++) {\n  fs.existsSync('/output/none');\n  \
         if (n % 1000 === 0) call_tool('echo');\n}\nfs.writeFileSync('/output/file', 'x'.repeat(1000));",
    );
    let result = sandbox.run(program).unwrap();
    assert!(result.success(), "{result:?}");
    let records = kept.records();
    assert!(bytes(&records) < 25_000, "{} bytes", bytes(&records));
    let calls = kept.calls();
    assert!(calls.iter().zip(1_u64..).all(|(call, number)| call["number"] == number));
    assert_eq!(calls.iter().filter(|call| call["capability"] == "tools").count(), 3, "others have room");
    let [.., counted, ended] = &*records else { panic!("{records:?}") };
    assert_eq!((&counted["record"], &ended["record"]), (&json!("file-calls"), &json!("run-ended")));
    assert_eq!((&ended["calls"], &counted["run"]), (&json!(calls.len()), &ended["run"]));
    let of = |operation: &str, verdict: &str, field: &str| {
        let counted = counted["counted"].as_array().unwrap().iter();
        let of_these = counted.filter(|counted| counted["operation"] == operation && counted["verdict"] == verdict);
        of_these.map(|counted| counted[field].as_u64().unwrap()).sum::<u64>()
    };
    let listed = calls.iter().filter(|call| call["operation"] == "stat" && call["verdict"] == "missing").count() as u64;
    assert!(listed > 0 && listed + of("stat", "missing", "calls") >= 3000, "{counted}");
    assert_eq!(of("write", "ok", "bytes_out"), 1000, "{counted}");
}

/// One that does nothing else, and others before, meanwhile and after it.
fn a_run_that_fills_the_audit_ends_alone(case: &Case) {
    let kept = Kept::default();
    let mut limits = case.limits();
    (limits.audit_bytes, limits.tool_calls) = (30_000, Limits::UNLIMITED);
    let audit = Audit::new(kept.clone()).unwrap();
    let sandbox = case.builder().limits(limits).tool(echo("echo")).audit(&audit).build().unwrap();
    let other = case.builder().tool(echo("echo")).audit(&audit).build().unwrap();
    let flood = case.pick(
        "while True:\n    try: call_tool('echo')\n    except Exception: pass",
        "while (true) { try { call_tool('echo') } catch {} }",
    );
    let error = sandbox.run(flood).unwrap_err();
    let Error::AuditLimit { limit, used, partial } = &error else { panic!("{error:?}") };
    assert!(*limit == 30_000 && *used >= 30_000 && *used < 31_000, "{used}");
    assert!(error.to_string().contains("hint: raise `limits.audit_bytes`"), "{error}");
    assert!(partial.calls.len() > 10);
    assert!(bytes(&kept.records()) < 32_000);
    assert_eq!(kept.records().last().unwrap()["ending"], "AuditLimit");
    for sandbox in [&sandbox, &other] {
        assert!(sandbox.run("call_tool('echo')").unwrap().success());
    }
}

fn runs_of_a_session_belong_together(case: &Case) {
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

/// Fails from a number of records on.
struct Failing(usize);

impl AuditSink for Failing {
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()> {
        self.0 = self.0.checked_sub(records.len()).ok_or_else(|| io::Error::other("the disk is full"))?;
        Ok(())
    }
}

fn a_run_that_cannot_be_recorded_ends(case: &Case) {
    let done = Arc::new(Mutex::new(0));
    let counted = done.clone();
    let count = move |_| {
        *counted.lock().unwrap() += 1;
        Ok::<_, String>(Value::Null)
    };
    let tool = Tool::with_schema("count", "", json!({"type": "object"}), count).unwrap();
    let audit = Audit::new(Failing(10)).unwrap();
    // However long the failure takes to be known, nothing else refuses a call until then.
    let mut limits = Limits::default();
    limits.tool_calls = Limits::UNLIMITED;
    let sandbox = case.builder().limits(limits).tool(tool).audit(&audit).build().unwrap();
    // It would never end by itself.
    let program = case.pick(
        "while True:\n    try:\n        call_tool('count')\n    except Exception:\n        pass",
        "while (true) { try { call_tool('count') } catch {} }",
    );
    let error = sandbox.run(program).unwrap_err();
    assert_eq!(
        (error.name(), error.to_string().lines().next()),
        ("Audit", Some("the audit cannot be written: the disk is full"))
    );
    let partial = error.partial().expect("it had begun");
    assert_eq!(partial.calls.len() as u64 + partial.truncated.calls, *done.lock().unwrap());
    let before = *done.lock().unwrap();
    // Nothing that could not be put on record is done any more.
    let refused = sandbox.run("call_tool('count')").unwrap_err();
    assert!(matches!(refused, Error::Audit { partial: None, .. }), "{refused}");
    assert_eq!(*done.lock().unwrap(), before);
    assert!(audit.flush().is_err());
    // A program that does nothing on record has one all the same.
    let sandbox = case.builder().audit(&Audit::new(Failing(1)).unwrap()).build().unwrap();
    let error = sandbox.run("6 * 7").unwrap_err();
    assert_eq!(error.partial().and_then(|partial| partial.value.clone()), Some(json!(42)), "{error}");
}

fn a_run_that_nobody_waits_for_is_on_record(case: &Case) {
    let kept = Kept::default();
    let (arrived, arrivals) = mpsc::channel();
    let hang = move |_: Value| {
        let _ = arrived.send(());
        std::future::pending::<Result<(), String>>()
    };
    let audit = Audit::new(kept.clone()).unwrap();
    let sandbox = case.builder().tool_async("hang", "", hang).audit(&audit).build().unwrap();
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
    // The guest lets go in a moment of its own.
    let ends = || kept.records().into_iter().filter(|record| record["record"] == "run-ended").collect::<Vec<_>>();
    while ends().len() < 2 {
        audit.flush().unwrap();
        std::thread::yield_now();
    }
    assert!(ends().iter().all(|end| end["ending"] == "Cancelled"), "{:?}", ends());
    assert_eq!(kept.calls().iter().map(|call| call["verdict"].clone()).collect::<Vec<_>>(), ["cancelled", "cancelled"]);
}

fn without_an_audit_nothing_is_hashed(case: &Case) {
    let result = case.builder().tool(echo("echo")).build().unwrap().run("call_tool('echo')").unwrap();
    assert_eq!((result.calls[0].arguments_sha256, &result.calls[0].arguments), (None, &None));
    let asked = case.builder().tool(echo("echo")).record_arguments(RecordedArguments::Digest).build().unwrap();
    let digest = asked.run("call_tool('echo')").unwrap().calls[0].arguments_sha256.unwrap();
    assert_eq!(digest.as_bytes(), &<[u8; 32]>::from(Sha256::digest("{}")));
}

/// So that it shows which file was replaced.
fn a_file_that_gets_another_name_is_on_record_with_both(case: &Case) {
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
    assert_eq!((&renamed["target"], &renamed["verdict"]), (&json!("/output/a -> /output/b"), &json!("ok")));
    let digest: String = Sha256::digest("/output/b").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(renamed["arguments_sha256"], json!(digest));
}
