//! Tests of hostile documents: each results in tools, reasons or an error in bounded time.

use proptest::prelude::*;

use super::*;

fn reference(name: impl std::fmt::Display) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn with_schemas(schemas: Vec<(String, Value)>) -> Value {
    let body = json!({"content": {"application/json": {"schema": reference("S0")}}});
    let mut document =
        document("https://a.example", &json!({"/x": {"post": {"requestBody": body, "responses": {"200": body}}}}));
    document["components"] = json!({"schemas": schemas.into_iter().collect::<serde_json::Map<_, _>>()});
    document
}

/// `S0` to `S{count}`, each made from the reference to the next.
fn chain(count: usize, make: impl Fn(Value) -> Value) -> Value {
    let mut schemas: Vec<_> =
        (0..count).map(|index| (format!("S{index}"), make(reference(format!("S{}", index + 1))))).collect();
    schemas.push((format!("S{count}"), json!({"type": "string"})));
    with_schemas(schemas)
}

#[tokio::test]
async fn references_that_multiply() -> Outcome {
    for document in [
        chain(60, |next| json!({"properties": {"a": next, "b": next}})),
        chain(60, |next| json!({"anyOf": [next, next]})),
        chain(60, |next| json!({"allOf": [{"oneOf": [next, next]}, {"not": next}]})),
        chain(5_000, |next| next),
        chain(5_000, |next| json!({"allOf": [next]})),
        chain(3_000, |next| json!({"properties": {"x".repeat(50): next}})),
    ] {
        let set = set(&load(&document));
        let schema = set.tools[0].input_schema();
        assert!(schema.to_string().len() < 400 << 10, "{}", schema.to_string().len());
        // A value that does not fit is rejected at once; it is not sent.
        let _ = set.tools[0].check(br#"{"body": 7}"#);
    }
    Ok(())
}

#[test]
fn recursion_in_more_than_one_branch_is_checked_in_one() {
    let item = json!({"properties": {"x": reference("S0")}});
    let branch = json!({"allOf": [item, {"required": ["y"]}]});
    let set = set(&load(&with_schemas(vec![("S0".into(), json!({"anyOf": [branch, branch, branch]}))])));
    let value = (0..60).fold(json!(1), |value, _| json!({"x": value}));
    // Without the limit, validation with three branches at each of sixty levels would never end.
    let _ = set.tools[0].check(json!({"body": value}).to_string().as_bytes());
}

#[test]
fn nesting_has_an_end() {
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        "- ".repeat(100_000),
        (0..3_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect(),
        "a: &a [*a]".into(),
        (1..30).fold("a0: &a0 [x]\n".into(), |text, n| {
            format!("{text}a{n}: &a{n} [{}]\n", format!("*a{},", n - 1).repeat(9))
        }),
        "? ? ? a".repeat(10_000),
        "%TAG ! tag:x\n---\n!!python/object/apply:os.system [ls]".into(),
    ] {
        assert!(OpenApi::from_text(text).tools().is_err());
    }
    // Nesting that is within the limit.
    let mut schema = json!({"type": "string"});
    for _ in 0..50 {
        schema = json!({"items": schema});
    }
    set(&load(&with_schemas(vec![("S0".into(), schema)])));
}

#[test]
fn numbers_of_things_have_an_end() {
    let many: serde_json::Map<String, Value> = (0..5_000).map(|n| (format!("/p{n}"), json!({"get": {}}))).collect();
    let error =
        load(&document("https://a.example", &json!(many))).tools().map(|_| ()).expect_err("too many").to_string();
    assert!(error.contains("more than 3000 operations") && error.contains("include"), "{error}");
    let few = load(&document("https://a.example", &json!(many))).include("/p1*");
    assert_eq!(set(&few).tools.len(), 1111);

    let parameters: Vec<_> = (0..300).map(|n| json!({"name": format!("p{n}"), "in": "query"})).collect();
    let paths = json!({"/a": {"parameters": parameters, "get": {}}, "/b": {"get": {}}});
    let set_ = set(&load(&document("https://a.example", &paths)));
    assert_eq!(set_.skipped[0].reason.to_string(), "it has 300 parameters, the limit is 200");

    let servers: serde_json::Map<String, Value> = (0..150)
        .map(|n| (format!("/p{n}"), json!({"servers": [{"url": format!("https://s{n}.example")}], "get": {}})))
        .collect();
    let set_ = set(&load(&document("https://a.example", &json!(servers))));
    assert_eq!((set_.tools.len(), set_.skipped.len()), (100, 50));

    let long =
        load(&document("https://a.example", &json!(many))).limits(limited(|limits| limits.document_bytes = 1000));
    assert!(long.tools().is_err_and(|error| error.to_string().contains("longer than 1000 bytes")));
}

#[test]
fn large_schemas_are_described_as_far_as_there_is_room() {
    let properties: serde_json::Map<String, Value> =
        (0..3_000).map(|n| (format!("p{n}"), json!({"type": "string", "description": "word ".repeat(500)}))).collect();
    let large = json!({"type": "object", "title": "Large", "properties": properties});
    let set_ = set(&load(&with_schemas(vec![("S0".into(), large)])));
    assert_eq!(set_.tools[0].input_schema()["$defs"]["S0"], json!({"type": "object", "title": "Large"}));

    let values: Vec<_> = (0..100_000).map(|n| json!(format!("value {n}"))).collect();
    let set_ = set(&load(&with_schemas(vec![("S0".into(), json!({"type": "string", "enum": values}))])));
    let schema = &set_.tools[0].input_schema()["$defs"]["S0"];
    assert!(
        schema["description"]
            .as_str()
            .is_some_and(|text| text.starts_with("One of 100000 values, such as \"value 0\""))
    );

    let body = json!({"content": {"application/json": {"schema": reference("S0")}}});
    let paths: serde_json::Map<String, Value> =
        (0..2_000).map(|n| (format!("/p{n}"), json!({"post": {"requestBody": body}}))).collect();
    let mut amplified = chain(2_000, |next| json!({"properties": {"x".repeat(40): next}}));
    amplified["paths"] = json!(paths);
    let error = load(&amplified).limits(limited(|limits| limits.schema_bytes = 1 << 20)).tools().map(|_| ());
    assert!(error.is_err_and(|error| error.to_string().contains("schema_bytes")));
}

/// JSON that mostly looks like OpenAPI and contains arbitrary values in some places.
fn value() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "openapi",
        "paths",
        "/a/{b}",
        "get",
        "post",
        "parameters",
        "name",
        "in",
        "query",
        "path",
        "schema",
        "$ref",
        "type",
        "object",
        "string",
        "properties",
        "items",
        "allOf",
        "anyOf",
        "oneOf",
        "nullable",
        "enum",
        "required",
        "content",
        "application/json",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "responses",
        "200",
        "servers",
        "url",
        "variables",
        "security",
        "components",
        "schemas",
        "securitySchemes",
        "key",
        "encoding",
        "style",
        "explode",
        "header",
        "#/components/schemas/A",
        "#/paths/~1a~1{b}/get",
        "#",
        "#/",
        "https://a.example/{v}",
        "{",
        "format",
        "binary",
        "default",
        "not",
        "pattern",
        "additionalProperties",
        "readOnly",
        "tags",
        "operationId",
        "cookie",
        "deepObject",
        "$defs",
    ]);
    let leaf = prop_oneof![
        4 => word.clone().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i32>().prop_map(Value::from),
        1 => ".{0,8}".prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(6, 80, 6, move |inner| {
        prop_oneof![
            3 => prop::collection::vec((word.clone(), inner.clone()), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())),
            1 => prop::collection::vec(inner, 0..4).prop_map(Value::from),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_operation_is_a_tool_or_has_a_reason(operation in value(), item in value(), components in value(), arguments in value()) {
        let mut document = document("https://a.example", &json!({"/x/{y}": item.clone()}));
        document["components"] = components;
        if let Some(item) = document["paths"]["/x/{y}"].as_object_mut() {
            item.remove("$ref");
            item.insert("get".into(), operation.clone());
            item.insert("post".into(), json!({"requestBody": {"content": {"application/json": {"schema": operation}}}}));
        }
        if let Ok(set) = load(&document).tools() {
            prop_assert!(set.tools.len() + set.skipped.len() >= 1);
            for tool in &set.tools {
                let _ = tool.check(arguments.to_string().as_bytes());
                if let Some(schema) = tool.output_schema() {
                    prop_assert!(jsonschema::validator_for(schema).is_ok(), "{schema}");
                }
            }
        }
    }

    #[test]
    fn any_document_ends(document in value(), text in "[ -~\n]{0,200}") {
        let mut document = document;
        if let Some(fields) = document.as_object_mut() {
            fields.insert("openapi".into(), "3.0.0".into());
        }
        let _ = load(&document).tools();
        let _ = OpenApi::from_text(text.clone()).tools();
        let _ = OpenApi::from_text(format!("openapi: 3.1.0\n{text}")).tools();
    }

    #[test]
    fn what_a_program_passes_stays_data(text in ".{0,40}", style in prop::sample::select(vec!["simple", "label", "matrix"])) {
        let parameter = json!({"name": "id", "in": "path", "style": style, "schema": {}});
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| TestCaseError::fail(error.to_string()))?;
        let target = runtime.block_on(target("/users/{id}/x", parameter, json!(text)));
        if let Ok(target) = target {
            prop_assert!(target.starts_with("/v1/users/") && target.ends_with("/x"), "{target}");
            prop_assert_eq!(target.matches('/').count(), 4);
        }
    }
}

#[test]
fn documents_and_responses_with_too_many_values_are_refused_unread() {
    let many = format!("[{}1]", "1,".repeat(7_500_000));
    for text in [format!("{{\"openapi\": \"3.0.0\", \"x\": {many}}}"), format!("openapi: 3.0.0\nx: {many}\n")] {
        let error = OpenApi::from_text(text).tools().map(|_| ()).expect_err("too much").to_string();
        assert!(error.contains("bytes in the host as single values, and 536870912 are allowed\nhint: "), "{error}");
    }
    let refused = crate::response::decode(Some("application/json"), many.into_bytes(), true).unwrap_err();
    assert!(refused.contains(&format!("{} of ", 128 << 20)) && refused.contains("hint: ask for less"), "{refused}");
    // As a single string it needs little memory.
    let text = format!("\"{}\"", "1,".repeat(7_500_000));
    assert!(crate::response::decode(Some("application/json"), text.into_bytes(), true).is_ok());
}
