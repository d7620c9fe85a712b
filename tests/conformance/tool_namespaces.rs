//! Tools as functions in namespaces: paths, search and help.

use isolette::{SandboxBuilder, Tool};
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

/// Returns its name and arguments.
fn echo(name: &str, description: &str, properties: Value, required: &[&str]) -> Tool {
    let reported = name.to_owned();
    let schema =
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    Tool::from_schema(name, description, schema, move |arguments| Ok::<_, String>(json!([reported, arguments])))
        .unwrap()
}

fn with_tools(case: &Case) -> SandboxBuilder {
    let text = |description: &str| json!({"type": "string", "description": description});
    let issue = json!({
        "type": "array",
        "items": {"title": "Issue", "type": ["string", "object"], "properties": {"title": {"type": "string"}}},
    });
    case.builder()
        .tool(
            echo(
                "github.create_issue",
                "Opens an issue",
                json!({"title": text("What it is about"), "from": text("Who asks")}),
                &["title"],
            )
            .with_output_schema(issue)
            .with_tag("issues"),
        )
        .tool(
            echo("github.close_issue", "Closes an issue", json!({"number": {"type": "integer"}}), &[])
                .with_tag("issues"),
        )
        .tool(echo("github.labels.add", "Adds a label", json!({"name": text("")}), &[]))
        .tool(echo("search.find", "Finds", json!({"word": text("")}), &[]))
        .tool(echo("list", "Lists", json!({"word": text("")}), &[]))
        .tool(echo("weather", "The weather now", json!({"city": text("")}), &[]).with_tag("weather"))
        .tool(echo("weather.tomorrow", "The weather to come", json!({"city": text("")}), &[]).with_tag("Weather"))
}

#[scenario(programs = ["tools/namespaces"])]
fn every_tool_has_a_path(case: &Case) {
    let result = with_tools(case).build().unwrap().run(&case.program()).unwrap();
    let value = result.value.unwrap_or_else(|| panic!("{:?}", result.error));
    let create = |arguments: Value| json!(["github.create_issue", arguments]);
    let expected = [
        ("global", create(json!({"title": "a"}))),
        ("imported", create(json!({"title": "b"}))),
        ("module", create(json!({"title": "c"}))),
        ("nested", json!(["github.labels.add", {"name": "d"}])),
        ("item", create(json!({"title": "e"}))),
        ("keyword", create(json!({"title": "f", "from": "g"}))),
        ("method", create(json!({"title": "h"}))),
        ("shadowed", json!([["search.find", {"word": "i"}], ["list", {"word": "j"}]])),
        ("both", json!([["weather", {"city": "k"}], ["weather.tomorrow", {"city": "l"}]])),
        ("described", json!(true)),
    ];
    for (what, expected) in expected {
        assert_eq!(value[what], expected, "{what}: {value}");
    }
    let rest: serde_json::Map<_, _> = ["dir", "names", "signature", "documentation", "awaited", "shown", "unknown"]
        .into_iter()
        .filter_map(|what| Some((what.to_owned(), value.get(what)?.clone())))
        .collect();
    insta::assert_json_snapshot!(format!("namespaces_{}", case.language), (rest, result.stdout));
}

#[scenario(programs = ["tools/searching"])]
fn tools_can_be_searched_by_programs(case: &Case) {
    let result = with_tools(case).build().unwrap().run(&case.program()).unwrap();
    let mut value = result.value.unwrap_or_else(|| panic!("{:?}", result.error));
    let refused = value.as_object_mut().unwrap().remove("refused").unwrap();
    assert!(refused.as_str().unwrap().contains("one of name, brief, detailed, full"), "{refused}");
    // The same for both languages.
    insta::assert_json_snapshot!("searching", value);
}

#[scenario(only = Python, because = "JavaScript has no help()")]
fn help_shows_how_a_tool_is_called(case: &Case) {
    let result = with_tools(case).build().unwrap().run("help(tools.github.create_issue)").unwrap();
    assert!(result.stdout.contains("title: str") && result.stdout.contains("What it is about"), "{}", result.stdout);
}

#[scenario(only = Python, because = "JavaScript has no modules on mounts")]
fn a_module_of_the_program_shadows_a_tool_namespace(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tools.py"), "def helper():\n    return 'mine'\n").unwrap();
    let sandbox = with_tools(case).input_dir(folder.path()).build().unwrap();
    let program = "here = tools.weather(city='x')[0]\nimport tools\n[here, tools.helper()]";
    assert_eq!(sandbox.run(program).unwrap().value, Some(json!(["weather", "mine"])));
}

#[scenario]
fn the_tool_namespace_is_empty_without_tools(case: &Case) {
    let program = case.pick(
        "[dir(tools), tools.list(), tools.search('x'), hasattr(tools, 'x')]",
        "[Object.keys(tools).filter((name) => !(name in { call: 1, list: 1, describe: 1, search: 1 })), tools.list(), tools.search('x'), 'x' in tools]",
    );
    let value = case.sandbox().run(program).unwrap().value.unwrap();
    let own = case.pick(json!(["call", "describe", "list", "search"]), json!([]));
    assert_eq!(value, json!([own, [], [], false]));
}
