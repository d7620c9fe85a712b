//! Tests of error responses, and of misbehaving services.

use std::time::Duration;

use super::*;

async fn fails(head: &'static str, body: &'static str) -> Result<String, Box<dyn std::error::Error>> {
    let server = Server::answering(move |_| answer(head, body)).await?;
    let set = set(&load(&document(&server.url("/v1"), &json!({"/x": {"get": {"security": [{"key": []}]}}}))));
    Ok(call(&set.tools[0], json!({})).await.expect_err("a failure"))
}

#[tokio::test]
async fn an_error_has_the_status_and_the_body() -> Outcome {
    let error = fails("404 Not Found\r\ncontent-type: application/json", r#"{"message": "no such thing"}"#).await?;
    assert!(error.contains(r#"HTTP 404 Not Found: {\"message\":\"no such thing\"}"#), "{error}");
    assert!(fails("503 Busy", "").await?.contains("HTTP 503 Service Unavailable"));
    let error = fails("401 Unauthorized", "who are you?").await?;
    assert!(error.contains("who are you?") && error.contains("hint: the operation needs `key`"), "{error}");
    Ok(())
}

#[tokio::test]
async fn errors_are_values_on_demand() -> Outcome {
    let server = Server::answering(|_| answer("409 Conflict\r\ncontent-type: application/json", "[1]")).await?;
    let responses = json!({"200": {"content": {"text/plain": {}}}});
    let document = document(&server.url(""), &json!({"/x": {"get": {"responses": responses}}}));
    let set = set(&load(&document).errors_as_values(true));
    let value = call(&set.tools[0], json!({})).await?;
    assert_eq!(value, json!({"status": 409, "error": "HTTP 409 Conflict", "body": [1]}));
    let schema = set.tools[0].output_schema().cloned().unwrap_or_default();
    assert!(jsonschema::validator_for(&schema)?.is_valid(&value));
    Ok(())
}

#[tokio::test]
async fn redirects_stay_below_the_base_url() -> Outcome {
    let other = echo().await?;
    let elsewhere = other.url("/v1/caught");
    let server = Server::answering(move |request| match request.path() {
        "/v1/within" => answer("302 Found\r\nlocation: /v1/end", ""),
        "/v1/up" => answer("302 Found\r\nlocation: /admin", ""),
        "/v1/away" => answer(&format!("307 Temporary Redirect\r\nlocation: {elsewhere}"), ""),
        "/v1/loop" => answer("302 Found\r\nlocation: /v1/loop", ""),
        _ => answer("200 OK", "arrived"),
    })
    .await?;
    let paths = json!({"/within": {"get": {}}, "/up": {"get": {}}, "/away": {"post": {}}, "/loop": {"get": {}}});
    let set = set(&load(&document(&server.url("/v1"), &paths)));
    assert_eq!(call(tool(&set, "test.get_within"), json!({})).await?, json!("arrived"));
    for name in ["test.get_up", "test.post_away"] {
        let error = call(tool(&set, name), json!({})).await.expect_err("a refusal");
        assert!(
            error.contains("after a redirect") && error.contains("base URL") && !error.contains("--allow"),
            "{error}"
        );
    }
    assert!(call(tool(&set, "test.get_loop"), json!({})).await.is_err_and(|error| error.contains("redirects")));
    assert_eq!(other.connections(), 0);
    assert!(server.received().iter().all(|request| request.path() != "/admin"));
    Ok(())
}

#[tokio::test]
async fn too_much_and_too_slow_are_errors() -> Outcome {
    let server = Server::answering(|_| answer("200 OK", "x".repeat(2000))).await?;
    let document_ = document(&server.url(""), &json!({"/x": {"get": {}}}));
    let short = set(&load(&document_).limits(limited(|limits| limits.response_bytes = 1000)));
    let error = call(&short.tools[0], json!({})).await.expect_err("an error");
    assert!(error.contains("longer than 1000 bytes"), "{error}");

    let silent = Server::raw(|stream| async move {
        // Until the client closes the connection.
        let mut stream = stream;
        Received::read(&mut stream).await?;
        Received::read(&mut stream).await.map(drop)
    })
    .await?;
    let document_ = document(&silent.url(""), &json!({"/x": {"get": {}}}));
    let slow = set(&load(&document_).limits(limited(|limits| limits.time_per_call = Duration::from_millis(50))));
    let error = call(&slow.tools[0], json!({})).await.expect_err("an error");
    assert!(error.contains("50ms"), "{error}");

    let large = json!({"/x": {"post": {"requestBody": {"content": {"text/plain": {}}}}}});
    let set = set(&load(&document(&server.url(""), &large)).limits(limited(|limits| limits.request_bytes = 10)));
    let error = call(&set.tools[0], json!({"body": "more than ten bytes"})).await.expect_err("an error");
    assert!(error.contains("the limit is 10"), "{error}");
    Ok(())
}

#[tokio::test]
async fn numbers_that_would_lose_digits_are_named_and_others_keep_them() -> Outcome {
    const JSON: &str = "200 OK\r\ncontent-type: application/json";
    let error = fails(JSON, r#"{"list": [1, {"n": 100000000000000000001}]}"#).await?;
    assert!(error.contains("`result.list[1].n` is 100000000000000000001, ") && error.contains("as text"), "{error}");
    let error = fails("404 Not Found\r\ncontent-type: application/json", r#"{"n": 100000000000000000001}"#).await?;
    assert!(error.contains("HTTP 404 Not Found") && error.contains("100000000000000000001"), "{error}");
    let server = Server::answering(|_| answer(JSON, "[18446744073709551615, -9223372036854775808, 1e300]")).await?;
    let set = set(&load(&document(&server.url(""), &json!({"/x": {"get": {}}}))));
    assert_eq!(call(&set.tools[0], json!({})).await?, json!([u64::MAX, i64::MIN, 1e300]));
    Ok(())
}

#[tokio::test]
async fn large_numbers_of_a_document_do_not_make_it_unusable() -> Outcome {
    let server = echo().await?;
    let schema = json!({"type": "integer", "default": "DEFAULT", "enum": ["DEFAULT"], "maximum": "MAXIMUM"});
    let parameters = json!([{"name": "n", "in": "query", "schema": schema}]);
    let paths = json!({"/x": {"get": {"operationId": "go", "parameters": parameters}}});
    let text = document(&server.url(""), &paths).to_string();
    let text = text.replace("\"DEFAULT\"", "100000000000000000001").replace("\"MAXIMUM\"", "1000000000000000000000");
    let set = set(&OpenApi::from_text(text).private_addresses(true));
    let declared = &set.tools[0].input_schema()["properties"]["n"];
    assert_eq!((&declared["default"], &declared["maximum"]), (&json!("100000000000000000001"), &json!(1e21)));
    Ok(())
}
