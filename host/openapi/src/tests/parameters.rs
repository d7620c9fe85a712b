//! Tests of every style in actual requests. The values are those of the table in the specification.

use super::*;

fn parameter(location: &str, style: &str, explode: bool) -> Value {
    let name = if location == "header" { "x-value" } else { "color" };
    json!({"name": name, "in": location, "style": style, "explode": explode, "schema": {}})
}

#[tokio::test]
async fn styles_of_paths() -> Outcome {
    let array = json!(["blue", "black"]);
    let object = json!({"R": 100, "G": 200});
    for (style, explode, value, expected) in [
        ("simple", false, json!("blue"), "/v1/blue"),
        ("simple", false, array.clone(), "/v1/blue,black"),
        ("simple", false, object.clone(), "/v1/R,100,G,200"),
        ("simple", true, object.clone(), "/v1/R=100,G=200"),
        ("label", false, json!("blue"), "/v1/.blue"),
        ("label", false, array.clone(), "/v1/.blue,black"),
        ("label", true, array.clone(), "/v1/.blue.black"),
        ("label", true, object.clone(), "/v1/.R=100.G=200"),
        ("matrix", false, json!("blue"), "/v1/;color=blue"),
        ("matrix", false, array.clone(), "/v1/;color=blue,black"),
        ("matrix", true, array.clone(), "/v1/;color=blue;color=black"),
        ("matrix", false, object.clone(), "/v1/;color=R,100,G,200"),
        ("matrix", true, object.clone(), "/v1/;R=100;G=200"),
        // Characters with a meaning in URLs are encoded.
        ("simple", false, json!("a/b?c#d%e f"), "/v1/a%2Fb%3Fc%23d%25e%20f"),
        ("simple", false, json!(7.5), "/v1/7.5"),
        ("simple", false, json!("ü"), "/v1/%C3%BC"),
    ] {
        assert_eq!(target("/{color}", parameter("path", style, explode), value).await?, expected, "{style} {explode}");
    }
    Ok(())
}

#[tokio::test]
async fn styles_of_queries() -> Outcome {
    let array = json!(["blue", "black"]);
    let object = json!({"R": 100, "G": 200});
    for (style, explode, value, expected) in [
        ("form", true, json!("blue"), "?color=blue"),
        ("form", true, array.clone(), "?color=blue&color=black"),
        ("form", false, array.clone(), "?color=blue,black"),
        ("form", true, object.clone(), "?R=100&G=200"),
        ("form", false, object.clone(), "?color=R,100,G,200"),
        ("spaceDelimited", false, array.clone(), "?color=blue%20black"),
        ("pipeDelimited", false, array.clone(), "?color=blue%7Cblack"),
        ("deepObject", true, object.clone(), "?color[R]=100&color[G]=200"),
        ("deepObject", true, json!({"a": {"b": [1, 2]}}), "?color[a][b][0]=1&color[a][b][1]=2"),
        ("form", true, json!([]), ""),
        ("form", true, json!(""), "?color="),
        ("form", true, json!(true), "?color=true"),
        ("form", true, json!("a&b=c d+e"), "?color=a%26b%3Dc%20d%2Be"),
        // A style that does not exist at this location is ignored.
        ("matrix", true, json!("blue"), "?color=blue"),
    ] {
        let expected = format!("/v1/x{expected}");
        assert_eq!(target("/x", parameter("query", style, explode), value).await?, expected, "{style} {explode}");
    }
    let reserved = json!({"name": "q", "in": "query", "allowReserved": true, "schema": {}});
    assert_eq!(target("/x", reserved, json!("a/b:c?d#e&f")).await?, "/v1/x?q=a/b:c?d%23e%26f");
    let content = json!({"name": "q", "in": "query", "content": {"application/json": {"schema": {}}}});
    assert_eq!(target("/x", content, json!({"a": [1]})).await?, "/v1/x?q=%7B%22a%22%3A%5B1%5D%7D");
    // A query in the path template is kept.
    assert_eq!(target("/x?v=2#y", parameter("query", "form", true), json!("b")).await?, "/v1/x?v=2&color=b");
    Ok(())
}

#[tokio::test]
async fn styles_of_headers_and_cookies() -> Outcome {
    for (location, explode, value, expected) in [
        ("header", false, json!(["a b", "c"]), "a b,c"),
        ("header", true, json!({"R": 1}), "R=1"),
        ("cookie", true, json!("a;b"), "color=a%3Bb"),
        ("cookie", false, json!(["a", "b"]), "color=a,b"),
    ] {
        let style = if location == "header" { "simple" } else { "form" };
        assert_eq!(target("/x", parameter(location, style, explode), value).await?, expected);
    }
    let injected = target("/x", parameter("header", "simple", false), json!("a\r\nx-evil: 1")).await;
    assert!(injected.is_err_and(|error| error.to_string().contains("line break")));
    Ok(())
}

#[tokio::test]
async fn arguments_stay_in_their_segment() -> Outcome {
    for value in [".", "..", "../admin", "..%2fadmin", "a/../../admin", "..\\x", "%2e%2e", "..;x", ""] {
        let result = target("/users/{id}/x", json!({"name": "id", "in": "path", "schema": {}}), json!(value)).await;
        assert!(result.is_err_and(|error| error.to_string().contains("path")), "{value}");
    }
    let dots = target("/users/{id}", json!({"name": "id", "in": "path", "schema": {}}), json!("a..b.c")).await?;
    assert_eq!(dots, "/v1/users/a..b.c");
    for name in [
        "レオナルド・ダ・ヴィンチ",
        "А.С.Пушкин",
        "报告.最终.文档",
        "Отчёт.Итог.док",
        "col·lecció",
        " ",
        "v1.2",
        "a..b",
        "..b",
        "...",
        "100%",
    ] {
        let sent = target("/users/{id}", json!({"name": "id", "in": "path", "schema": {}}), json!(name)).await?;
        let segment = sent.strip_prefix("/v1/users/").unwrap_or_default();
        assert_eq!(percent_encoding::percent_decode_str(segment).decode_utf8_lossy(), name);
    }
    for name in ["%c0%ae%c0%ae", "%u002e%u002e", "．．", "..／x", "..?", "..#", "я/..", ".\u{200b}."] {
        let result = target("/users/{id}", json!({"name": "id", "in": "path", "schema": {}}), json!(name)).await;
        assert!(result.is_err_and(|error| error.to_string().contains("path")), "{name}");
    }
    Ok(())
}

#[tokio::test]
async fn the_operation_wins_over_its_path() -> Outcome {
    let server = echo().await?;
    let paths = json!({"/{id}/{undescribed}": {
        "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "page", "in": "query", "schema": {"type": "string"}}
        ],
        "get": {"operationId": "get", "responses": {}, "parameters": [
            {"name": "page", "in": "query", "description": "Which page", "required": true, "schema": {"type": "integer"}},
            {"name": "id", "in": "query", "schema": {"type": "boolean"}},
            {"name": "body", "in": "query", "schema": {}},
            {"name": "from", "in": "query", "schema": {}},
            {"name": "filter[name]", "in": "query", "schema": {}},
            {"name": "Authorization", "in": "header", "schema": {}}
        ]}
    }});
    let set = set(&load(&document(&server.url(""), &paths)));
    let tool = tool(&set, "test.get");
    assert_eq!(
        *tool.input_schema(),
        json!({
            "type": "object",
            "properties": {
                "undescribed": {"type": ["string", "number"]},
                "id": {"type": "string"},
                "page": {"type": "integer", "description": "Which page"},
                "query_id": {"type": "boolean", "description": "Sent as `id`."},
                "query_body": {"description": "Sent as `body`."},
                "from_": {"description": "Sent as `from`."},
                "filter_name": {"description": "Sent as `filter[name]`."}
            },
            "additionalProperties": false,
            "required": ["undescribed", "id", "page"]
        })
    );
    let arguments = json!({"undescribed": 1, "id": "a", "page": 2, "query_id": true, "query_body": "b", "from_": "c", "filter_name": "d"});
    call(tool, arguments).await?;
    assert_eq!(only(&server).path(), "/a/1?page=2&id=true&body=b&from=c&filter%5Bname%5D=d");
    let missing = call(tool, json!({"id": "a", "page": 2})).await;
    assert!(missing.is_err_and(|error| error.contains("undescribed")));
    Ok(())
}
