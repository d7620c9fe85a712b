//! Programs that are written for the sandboxes of other vendors.

use isolette::{Dialect, Isolation, Language, Sandbox, SandboxBuilder, Tool, ToolCalls};
use isolette_agent::Guide;
use isolette_tests::{Case, host_test, scenario};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::meeting_tools::with_tools;

#[derive(Deserialize, JsonSchema)]
struct Query {
    /// The statement.
    sql: String,
}

#[derive(Deserialize, JsonSchema)]
struct Kind {
    /// The kind of records.
    kind: String,
}

fn with_records(builder: SandboxBuilder) -> SandboxBuilder {
    let query = Tool::typed("query_database", "Runs a SQL statement. Returns rows.", |Query { sql }| {
        Ok::<_, String>(json!([{ "revenue": sql.len() }, { "revenue": 1 }]))
    });
    let find = Tool::typed("records.find-all", "Finds all records of a kind", |Kind { kind }| {
        Ok::<_, String>(json!({ "kind": kind, "count": 3 }))
    });
    builder.tool(query.unwrap()).tool(find.unwrap())
}

fn run(case: &Case, dialect: Dialect) -> isolette::ExecutionResult {
    let sandbox = with_records(with_tools(case)).dialect(dialect).temp_output().build().unwrap();
    sandbox.run(&case.program()).unwrap()
}

#[scenario(programs = ["dialects/anthropic"], only = Python, because = "the dialect is of Python")]
fn anthropic(case: &Case) {
    let result = run(case, Dialect::Anthropic);
    assert!(result.success(), "{:?}", result.error);
    insta::assert_snapshot!("dialect_anthropic", result.stdout);
}

#[scenario(programs = ["dialects/openai"], only = JavaScript, because = "the dialect is of JavaScript")]
fn openai(case: &Case) {
    let result = run(case, Dialect::OpenAi);
    assert!(result.success(), "{:?}", result.error);
    insta::assert_snapshot!("dialect_openai", result.stdout);
    assert_eq!(result.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["/output/image-1.png"]);
}

#[scenario(programs = ["dialects/codex"], only = JavaScript, because = "the dialect is of JavaScript")]
fn codex(case: &Case) {
    let result = run(case, Dialect::Codex);
    assert!(result.success(), "{:?}", result.error);
    insta::assert_snapshot!("dialect_codex", result.stdout);
}

#[scenario(only = JavaScript, because = "the dialect is of JavaScript")]
fn codex_keeps_values_and_checks_its_pragma(case: &Case) {
    let sandbox = case.builder().dialect(Dialect::Codex).build().unwrap();
    let mut session = sandbox.session().unwrap();
    session.run("store('key', { list: [1, 2] })").unwrap();
    assert_eq!(session.run("load('key').list").unwrap().value, Some(json!([1, 2])));
    assert_eq!(session.run("load('other') === undefined").unwrap().value, Some(json!(true)));
    let error = session.run("// @exec: {\"max_output\": 1}\n1").unwrap().error.unwrap();
    insta::assert_snapshot!("dialect_codex_pragma", format!("{}: {}", error.kind, error.message));
}

#[scenario(programs = ["dialects/cloudflare"], only = JavaScript, because = "the dialect is of JavaScript")]
fn cloudflare(case: &Case) {
    let result = run(case, Dialect::Cloudflare);
    let expected = json!({ "rows": 2, "found": { "kind": "c", "count": 3 }, "error": "Tool 'fail' failed: no x" });
    assert_eq!(result.value, Some(expected), "{:?}", result.error);
}

#[host_test]
fn descriptions_follow_the_dialect() {
    let styles = [
        (Language::Python, Dialect::Isolette, ToolCalls::Async),
        (Language::Python, Dialect::Isolette, ToolCalls::Sync),
        (Language::JavaScript, Dialect::Isolette, ToolCalls::Async),
        (Language::JavaScript, Dialect::Isolette, ToolCalls::Sync),
        (Language::Python, Dialect::Anthropic, ToolCalls::Auto),
        (Language::JavaScript, Dialect::OpenAi, ToolCalls::Auto),
        (Language::JavaScript, Dialect::Codex, ToolCalls::Auto),
        (Language::JavaScript, Dialect::Cloudflare, ToolCalls::Auto),
    ];
    for (language, dialect, calls) in styles {
        let builder = Sandbox::builder().language(language).isolation(Isolation::Wasm);
        let sandbox = with_records(builder).dialect(dialect).tool_calls(calls).build().unwrap();
        let description = Guide::new(&sandbox).description();
        let tools = description.split("\nTools:\n").nth(1).and_then(|text| text.split("\nModules").next()).unwrap();
        let tools = tools.split("\nFiles:\n").next().unwrap();
        insta::assert_snapshot!(format!("description_{dialect}_{language}_{calls}"), tools);
    }
}

#[host_test]
fn a_dialect_has_its_language_and_its_mode() {
    let build = |language, dialect, calls| {
        let builder = Sandbox::builder().language(language).dialect(dialect).tool_calls(calls);
        builder.build().unwrap_err().to_string()
    };
    let errors = [
        build(Language::JavaScript, Dialect::Anthropic, ToolCalls::Auto),
        build(Language::Python, Dialect::Codex, ToolCalls::Auto),
        build(Language::JavaScript, Dialect::OpenAi, ToolCalls::Sync),
    ];
    let named = |name: &str| Tool::typed(name, "", |Kind { kind }| Ok::<_, String>(kind)).unwrap();
    let same = Sandbox::builder().tool(named("a.b")).tool(named("a_b"));
    let same = same.dialect(Dialect::Anthropic).build().unwrap_err().to_string();
    insta::assert_snapshot!("dialect_errors", [errors.join("\n"), same].join("\n"));
}
