//! Tests of accepted documents, and of the operations that become tools.

use std::fs;

use super::*;

fn names(set: &ToolSet) -> Vec<&str> {
    set.tools.iter().map(Tool::name).collect()
}

fn refused(text: &str) -> String {
    OpenApi::from_text(text).tools().map(|set| format!("{set:?}")).expect_err(text).to_string()
}

#[test]
fn yaml_is_read_like_json() {
    let text = r#"
openapi: 3.0
info: {title: Café "Menu" API, version: 1.0}
servers:
  - url: https://cafe.example
x-common: &common
  responses:
    200: {description: fine}
paths:
  /dishes/{id}:
    get:
      operationId: getDish
      tags: [on, no, 3]
      summary: Gets a dish.
      description: >-
        All of
        it
      deprecated: true
      <<: *common
    delete: *common
"#;
    let set = set(&OpenApi::from_text(text));
    assert_eq!(names(&set), ["caf_menu_api.get_dish", "caf_menu_api.delete_dishes_id"]);
    let get = &set.tools[0];
    assert_eq!(get.description(), "Gets a dish.\n\nAll of it\n\nDeprecated.");
    assert_eq!(get.tags(), ["on", "no"]);
    assert_eq!((get.hints().read_only, get.hints().destructive), (Some(true), Some(false)));
    let delete = &set.tools[1];
    assert_eq!(delete.description(), "DELETE /dishes/{id}");
    assert_eq!((delete.hints().destructive, delete.hints().idempotent), (Some(true), Some(true)));
    assert_eq!(set.base_urls, ["https://cafe.example"]);
}

#[test]
fn what_is_no_document_is_refused_with_the_remedy() {
    for (text, reason) in [
        (r#"{"swagger": "2.0", "paths": {}}"#, "Swagger 2.0"),
        (r#"{"openapi": "3.2.0", "paths": {}}"#, "OpenAPI 3.2.0, which is not supported"),
        ("openapi: 2.1\n", "OpenAPI 2.1"),
        (r#"{"openapi": "3.01"}"#, "not supported"),
        ("{}", "no field `openapi`"),
        ("<!doctype html><html></html>", "not an OpenAPI document"),
        (r#"{"openapi": "3.0.0", "#, "not JSON"),
        ("a: b: c", "not YAML"),
        (r#"{"openapi": "3.0.0", "paths": {}}"#, "describes no operation"),
        (r#"{"openapi": "3.1.0", "webhooks": {"new": {"post": {}}}}"#, "webhook new: it is sent by the service"),
    ] {
        let error = refused(text);
        assert!(error.contains(reason) && error.contains("hint: "), "{text}: {error}");
    }
}

#[test]
fn names_are_free_of_collisions() {
    let paths = json!({
        "/a": {"get": {"operationId": "list"}, "put": {"operationId": "List"}, "post": {"operationId": "delete"}},
        "/b": {"get": {"operationId": "list"}, "trace": {}},
        "x-internal": {"get": {}}
    });
    let set = set(&load(&document("https://a.example", &paths)).name("My service"));
    assert_eq!(names(&set), ["my_service.list", "my_service.list_2", "my_service.delete_", "my_service.list_3"]);
    assert_eq!(set.skipped.len(), 1);
    assert_eq!(set.skipped[0].what, "TRACE /b");
}

#[test]
fn filters_choose() {
    let paths = json!({
        "/issues": {"get": {"operationId": "listIssues", "tags": ["issues"]}, "post": {"operationId": "createIssue"}},
        "/issues/{id}": {"get": {"operationId": "getIssue"}, "delete": {"operationId": "deleteIssue"}},
        "/users": {"get": {"operationId": "listUsers", "tags": ["people"]}}
    });
    let all = load(&document("https://a.example", &paths));
    for (include, exclude, expected) in [
        (vec!["list_*"], vec![], "list_issues list_users"),
        (vec!["getIssue"], vec![], "get_issue"),
        (vec!["people", "issues"], vec![], "list_issues list_users"),
        (vec!["/issues/*"], vec!["DELETE *"], "get_issue"),
        (vec!["GET /issues*"], vec![], "list_issues get_issue"),
        (vec!["/issues/{id}"], vec![], "get_issue delete_issue"),
        (vec![], vec!["*issue*"], "list_users"),
    ] {
        let filtered = include.iter().fold(all.clone(), |document, pattern| document.include(pattern));
        let filtered = exclude.iter().fold(filtered, |document, pattern| document.exclude(pattern));
        let set = set(&filtered);
        let found: Vec<_> = names(&set).iter().filter_map(|name| name.strip_prefix("test.")).collect();
        assert_eq!(found.join(" "), expected);
        assert_eq!(set.tools.len() + set.skipped.len(), 5);
    }
    let error = all.include("nothing").tools().map(|set| format!("{set:?}")).expect_err("no tool").to_string();
    assert!(error.contains("not included"), "{error}");
}

#[test]
fn one_bad_operation_does_not_cost_the_others() {
    let paths = json!({
        "/a": {"get": {"parameters": [{"$ref": "#/components/parameters/none"}]}},
        "/b": {"get": {"parameters": [{"$ref": "https://other.example/p.json"}]}},
        "/c": {"get": {"requestBody": {"$ref": "#/paths/~1c/get/requestBody"}}},
        "/d": {"get": {"parameters": [{"in": "query"}]}},
        "/e": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "other.json#/X"}}}}}},
        "/f": {"$ref": "#/nowhere"},
        "/g": {"get": {"parameters": 7, "responses": [], "tags": {}, "summary": [], "security": "x", "servers": {}}},
        "/h": {"get": 5},
        "/i": 6,
        "j": {"get": {}},
        "x-k": {"get": {}}
    });
    let set = set(&load(&document("https://a.example", &paths)));
    assert_eq!(names(&set), ["test.get_g"]);
    let skipped: Vec<_> = set.skipped.iter().map(|skipped| (&*skipped.what, skipped.reason.to_string())).collect();
    let reasons: Vec<_> = skipped.iter().map(|(what, reason)| (*what, reason.as_str())).collect();
    let outside = "which is outside of the document; only files beside a document that is itself a file are read";
    assert_eq!(
        reasons,
        [
            ("GET /a", "it refers to `#/components/parameters/none`, which is not in the document"),
            ("GET /b", &format!("it refers to `https://other.example/p.json`, {outside}")),
            ("GET /c", "a reference leads to another one without end"),
            ("GET /d", "it has a parameter without a name, or in a place that OpenAPI does not know"),
            ("POST /e", &format!("it refers to `other.json#/X`, {outside}")),
            ("/f", "it refers to `#/nowhere`, which is not in the document"),
            ("GET j", "its path does not begin with `/`"),
        ]
    );
}

#[test]
fn files_beside_a_document_belong_to_it() -> Outcome {
    let folder = tempfile::tempdir()?;
    let inside = folder.path().join("api");
    fs::create_dir_all(inside.join("schemas"))?;
    fs::write(folder.path().join("secret.yaml"), "Secret: {type: string}")?;
    std::os::unix::fs::symlink("../secret.yaml", inside.join("link.yaml"))?;
    fs::write(
        inside.join("schemas/pet.yaml"),
        "Pet: {type: object, properties: {owner: {$ref: 'person.json'}, self: {$ref: '#/Pet'}, id: {$ref: ../main.yaml#/components/schemas/Id}}}",
    )?;
    fs::write(inside.join("schemas/person.json"), r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#)?;
    fs::write(
        inside.join("paths.yaml"),
        "pets: {post: {operationId: addPet, requestBody: {content: {application/json: {schema: {$ref: 'schemas/pet.yaml#/Pet'}}}}}}",
    )?;
    let wrong = |target: &str| format!("{{parameters: [{{name: q, in: query, schema: {{$ref: '{target}'}}}}]}}");
    let main = inside.join("main.yaml");
    fs::write(
        &main,
        format!(
            "openapi: 3.1.0\nservers: [{{url: https://a.example}}]\ncomponents: {{schemas: {{Id: {{type: integer}}}}}}\npaths:\n  \
             /pets: {{$ref: paths.yaml#/pets}}\n  /up: {{get: {}}}\n  /link: {{get: {}}}\n  /none: {{get: {}}}\n  /abs: {{get: {}}}\n",
            wrong("../secret.yaml#/Secret"),
            wrong("link.yaml#/Secret"),
            wrong("none.yaml#/X"),
            wrong("/etc/passwd"),
        ),
    )?;
    let set = set(&OpenApi::from_file(&main));
    assert_eq!(names(&set), ["main.add_pet"]);
    assert_eq!(
        set.tools[0].input_schema()["$defs"],
        json!({
            "Pet": {"type": "object", "properties": {
                "owner": {"$ref": "#/$defs/person_4"}, "self": {"$ref": "#/$defs/Pet"}, "id": {"$ref": "#/$defs/Id"}
            }},
            "person_4": {"type": "object", "properties": {"name": {"type": "string"}}},
            "Id": {"type": "integer"}
        })
    );
    let reasons: Vec<_> = set.skipped.iter().map(|skipped| skipped.reason.to_string()).collect();
    for (reason, expected) in reasons.iter().zip([
        "outside of the document's directory",
        "a link out of",
        "cannot be read",
        "outside of the document",
    ]) {
        assert!(reason.contains(expected), "{reason}");
    }
    assert_eq!(reasons.len(), 4);
    Ok(())
}
