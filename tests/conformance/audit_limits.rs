//! Limits of the audit, and audits that cannot be written.

use std::{
    io,
    sync::{Arc, Mutex},
};

use isolette::{
    Error, Tool,
    audit::{Audit, AuditRecord, AuditSink},
    policy::Limits,
};
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

use crate::audit::{Kept, echo};

#[scenario]
fn the_audit_receives_calls_that_the_result_leaves_out(case: &Case) {
    let kept = Kept::default();
    let mut limits = case.limits();
    (limits.calls_recorded, limits.tool_calls) = (2, Limits::UNLIMITED);
    let sandbox =
        case.builder().limits(limits).tool(echo("echo")).audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    // More records than may wait for the writer at a time.
    let program = case.pick(
        "for number in range(10_000): call_tool('echo', number=number)",
        "for (let number = 0; number < 10_000; number++) call_tool('echo', { number });",
    );
    let result = sandbox.run(program).unwrap();
    assert_eq!((result.calls.len(), result.truncated.calls), (2, 9_998));
    let calls = kept.calls();
    assert_eq!(calls.len(), 10_000);
    assert!(calls.iter().zip(1_u64..).all(|(call, number)| call["number"] == number && call["outcome"] == "ok"));
}

/// Bytes of records in the form of a file.
fn bytes(records: &[Value]) -> usize {
    records.iter().map(|record| record.to_string().len() + 1).sum()
}

#[scenario]
fn file_calls_beyond_the_audit_limit_are_counted(case: &Case) {
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
    let of = |operation: &str, outcome: &str, field: &str| {
        let counted = counted["counted"].as_array().unwrap().iter();
        let of_these = counted.filter(|counted| counted["operation"] == operation && counted["outcome"] == outcome);
        of_these.map(|counted| counted[field].as_u64().unwrap()).sum::<u64>()
    };
    let listed = calls.iter().filter(|call| call["operation"] == "stat" && call["outcome"] == "missing").count() as u64;
    assert!(listed > 0 && listed + of("stat", "missing", "calls") >= 3000, "{counted}");
    assert_eq!(of("write", "ok", "bytes_out"), 1000, "{counted}");
}

#[scenario]
fn a_run_that_exceeds_the_audit_limit_ends_alone(case: &Case) {
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
    let few = case.pick("for _ in range(20): call_tool('echo')", "for (let n = 0; n < 20; n++) call_tool('echo')");
    let (flooded, meanwhile) = std::thread::scope(|scope| {
        let meanwhile = scope.spawn(|| other.run(few));
        (sandbox.run(flood), meanwhile.join().expect("the other run ends"))
    });
    assert!(meanwhile.unwrap().success());
    let error = flooded.unwrap_err();
    let Error::AuditBytesExceeded { limit, used, partial } = &error else { panic!("{error:?}") };
    assert!(*limit == 30_000 && *used >= 30_000 && *used < 31_000, "{used}");
    assert!(error.to_string().contains("hint: raise `limits.audit_bytes`"), "{error}");
    assert!(partial.calls.len() > 10);
    let run = json!(partial.run.unwrap().to_string());
    let own: Vec<_> = kept.records().into_iter().filter(|record| record["run"] == run).collect();
    assert!(bytes(&own) < 32_000);
    assert_eq!(own.last().unwrap()["ending"], "AuditBytesExceeded");
    for sandbox in [&sandbox, &other] {
        assert!(sandbox.run("call_tool('echo')").unwrap().success());
    }
}

/// Fails after a number of records.
struct Failing(usize);

impl AuditSink for Failing {
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()> {
        self.0 = self.0.checked_sub(records.len()).ok_or_else(|| io::Error::other("the disk is full"))?;
        Ok(())
    }
}

#[scenario]
fn a_run_that_cannot_be_audited_ends(case: &Case) {
    let done = Arc::new(Mutex::new(0));
    let counted = done.clone();
    let count = move |_| {
        *counted.lock().unwrap() += 1;
        Ok::<_, String>(Value::Null)
    };
    let tool = Tool::from_schema("count", "", json!({"type": "object"}), count).unwrap();
    let audit = Audit::new(Failing(10)).unwrap();
    // Until the failure is known, nothing else rejects a call.
    let mut limits = Limits::default();
    limits.tool_calls = Limits::UNLIMITED;
    let sandbox = case.builder().limits(limits).tool(tool).audit(&audit).build().unwrap();
    // It does not end by itself.
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
    // After the failure, no call is made.
    let refused = sandbox.run("call_tool('count')").unwrap_err();
    assert!(matches!(refused, Error::Audit { partial: None, .. }), "{refused}");
    assert_eq!(*done.lock().unwrap(), before);
    assert!(audit.flush().is_err());
    // A program without calls has records too.
    let sandbox = case.builder().audit(&Audit::new(Failing(1)).unwrap()).build().unwrap();
    let error = sandbox.run("6 * 7").unwrap_err();
    assert_eq!(error.partial().and_then(|partial| partial.value.clone()), Some(json!(42)), "{error}");
}
