//! Programs that call several tools of other MCP servers at the same time. That the calls overlap is shown by a server that
//! answers when all of them have come.

use isolette_tests::{
    ClientCase, Skipped,
    agents::{python, servers},
    client_test,
};
use serde_json::{Value, json};

/// The value of a program, and the targets of its calls.
fn play(case: &ClientCase, arguments: &[&str], code: &str) -> Result<Value, Skipped> {
    let server = format!("meeting='{}' '{}'", python()?.display(), servers().join("meeting.py").display());
    let served = case.serve(&[&["--mcp-server", &server], arguments].concat());
    let mut replies = served.script.step(json!({ "call": "execute_code", "arguments": { "code": code } })).play()?;
    let result = replies.results.remove(0);
    assert_eq!(result["isError"], json!(false), "{result}");
    let calls = result["_meta"]["isolette/calls"].as_array().expect("calls are listed").iter();
    // They are listed in the order in which they ended.
    let mut targets: Vec<_> = calls.map(|call| call["target"].to_string()).collect();
    targets.sort();
    let targets: Vec<Value> = targets.iter().map(|target| serde_json::from_str(target).expect("a text")).collect();
    Ok(json!([result["structuredContent"]["value"], targets]))
}

#[client_test]
fn tools_of_one_server_overlap_in_python(case: &ClientCase) -> Result<(), Skipped> {
    let code = "
import asyncio
calls = [tools.meeting.meet(of=3, place='hall', name=name) for name in ('ann', 'bob')]
outcomes = await asyncio.gather(*calls, tools.meeting.refuse(of=3, place='hall', name='cat'), return_exceptions=True)
[one if isinstance(one, str) else one.kind for one in outcomes]
";
    let expected =
        json!([["ann at hall", "bob at hall", "failed"], ["meeting.meet", "meeting.meet", "meeting.refuse"],]);
    assert_eq!(play(case, &[], code)?, expected);
    Ok(())
}

#[client_test]
fn tools_of_one_server_overlap_in_javascript(case: &ClientCase) -> Result<(), Skipped> {
    let code = "
const { meet } = tools.meeting;
const first = await Promise.all(['ann', 'bob', 'cat'].map((name) => meet({ of: 3, place: 'hall', name })));
const second = await Promise.all(first.slice(1).map((name) => meet({ of: 2, place: 'yard', name })));
second
";
    let expected = json!([["bob at hall at yard", "cat at hall at yard"], vec!["meeting.meet"; 5]]);
    assert_eq!(play(case, &["--lang", "javascript"], code)?, expected);
    Ok(())
}
