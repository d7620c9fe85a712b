//! Tools: arguments, results and failures of calls.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use isolette::{RunOptions, SandboxBuilder, Tool, policy::Limits};
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Thing {
    name: String,
    size: u32,
    #[serde(default)]
    colour: Option<Colour>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

fn with_tools(case: &Case) -> SandboxBuilder {
    case.builder()
        .tool_typed("describe", "Describes a thing", |thing: Thing| Ok::<_, String>(thing))
        .tool_typed("fail", "Fails", |_: Nothing| Err::<(), _>("the printer is on fire"))
        .tool_typed("panic", "Panics", |_: Nothing| -> Result<(), String> { panic!("a bug in the tool, on purpose") })
        .tool_typed_async("panic_later", "Panics", async |_: Nothing| -> Result<(), String> {
            tokio::task::yield_now().await;
            panic!("a bug in the tool, on purpose")
        })
        .tool_typed("nothing", "Does nothing", |_: Nothing| Ok::<_, String>(()))
}

/// The identity, with a schema of the tool's own.
fn echo(case: &Case) -> SandboxBuilder {
    let schema = json!({"type": "object", "properties": {"value": {}}, "required": ["value"]});
    case.builder().tool(
        Tool::from_schema("echo", "Gives back", schema, |arguments| Ok::<_, String>(arguments["value"].clone()))
            .unwrap(),
    )
}

#[scenario]
fn tool_arguments_and_results_are_typed(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    let call = case.pick(
        "call_tool('describe', name='box', size=3, colour='green', tags=['a', 'b'])",
        "call_tool('describe', { name: 'box', size: 3, colour: 'green', tags: ['a', 'b'] })",
    );
    let expected = json!({"name": "box", "size": 3, "colour": "green", "tags": ["a", "b"]});
    assert_eq!(sandbox.run(call).unwrap().value, Some(expected));
}

#[scenario]
fn any_json_round_trips_through_a_tool(case: &Case) {
    let sandbox = echo(case).build().unwrap();
    for value in [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!("🦀 \u{0} \u{2028}"),
        json!([1, [null]]),
        json!({"a": {"": []}}),
    ] {
        let options = isolette::RunOptions::new().variable("given", value.clone());
        let call = case.pick("call_tool('echo', value=given)", "call_tool('echo', { value: given })");
        assert_eq!(sandbox.run_with(call, options).unwrap().value.unwrap_or(Value::Null), value);
    }
}

#[scenario]
fn long_tool_arguments_and_results_pass(case: &Case) {
    let sandbox = echo(case).build().unwrap();
    let call = case.pick(
        "text = '0123456789' * 300_000\ncall_tool('echo', value=text) == text",
        "const text = '0123456789'.repeat(300_000); call_tool('echo', { value: text }) === text",
    );
    let result = sandbox.run(call).unwrap();
    assert_eq!(result.value, Some(json!(true)), "{:?}", result.error);
    assert!(result.calls[0].bytes_out > 3_000_000 && result.calls[0].bytes_in > 3_000_000);
}

#[scenario]
fn both_ways_to_pass_tool_arguments_are_equal(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    let call = case.pick(
        "call_tool('describe', name='x', size=1) == call_tool('describe', {'name': 'x', 'size': 1})",
        "JSON.stringify(call_tool('describe', { name: 'x', size: 1 })) === JSON.stringify(await call_tool('describe', { name: 'x', size: 1 }))",
    );
    assert_eq!(sandbox.run(call).unwrap().value, Some(json!(true)));
}

#[scenario]
fn an_asynchronous_tool_is_called_like_any_other(case: &Case) {
    let slow = async |thing: Thing| {
        // It needs timers, threads and tasks, like real tools.
        tokio::time::sleep(Duration::from_millis(1)).await;
        let name = tokio::task::spawn_blocking(move || thing.name).await.map_err(|error| error.to_string())?;
        Ok::<_, String>(name.to_uppercase())
    };
    let sandbox = case.builder().tool_typed_async("shout", "Shouts", slow).build().unwrap();
    let call = case.pick("call_tool('shout', name='quiet', size=1)", "call_tool('shout', { name: 'quiet', size: 1 })");
    assert_eq!(sandbox.run(call).unwrap().value, Some(json!("QUIET")));
}

#[scenario(programs = ["tools/failures"])]
fn tool_failures_are_exceptions_of_the_program(case: &Case) {
    let result = with_tools(case).build().unwrap().run(&case.program()).unwrap();
    let outcomes: BTreeMap<String, (String, String)> =
        serde_json::from_value(result.value.unwrap_or_else(|| panic!("{:?}", result.error))).unwrap();
    let expected = [
        ("failed", "failed", "Tool 'fail' failed: the printer is on fire"),
        ("panicked", "failed", "Tool 'panic' failed: the tool panicked"),
        ("panicked_later", "failed", "Tool 'panic_later' failed: the tool panicked"),
    ];
    for (name, kind, message) in expected {
        assert_eq!(outcomes[name], (kind.to_owned(), message.to_owned()), "{name}");
    }
    let fragments: [(&str, &str, &[&str]); 5] = [
        ("unknown", "unknown-tool", &["no_such_tool", "describe, fail, panic"]),
        ("missing", "invalid-arguments", &["`describe`", "size", "required"]),
        ("wrong_type", "invalid-arguments", &["`describe`", "`size`", "large", "integer"]),
        ("wrong_choice", "invalid-arguments", &["`describe`", "`colour`", "purple"]),
        ("nested", "invalid-arguments", &["`describe`", "`tags.1`", "string"]),
    ];
    for (name, kind, fragments) in fragments {
        let (found, message) = &outcomes[name];
        assert_eq!(found, kind, "{name}: {message}");
        for fragment in fragments {
            assert!(message.contains(fragment), "{name}: `{fragment}` is missing: {message}");
        }
    }
    let outcomes: Vec<_> = result.calls.iter().map(|call| call.outcome.as_str()).collect();
    assert_eq!(outcomes[..3], ["unknown-tool", "invalid-arguments", "invalid-arguments"]);
    assert_eq!(outcomes[5..], ["failed"; 3]);
}

#[scenario(programs = ["tools/failures"])]
fn without_tools_every_call_is_an_unknown_tool_error(case: &Case) {
    let result = case.sandbox().run(&case.program()).unwrap();
    let outcomes: BTreeMap<String, (String, String)> = serde_json::from_value(result.value.unwrap()).unwrap();
    for (kind, message) in outcomes.values() {
        assert_eq!(kind, "unknown-tool");
        assert!(message.contains("this run has no tools"), "{message}");
    }
}

#[scenario(programs = ["tools/budget"])]
fn tool_calls_have_a_budget(case: &Case) {
    let mut limits = Limits::default();
    limits.tool_calls = 5;
    let sandbox = with_tools(case).limits(limits).build().unwrap();
    for _ in 0..2 {
        let result = sandbox.run(&case.program()).unwrap();
        let (calls, kind, message): (u64, String, String) = serde_json::from_value(result.value.unwrap()).unwrap();
        assert_eq!((calls, &*kind), (5, "budget"));
        assert!(message.contains("5 times") && message.contains("hint: "), "{message}");
        assert_eq!(result.usage.tool_calls, 6, "refused calls are counted");
        assert_eq!(result.calls.last().unwrap().outcome.as_str(), "budget");
    }
}

#[scenario(programs = ["tools/listing"])]
fn programs_can_list_and_describe_tools(case: &Case) {
    let value = with_tools(case).build().unwrap().run(&case.program()).unwrap().value.unwrap();
    let text = value.to_string();
    for fragment in
        ["\"describe\"", "Describes a thing", "panic_later", "\"required\":[\"name\",\"size\"]", "\"green\""]
    {
        assert!(text.contains(fragment), "`{fragment}` is missing: {text}");
    }
}

#[scenario]
fn an_uncaught_tool_failure_ends_the_program(case: &Case) {
    let program = case.pick("print('before')\ncall_tool('fail')", "console.log('before');\ncall_tool('fail')");
    let result = with_tools(case).build().unwrap().run(program).unwrap();
    assert_eq!((&*result.stdout, result.exit_code), ("before\n", 1));
    let error = result.error.unwrap();
    assert_eq!((&*error.kind, error.line), ("ToolError", Some(2)), "{error:?}");
    assert!(error.message.contains("the printer is on fire"));
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct At {
    line: u32,
}

#[scenario(programs = ["tools/lines"])]
fn records_have_the_line_of_each_call(case: &Case) {
    let (named, ended) = (Arc::<Mutex<Vec<_>>>::default(), Arc::<Mutex<Vec<_>>>::default());
    let noted = Arc::clone(&named);
    let at = move |At { line }: At| {
        noted.lock().unwrap().push(line);
        Ok::<_, String>(())
    };
    let sandbox = case.builder().tool_typed("at", "Is called on a line", at).build().unwrap();
    let seen = Arc::clone(&ended);
    let options = RunOptions::new().on_call_end(move |call| seen.lock().unwrap().push(call.clone()));
    let result = sandbox.run_with(&case.program(), options).unwrap();
    assert_eq!(result.error, None);
    let mut expected = named.lock().unwrap().clone();
    for call in &result.calls {
        expected.extend(call.target.strip_prefix("https://example.com/").map(|line| line.parse::<u32>().unwrap()));
    }
    let lines: Vec<_> = result.calls.iter().map(|call| call.line.unwrap_or(0)).collect();
    assert_eq!(lines, expected);
    assert_eq!(*ended.lock().unwrap(), result.calls, "as soon as each has ended");
    // Those of another program of a session are counted from its own beginning.
    let mut session = sandbox.session().unwrap();
    session.run(&case.program()).unwrap();
    let call = case.pick("\n\ncall_tool('at', line=3)", "\n\ncall_tool('at', { line: 3 })");
    assert_eq!(session.run(call).unwrap().calls[0].line, Some(3));
    // A function of an earlier one: the frame that calls it, or its own.
    assert_eq!(session.run("\n\n\nnested()").unwrap().calls[0].line, Some(case.pick(4, 3)));
}

#[scenario(only = JavaScript, because = "TypeScript runs in the guest for JavaScript")]
fn lines_of_a_compiled_program_are_those_of_its_source(case: &Case) {
    let sandbox = case.builder().tool_typed("at", "", |At { line }: At| Ok::<_, String>(line)).build().unwrap();
    let program =
        "enum Kind {\n  First,\n  Second,\n}\n\nconst kind: Kind = Kind.Second;\ncall_tool('at', { line: 7 });\n";
    let result = sandbox.run_with(program, RunOptions::new().filename("program.ts")).unwrap();
    assert_eq!((result.error, result.calls[0].line), (None, Some(7)));
}

#[scenario(only = Python, because = "the module exists for programs that were written in Python")]
fn the_hyperlight_module_exists(case: &Case) {
    let program =
        "from hyperlight import call_tool, http_get, http_post\ncall_tool('describe', name='x', size=1)['name']";
    assert_eq!(with_tools(case).build().unwrap().run(program).unwrap().value, Some(json!("x")));
}

#[scenario]
fn tool_results_that_do_not_match_their_schema_are_reported(case: &Case) {
    let promised =
        json!({"type": "object", "properties": {"state": {"enum": ["open", "closed"]}}, "required": ["state"]});
    let sloppy = |name: &str| {
        let call = |_| Ok::<_, String>(json!({"state": "opened"}));
        Tool::from_schema(name, "", json!({"type": "object"}), call).unwrap().with_output_schema(promised.clone())
    };
    let sandbox = case.builder().tool(sloppy("noted")).tool(sloppy("refused").with_strict_results()).build().unwrap();
    let noted = sandbox.run("call_tool('noted')").unwrap();
    assert_eq!(noted.value, Some(json!({"state": "opened"})));
    let mismatch = "result `state` must be one of \"open\", \"closed\", not \"opened\"\nhint: did you mean \"open\"?";
    assert_eq!((noted.calls[0].outcome.as_str(), noted.calls[0].mismatch.as_deref()), ("ok", Some(mismatch)));
    let refused = sandbox.run("call_tool('refused')").unwrap();
    assert_eq!(refused.calls[0].outcome.as_str(), "failed");
    assert!(refused.error.unwrap().message.contains(mismatch));
}
