//! Tests of the conversion of schemas.

use super::*;

/// The schema of `body` and the definitions, for an OpenAPI schema.
fn converted(version: &str, schema: Value, schemas: Value) -> Value {
    let mut document = document(
        "https://a.example",
        &json!({"/x": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}}),
    );
    document["openapi"] = version.into();
    document["components"] = json!({"schemas": schemas});
    let set = set(&load(&document));
    let input = set.tools[0].input_schema();
    match input.get("$defs") {
        Some(definitions) => json!([input["properties"]["body"], definitions]),
        None => input["properties"]["body"].clone(),
    }
}

#[test]
fn the_dialect_of_3_0_is_translated() {
    for (schema, expected) in [
        (json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"]})),
        (
            json!({"type": "string", "nullable": true, "enum": ["a"]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            json!({"nullable": true, "description": "d", "allOf": [{"$ref": "#/components/schemas/A"}]}),
            json!([{"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}], "description": "d"}, {"A": {"type": "integer"}}]),
        ),
        (
            json!({"type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false}),
            json!({"type": "number", "exclusiveMinimum": 1, "maximum": 2}),
        ),
        (
            json!({"$ref": "#/components/schemas/A", "description": "an A", "type": "string"}),
            json!([{"$ref": "#/$defs/A", "description": "an A"}, {"A": {"type": "integer"}}]),
        ),
        (json!({"type": "string", "example": "x", "xml": {}, "x-y": 1}), json!({"type": "string", "examples": ["x"]})),
    ] {
        assert_eq!(converted("3.0.3", schema, json!({"A": {"type": "integer"}})), expected);
    }
}

#[test]
fn json_schema_of_3_1_passes() {
    let schema = json!({
        "type": ["object", "null"],
        "properties": {"n": {"exclusiveMinimum": 0, "const": 1}, "any": true, "tuple": {"prefixItems": [{}, false]}},
        "patternProperties": {"^x": {"$ref": "#/components/schemas/A", "maxLength": 3}},
        "unevaluatedProperties": false,
        "if": {"required": ["n"]}, "then": {"minProperties": 2}
    });
    let mut expected = schema.clone();
    expected["patternProperties"]["^x"]["$ref"] = "#/$defs/A".into();
    expected["properties"]["any"] = json!({});
    assert_eq!(
        converted("3.1.0", schema, json!({"A": {"type": "string"}})),
        json!([expected, {"A": {"type": "string"}}])
    );
}

#[test]
fn what_a_document_gets_wrong_is_left_out() {
    let schema = json!({
        "type": "any", "minLength": -1, "maximum": "5", "required": true, "enum": {}, "pattern": "(", "items": [{}],
        "properties": {"a": {"type": ["string", "date"], "required": ["x", 1], "multipleOf": 0}, "b": 5, "c": null},
        "allOf": {}, "anyOf": [], "$schema": "x", "$id": "y", "$dynamicRef": "#z", "discriminator": {}
    });
    let expected = json!({"properties": {"a": {"type": ["string"], "required": ["x"]}, "b": {}, "c": {}}});
    assert_eq!(converted("3.0.0", schema, json!({})), expected);
}

#[test]
fn what_goes_only_one_way_is_not_shown_the_other_way() {
    let thing = json!({"type": "object", "required": ["id", "secret", "name"], "properties": {
        "id": {"type": "integer", "readOnly": true}, "secret": {"type": "string", "writeOnly": true}, "name": {}
    }});
    let mut document = document(
        "https://a.example",
        &json!({"/x": {"post": {
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/T"}}}},
            "responses": {"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/T"}}}}}
        }}}),
    );
    document["components"]["schemas"]["T"] = thing;
    let set = set(&load(&document));
    let keys = |schema: &Value| {
        let schema = &schema["$defs"]["T"];
        (
            schema["properties"].as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>()),
            schema["required"].clone(),
        )
    };
    let names = |names: [&str; 2]| (Some(names.map(str::to_owned).to_vec()), json!(names));
    assert_eq!(keys(set.tools[0].input_schema()).0, names(["secret", "name"]).0);
    assert_eq!(keys(set.tools[0].input_schema()).1, json!(["secret", "name"]));
    assert_eq!(set.tools[0].output_schema().map(keys), Some(names(["id", "name"])));
}

#[test]
fn results_are_described_by_their_media_types() {
    for (responses, expected) in [
        (json!({}), None),
        (json!({"204": {}}), Some(json!({"type": "null"}))),
        (json!({"200": {"content": {"text/csv": {}}}}), Some(json!({"type": "string"}))),
        (json!({"200": {"content": {"application/json": {}}}}), None),
        (
            json!({"default": {"content": {"application/json": {"schema": {"type": "integer"}}}}}),
            Some(json!({"type": "integer"})),
        ),
        (
            json!({"200": {"content": {"application/json": {"schema": {"type": "integer"}}}}, "202": {}, "400": {"content": {"text/plain": {}}}}),
            Some(json!({"anyOf": [{"type": "integer"}, {"type": "null"}]})),
        ),
    ] {
        let set = set(&load(&document("https://a.example", &json!({"/x": {"get": {"responses": responses}}}))));
        assert_eq!(set.tools[0].output_schema().cloned(), expected);
    }
}

#[test]
fn definitions_may_refer_to_one_another_but_not_in_circles() {
    let schemas = json!({
        "Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
        "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}], "description": "A pet"},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"tree": {"$ref": "#/components/schemas/Tree"}}}]},
        "Alias": {"$ref": "#/components/schemas/Alias"}
    });
    let schema = json!({"properties": {"pet": {"$ref": "#/components/schemas/Pet"}, "a": {"$ref": "#/components/schemas/Alias"}}});
    let result = converted("3.0.0", schema, schemas);
    assert_eq!(result[1]["Tree"]["properties"]["children"]["items"], json!({"$ref": "#/$defs/Tree"}));
    assert_eq!(result[1]["Pet"]["oneOf"], json!([{"$ref": "#/$defs/Cat"}]));
    assert_eq!(result[1]["Cat"]["allOf"][0], json!({}));
    assert_eq!(result[1]["Alias"], json!({}));
}
