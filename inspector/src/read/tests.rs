use super::*;

const BEGAN: &str = concat!(
    r#"{"record":"run-began","time":"2026-01-01T00:00:00.000000Z","run":"0a","language":"python","engine":"wasm","#,
    r#""program":"a.py","code_bytes":5,"code_sha256":"00"}"#
);
const CALL: &str = concat!(
    r#"{"record":"call","run":"0a","number":1,"started_ms":1.5,"capability":"http","operation":"GET","#,
    r#""target":"https://example.com/","outcome":"denied","rule":null,"bytes_out":0,"bytes_in":0,"duration_ms":2.0}"#
);
const ENDED: &str = concat!(
    r#"{"record":"run-ended","time":"2026-01-01T00:00:01.000000Z","run":"0a","ending":"ok","exit_code":0,"calls":1,"#,
    r#""usage":{"wall_ms":9.5}}"#
);

fn shown(text: &str) -> Result<Document, InspectorError> {
    let mut document = Document::default();
    document.add(text.as_bytes())?;
    document.finished()
}

fn limited(text: &str, limits: Limits) -> Result<Document, String> {
    let mut document = Document::default();
    let result = super::read(&mut document, "", limits, text.as_bytes());
    result.map(|()| document).map_err(|error| error.to_string())
}

#[test]
fn a_run_has_what_its_records_say() {
    let document = shown(&[BEGAN, CALL, ENDED, ""].join("\n")).unwrap();
    let [run] = &document.runs[..] else { panic!("one run: {document:?}") };
    assert_eq!((run.program.as_deref(), run.ending.as_deref(), run.calls_in_all), (Some("a.py"), Some("ok"), Some(1)));
    let [call] = &run.calls[..] else { panic!("one call: {run:?}") };
    assert_eq!((&*call.target, &*call.outcome, call.rule.as_deref()), ("https://example.com/", "denied", None));
    assert!(document.notes.is_empty(), "{:?}", document.notes);
}

#[test]
fn a_cut_last_line_is_noted() {
    let text = [BEGAN, CALL, ENDED, ""].join("\n");
    // Each place within the last record. The record is whole where only its line end is missing.
    for length in [BEGAN, CALL, ""].join("\n").len() + 1..text.len() - 1 {
        let document = shown(&text[..length]).unwrap();
        assert_eq!((document.runs[0].ending.as_deref(), &*document.notes), (None, &[CUT.to_owned()][..]), "{length}");
    }
    assert_eq!(shown(text.trim_end()).unwrap().notes.len(), 0);
    assert_eq!(shown(&BEGAN[..40]).unwrap().notes, [CUT]);
}

#[test]
fn a_wrong_line_is_named() {
    for (lines, expected) in [
        ([BEGAN, "one line", ENDED], "line 2 cannot be shown: expected value at column 1"),
        ([BEGAN, r#"{"record":"call","number":1}"#, ENDED], "line 2 cannot be shown: a record `call` names no `run`"),
        ([BEGAN, "", r#"{"a":1}"#], "line 3 cannot be shown: it is neither a record of an audit nor a result"),
        (
            [r#"{"record":"run-began","run":"a","labels":1}"#, "", ""],
            "line 1 cannot be shown: a record `run-began`: invalid type",
        ),
        (["[]", "", ""], "line 1 cannot be shown: it is neither"),
    ] {
        let error = shown(&(lines.join("\n") + "\n")).unwrap_err().to_string();
        assert!(error.starts_with(expected) && error.contains("\nhint: "), "{error}");
    }
}

#[test]
fn unknown_records_are_counted_and_left_out() {
    let other = r#"{"record":"run-forked","into":7}"#;
    let document = shown(&[BEGAN, other, other, ENDED, ""].join("\n")).unwrap();
    assert_eq!((document.runs.len(), document.notes.len()), (1, 1));
    assert!(document.notes[0].starts_with("2 records"), "{:?}", document.notes);
}

#[test]
fn counts_of_all_parts_of_a_paused_program_are_kept() {
    let count = r#"{"record":"file-calls","run":"0a","counted":[{"operation":"stat","outcome":"ok","calls":3}]}"#;
    let pause = r#"{"record":"run-paused","time":"2026-01-01T00:00:00.5Z","run":"0a","calls":1}"#;
    let document = shown(&[BEGAN, count, pause, count, ENDED, ""].join("\n")).unwrap();
    assert_eq!((document.runs[0].counted.len(), document.runs[0].pauses.len()), (2, 1));
}

#[test]
fn results_complete_an_audit_even_if_they_are_formatted() {
    let result = r#"{
        "run": "0a", "value": 7, "stdout": "hello\n", "exit_code": 0, "error": null,
        "truncated": {"stdout": 12}, "limits_reached": [{"name": "stdout", "limit": 6, "used": 18}],
        "budgets": [{"tool_calls": {"limit": 10, "used": 4}}], "calls": []
    }"#;
    let mut document = Document::default();
    document.add([BEGAN, CALL, ENDED, ""].join("\n").as_bytes()).unwrap();
    document.add(result.as_bytes()).unwrap();
    let document = document.finished().unwrap();
    let [run] = &document.runs[..] else { panic!("one run: {document:?}") };
    assert_eq!((run.value.clone(), run.calls.len(), &*run.output[0].text), (Some(7.into()), 1, "hello\n"));
    assert_eq!(run.notes, ["Standard output is cut: 12 more bytes were not kept."]);
    let limits: Vec<_> = run.limits.iter().map(|limit| (&*limit.name, limit.used, limit.limit, &*limit.unit)).collect();
    let expected = [
        ("time", 9.5, None, "ms"),
        ("stdout", 18.0, Some(6.0), "bytes"),
        ("shared tool calls", 4.0, Some(10.0), "count"),
    ];
    assert_eq!(limits, expected);
}

#[test]
fn a_program_that_the_host_ended_has_the_name_of_the_error() {
    let ending = |error: &str| {
        let document = shown(&format!(r#"{{"run":"0a","exit_code":1,"error":{error}}}"#)).unwrap();
        (document.runs[0].ending.clone().unwrap(), document.runs[0].error_line)
    };
    let host = r#"{"type":"Timeout","message":"m","line":null,"traceback":""}"#;
    let own = r#"{"type":"ValueError","message":"m","line":3,"traceback":"t"}"#;
    assert_eq!((ending(host), ending(own)), (("Timeout".into(), None), ("exception".into(), Some(3))));
}

#[test]
fn everything_is_bounded() {
    let text = [BEGAN, CALL, CALL, ENDED, ""].join("\n");
    assert!(limited(&text, LIMITS).is_ok());
    let other = BEGAN.replace("0a", "0b");
    let two = [BEGAN, &other, ""].join("\n");
    for (text, limits, expected) in [
        (&text, Limits { line: 200, ..LIMITS }, "line 2 has more than 200 bytes"),
        (&text, Limits { file: 500, ..LIMITS }, "there are more than 500 bytes of one file"),
        (&text, Limits { entries: 1, ..LIMITS }, "there are more than 1 calls"),
        (&two, Limits { runs: 1, ..LIMITS }, "there are more than 1 runs"),
    ] {
        let error = limited(text, limits).unwrap_err();
        assert!(error.starts_with(expected) && error.contains("\nhint: "), "{error}");
    }
    let endless = "{".repeat(300);
    assert!(limited(&endless, Limits { line: 200, ..LIMITS }).unwrap_err().starts_with("line 1 has more"));
}

#[test]
fn one_run_of_a_file_with_too_many_can_be_chosen() {
    let mut document = Document::default();
    let text = [BEGAN, &BEGAN.replace("0a", "0b"), CALL, ""].join("\n");
    super::read(&mut document, "0b", Limits { runs: 1, entries: 0, ..LIMITS }, text.as_bytes()).unwrap();
    assert_eq!((document.runs.len(), document.runs[0].calls.len()), (1, 0));
}

#[test]
fn a_program_cannot_hide_its_calls_by_a_deep_argument() {
    let arguments = format!(r#""arguments":{}1{}"#, "[".repeat(5000), "]".repeat(5000));
    let call = CALL.replace(r#""rule":null"#, &arguments);
    let document = shown(&[BEGAN, &call, ENDED, ""].join("\n")).unwrap();
    let shown = document.runs[0].calls[0].arguments.as_ref().unwrap().to_string();
    assert!(shown.contains("nested too deeply"), "{shown}");
}
