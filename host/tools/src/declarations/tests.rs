//! Tests of declarations: one schema of each kind as snapshots, and arbitrary schemas.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn tool(name: &str, description: &str, input: Value, output: Option<Value>) -> Tool {
    let tool = Tool::from_schema(name, description, input, |_| Err::<Value, _>("never called")).unwrap();
    match output {
        Some(output) => tool.with_output_schema(output),
        None => tool,
    }
}

/// One schema of each kind.
fn rich() -> Vec<Tool> {
    let issue = json!({
        "$ref": "#/$defs/Issue",
        "$defs": {
            "Issue": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "state": {"enum": ["open", "closed"], "description": "Where it stands"},
                    "author": {"$ref": "#/$defs/User"},
                    "parent": {"anyOf": [{"$ref": "#/$defs/Issue"}, {"type": "null"}]},
                    "labels": {"type": "array", "items": {"$ref": "#/$defs/Label"}},
                    "reactions": {"type": "object", "additionalProperties": {"type": "integer"}},
                },
                "required": ["number", "state", "author"],
            },
            "User": {
                "type": "object",
                "properties": {"login": {"type": "string"}, "e-mail": {"type": ["string", "null"]}},
                "required": ["login"],
                "additionalProperties": true,
            },
            "Label": {"type": "string", "maxLength": 50},
        },
    });
    vec![
        tool(
            "github.create_issue",
            "Opens an issue.\n\nIt says \"\"\"who\"\"\" is told, and ends a comment */ too: C:\\new.",
            json!({
                "type": "object",
                "properties": {
                    "title": {"type": "string", "description": "What it is about", "minLength": 1, "maxLength": 256},
                    "body": {"type": "string", "default": ""},
                    "labels": {"type": "array", "items": {"enum": ["bug", "idea"]}},
                    "assignee": {"type": ["string", "null"], "default": null},
                    "milestone": {"type": "integer", "nullable": true},
                    "from": {"type": "string", "description": "A keyword of Python's"},
                    "x-trace": {"type": "string", "description": "No identifier"},
                    "priority": {"const": 1},
                },
                "required": ["title", "from"],
            }),
            Some(issue.clone()),
        ),
        tool(
            "github.list_issues",
            "Lists issues",
            json!({"type": "object", "properties": {"state": {"enum": ["open", "closed", "all"], "default": "open"}}}),
            Some(json!({"type": "array", "items": {"$ref": "#/$defs/Issue"}, "$defs": issue["$defs"]})),
        ),
        tool("github.ping", "", json!({"type": "object"}), Some(json!({"type": "null"}))),
        tool(
            "shapes.area",
            "The area of a shape",
            json!({
                "type": "object",
                "properties": {
                    "shape": {
                        "oneOf": [
                            {
                                "title": "Circle",
                                "type": "object",
                                "properties": {"kind": {"const": "circle"}, "radius": {"type": "number", "exclusiveMinimum": 0}},
                                "required": ["kind", "radius"],
                            },
                            {
                                "title": "Polygon",
                                "type": "object",
                                "properties": {
                                    "kind": {"const": "polygon"},
                                    "points": {
                                        "type": "array",
                                        "items": {
                                            "type": "array",
                                            "prefixItems": [{"type": "number"}, {"type": "number"}],
                                            "items": false,
                                        },
                                    },
                                },
                                "required": ["kind", "points"],
                            },
                        ],
                    },
                    "options": {
                        "allOf": [
                            {"type": "object", "properties": {"unit": {"enum": ["m", "ft", null]}}},
                            {"type": "object", "properties": {"digits": {"type": "integer", "format": "int32"}}, "required": ["digits"]},
                        ],
                    },
                    "anything": {},
                    "never": false,
                },
                "required": ["shape"],
            }),
            Some(json!({"type": "number"})),
        ),
        tool(
            "find",
            "One of two ways to say which",
            json!({
                "type": "object",
                "oneOf": [
                    {"properties": {"id": {"type": "integer"}}, "required": ["id"]},
                    {"properties": {"name": {"type": "string"}, "exact": {"type": "boolean"}}, "required": ["name"]},
                ],
            }),
            None,
        ),
        tool("env.set", "Sets variables", json!({"type": "object", "additionalProperties": {"type": "string"}}), None),
        tool(
            "get-weather",
            "Cannot be written as a path",
            json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
            Some(json!({"type": "string"})),
        ),
    ]
}

#[test]
fn python_stubs() {
    insta::assert_snapshot!(declare(&rich(), Language::Python));
}

#[test]
fn typescript_declarations() {
    insta::assert_snapshot!(declare(&rich(), Language::TypeScript));
}

#[test]
fn one_line_for_each() {
    let lines = |language| rich().iter().map(|tool| signature(tool, language)).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(format!("{}\n\n{}", lines(Language::Python), lines(Language::JavaScript)));
}

#[test]
fn parameters_as_a_list() {
    let lists: Vec<String> = rich()
        .iter()
        .map(|tool| format!("{}\n{}", tool.name(), crate::catalog::parameters(tool.input_schema())))
        .collect();
    insta::assert_snapshot!(lists.join("\n\n"));
}

#[test]
fn what_tools_has_of_its_own_is_not_declared_as_something_else() {
    let any = json!({"type": "object"});
    for name in ["search", "list", "call.me", "describe.it.all"] {
        let tool = tool(name, "", any.clone(), None);
        assert!(signature(&tool, Language::Python).starts_with("call_tool("), "{name}");
        assert!(signature(&tool, Language::TypeScript).starts_with("call_tool("), "{name}");
        assert!(declare(std::slice::from_ref(&tool), Language::Python).contains("call_tool"), "{name}");
    }
    assert!(signature(&tool("a.search", "", any, None), Language::Python).starts_with("tools.a.search("));
}

#[test]
fn one_tool_brings_only_what_it_needs() {
    let tools = rich();
    let text = declaration(&tools[0], Language::Python);
    assert!(text.contains("class Issue(TypedDict)") && text.contains("def create_issue("), "{text}");
    assert!(!text.contains("Circle"), "{text}");
}

/// Declares a function whose argument and result schema is `schema`, which need not be a valid schema.
fn declared(schema: &Value, language: Language) -> String {
    let function = Function {
        name: "a.b",
        description: "",
        input_schema: schema,
        output_schema: Some(schema),
        style: language.into(),
    };
    match language {
        Language::Python => python::function(function),
        _ => typescript::function(function),
    }
}

#[test]
fn what_is_endless_has_an_end() {
    let mut deep = json!({"type": "string"});
    for level in 0..100 {
        deep = json!({"type": "object", "properties": {(format!("level{level}")): deep}});
    }
    let circle = json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}});
    let nowhere =
        json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/none"}, "y": {"$ref": "https://a.example/"}}});
    let itself = json!({"type": "object", "properties": {"x": {"$ref": "#"}}});
    // Each part is twice as large as the one before it.
    let parts: serde_json::Map<_, _> = (0..60)
        .map(|part| {
            let next = json!({"$ref": format!("#/$defs/{}", part + 1)});
            (
                part.to_string(),
                json!({"anyOf": [{"type": "array", "items": next}, {"type": "array", "items": {"anyOf": [next]}}]}),
            )
        })
        .collect();
    let doubling = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/0"}}, "$defs": parts});
    let wide: serde_json::Map<_, _> =
        (0..5000).map(|number| (format!("p{number}"), json!({"type": "string"}))).collect();
    let wide = json!({"type": "object", "properties": wide});
    for (schema, simplified) in
        [(deep, true), (circle, false), (nowhere, false), (itself, false), (doubling, true), (wide, true)]
    {
        for language in Language::ALL {
            let text = declared(&schema, language);
            assert!(text.len() < 100_000, "{} bytes", text.len());
            assert_eq!(text.contains("too deep or too long"), simplified, "{}", &text[..text.len().min(2000)]);
        }
    }
}

proptest! {
    #[test]
    fn any_schema_at_all_becomes_a_bounded_text(schema in any_schema()) {
        for language in Language::ALL {
            let text = declared(&schema, language);
            prop_assert!(text.len() < 1 << 20);
            prop_assert_eq!(&text, &declared(&schema, language), "it is the same each time");
        }
    }
}

/// Schemas, and values that are almost schemas.
fn any_schema() -> impl Strategy<Value = Value> {
    let name = prop_oneof!["[a-z_]{1,6}", Just("class".to_owned()), ".{0,5}", Just("a\"'\\".to_owned())];
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!(null)),
        Just(json!({"$ref": "#/$defs/a"})),
        Just(json!({"$ref": "#"})),
        "[a-z]{3,8}".prop_map(|kind| json!({"type": kind})),
        prop_oneof!["string", "integer", "number", "boolean", "null", "object", "array"]
            .prop_map(|kind| json!({"type": kind})),
        prop::collection::vec(".{0,6}", 0..4).prop_map(|values| json!({"enum": values})),
        ".{0,20}".prop_map(|text| json!({"const": text, "description": text, "default": text})),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let parts = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            prop::collection::vec((name.clone(), inner.clone()), 0..4).prop_map(|properties| {
                let required: Vec<_> = properties.iter().step_by(2).map(|(name, _)| name.clone()).collect();
                let properties: serde_json::Map<_, _> = properties.into_iter().collect();
                json!({"type": "object", "properties": properties, "required": required})
            }),
            prop::collection::vec((name.clone(), inner.clone()), 0..3).prop_map(|parts| {
                let parts: serde_json::Map<_, _> = parts.into_iter().collect();
                json!({"$ref": "#/$defs/a", "$defs": parts})
            }),
            parts.clone().prop_map(|parts| json!({"anyOf": parts})),
            parts.clone().prop_map(|parts| json!({"oneOf": parts, "type": "object"})),
            parts.clone().prop_map(|parts| json!({"allOf": parts})),
            parts.prop_map(|parts| json!({"type": "array", "prefixItems": parts})),
            inner.clone().prop_map(|items| json!({"type": ["array", "null"], "items": items})),
            inner.prop_map(|values| json!({"type": "object", "additionalProperties": values, "title": "a b"})),
        ]
    })
}
