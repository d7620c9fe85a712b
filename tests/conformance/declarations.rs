//! Declarations of tools can be parsed by the guests' own parsers, for any schema.

use isolette::{Language, RunOptions, Tool, catalog::Catalog};
use isolette_tests::{Case, scenario};
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Map, Value, json};

const TOOLS: usize = 300;

#[scenario]
fn tool_declarations_can_be_parsed(case: &Case) {
    let tools = tools();
    assert!(tools.len() > TOOLS / 2, "most schemas are schemas: {}", tools.len());
    let catalog = Catalog::new(tools);
    let texts: Vec<String> = {
        let language = case.pick(Language::Python, Language::TypeScript);
        let single = catalog.tools().iter().map(|tool| Catalog::new(vec![tool.clone()]).declarations(language));
        single.chain([catalog.declarations(language)]).collect()
    };
    match case.language {
        Language::Python => {
            let program = "import ast\nfor text in texts:\n    ast.parse(text)\nlen(texts)";
            let result = case.sandbox().run_with(program, RunOptions::new().variable("texts", texts.clone())).unwrap();
            assert_eq!(result.value, Some(json!(texts.len())), "{:?}", result.error);
        }
        _ => {
            let sandbox = case.builder().language(Language::TypeScript).build().unwrap();
            let mut session = sandbox.session().unwrap();
            for text in texts {
                let result = session.run(&text).unwrap();
                assert!(result.success(), "{}\n{text}", result.error.unwrap().traceback);
            }
        }
    }
}

/// Tools with schemas of every kind. They are the same in each test run.
fn tools() -> Vec<Tool> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = (schema(), schema(), name(), ".{0,40}");
    let tool = |number: usize| {
        let (parameter, output, name, description) = strategy.new_tree(&mut runner).unwrap().current();
        let input = json!({"type": "object", "properties": {name: parameter, "plain": {"type": "integer"}}, "required": ["plain"]});
        let name = format!("{}tool_{number}", ["", "a.", "a.b.", "not-a-path "][number % 4]);
        let tool = Tool::from_schema(&name, &description, input, Ok::<Value, String>).ok()?;
        Some(tool.with_output_schema(output))
    };
    (0..TOOLS).filter_map(tool).collect()
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,6}",
        Just("class".to_owned()),
        Just("from".to_owned()),
        ".{0,5}",
        Just("\"'\\*/\"\"\"".to_owned())
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let kind = prop_oneof!["string", "integer", "number", "boolean", "null", "object", "array"];
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        kind.prop_map(|kind| json!({"type": kind})),
        prop::collection::vec(".{0,6}", 1..4).prop_map(|values| json!({"enum": values})),
        ".{0,30}".prop_map(|text| json!({"const": text, "description": text, "default": text, "title": text})),
        (any::<i64>(), any::<f64>()).prop_map(|(whole, part)| json!({"enum": [whole, part, null, true, {"a": []}]})),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        let parts = || prop::collection::vec(inner.clone(), 1..4);
        let named = || {
            prop::collection::vec((name(), inner.clone()), 0..4)
                .prop_map(|parts| parts.into_iter().collect::<Map<_, _>>())
        };
        prop_oneof![
            (named(), ".{0,20}").prop_map(|(properties, title)| {
                let required: Vec<_> = properties.keys().step_by(2).cloned().collect();
                json!({"type": "object", "title": title, "properties": properties, "required": required})
            }),
            named().prop_map(|properties| json!({"properties": properties, "additionalProperties": true})),
            parts().prop_map(|parts| json!({"anyOf": parts})),
            parts().prop_map(|parts| json!({"oneOf": parts, "type": "object"})),
            parts().prop_map(|parts| json!({"allOf": parts})),
            parts().prop_map(|parts| json!({"type": "array", "prefixItems": parts, "items": false})),
            inner.clone().prop_map(|items| json!({"type": ["array", "null"], "items": items})),
            inner.clone().prop_map(|values| json!({"type": "object", "additionalProperties": values})),
        ]
    })
}
