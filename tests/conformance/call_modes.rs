//! Whether calls return results or awaitables is decided from the text of each program.

use isolette::{CallMode, Language, ToolCalls};
use isolette_tests::{Case, scenario};
use serde_json::json;

use crate::meeting_tools::with_tools;

fn run(case: &Case, setting: ToolCalls) -> isolette::ExecutionResult {
    with_tools(case).tool_calls(setting).build().unwrap().run(&case.program()).unwrap()
}

fn mode(result: &isolette::ExecutionResult) -> CallMode {
    result.call_modes.tools.as_ref().unwrap().mode
}

#[scenario(programs = ["call_modes/awaited"])]
fn awaited_calls_overlap(case: &Case) {
    let abc = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    for setting in [ToolCalls::Auto, ToolCalls::Async] {
        let result = run(case, setting);
        let expected = json!([
            abc("ab"),
            abc("cde"),
            abc("fghi"),
            abc("jklmn"),
            abc("opqrst"),
            "Tool 'fail' failed: no u",
            "synchronous"
        ]);
        assert_eq!(result.value, Some(expected), "{:?}", result.error);
        assert_eq!(mode(&result), CallMode::Async);
    }
}

#[scenario(programs = ["call_modes/used"])]
fn used_results_are_values(case: &Case) {
    for setting in [ToolCalls::Auto, ToolCalls::Sync] {
        let result = run(case, setting);
        assert_eq!(result.value, Some(json!(["A", "b", "c"])), "{:?}", result.error);
        assert_eq!(mode(&result), CallMode::Sync);
    }
}

#[scenario(programs = ["call_modes/wrong_guess"])]
fn a_wrong_guess_is_explained(case: &Case) {
    let result = run(case, ToolCalls::Auto);
    insta::assert_snapshot!(format!("wrong_guess_{}", case.language), result.error.unwrap().message);
}

#[scenario(programs = ["call_modes/awaited_value"])]
fn waiting_for_a_value_is_explained(case: &Case) {
    let result = run(case, ToolCalls::Auto);
    insta::assert_snapshot!(format!("awaited_value_{}", case.language), result.error.unwrap().message);
}

#[scenario(programs = ["call_modes/last_call"])]
fn a_last_call_is_the_value(case: &Case) {
    let result = run(case, ToolCalls::Auto);
    assert_eq!(result.value, Some(json!("b")), "{:?}", result.error);
}

#[scenario(programs = ["call_modes/awaited"])]
fn the_explanation_says_what_calls_return(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    let explanation = sandbox.explain_program(&case.program()).to_string();
    let line = case.pick(8, 4);
    let told = format!("calls of tools in this program are async: line {line} awaits a call");
    assert!(explanation.contains(&told), "{explanation}");
    let other = sandbox.explain_program("1").to_string();
    assert!(other.contains("calls of tools in this program are sync: no call in the text"), "{other}");
}

#[scenario]
fn a_session_decides_for_each_program(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let programs = case.pick(
        [
            "from tools import meet\nmeet(of=1, name='a').upper()",
            "await meet(of=1, name='b')",
            "meet(of=1, name='c').upper()",
        ],
        [
            "const { meet } = tools;\nmeet({ of: 1, name: 'a' }).toUpperCase()",
            "await meet({ of: 1, name: 'b' })",
            "meet({ of: 1, name: 'c' }).toUpperCase()",
        ],
    );
    let found = programs.map(|program| {
        let result = session.run(program).unwrap();
        (mode(&result), result.value)
    });
    let expected = [(CallMode::Sync, "A"), (CallMode::Async, "b"), (CallMode::Sync, "C")];
    assert_eq!(found, expected.map(|(mode, value)| (mode, Some(json!(value)))));
}

#[scenario]
fn forgotten_calls_are_mentioned(case: &Case) {
    let program = case.pick(
        "await tools.meet(of=1, name='a')\ntools.stuck()\n1",
        "await tools.meet({ of: 1, name: 'a' });\ntools.fail({ name: 'b' });\n1",
    );
    let result = with_tools(case).build().unwrap().run(program).unwrap();
    match case.language {
        Language::Python => {
            assert_eq!(
                result.stderr,
                "RuntimeWarning: the call of stuck was never awaited, and ends with the program\n"
            );
        }
        // As in Node, an unhandled rejection ends the program.
        _ => assert_eq!(result.error.map(|error| error.kind).as_deref(), Some("ToolError")),
    }
}
