//! Tests that secrets are only sent to the servers that they are for.

use super::*;

const KEY: &str = "s3cret-value";

fn secured(server: &str, scheme: Value) -> Value {
    let mut document = document(
        server,
        &json!({"/x": {"get": {"security": [{"key": []}], "parameters": [
            {"name": "api_key", "in": "query", "schema": {}},
            {"name": "X-Key", "in": "header", "required": true, "schema": {}},
            {"name": "page", "in": "query", "schema": {}}
        ]}}, "/open": {"get": {"security": []}}}),
    );
    document["components"] = json!({"securitySchemes": {"key": scheme}});
    document
}

#[tokio::test]
async fn every_scheme_is_filled() -> Outcome {
    for (scheme, secret, place, expected) in [
        (json!({"type": "apiKey", "in": "header", "name": "X-Key"}), KEY, "x-key", KEY),
        (json!({"type": "apiKey", "in": "cookie", "name": "sid"}), KEY, "cookie", "sid=s3cret-value"),
        (json!({"type": "http", "scheme": "Bearer"}), KEY, "authorization", "Bearer s3cret-value"),
        (json!({"type": "http", "scheme": "basic"}), "user:pass word", "authorization", "Basic dXNlcjpwYXNzIHdvcmQ="),
        (json!({"type": "http", "scheme": "Token"}), KEY, "authorization", "Token s3cret-value"),
        (json!({"type": "oauth2", "flows": {}}), KEY, "authorization", "Bearer s3cret-value"),
        (json!({"type": "openIdConnect"}), KEY, "authorization", "Bearer s3cret-value"),
    ] {
        let server = echo().await?;
        let set = set(&load(&secured(&server.url(""), scheme.clone())).secret("key", secret));
        let arguments = match place {
            "x-key" => json!({"api_key": "mine"}),
            _ => json!({"X_Key": "mine"}),
        };
        call(tool(&set, "test.get_x"), arguments).await?;
        call(tool(&set, "test.get_open"), json!({})).await?;
        let requests = server.received();
        assert_eq!(requests[0].header(place), Some(expected), "{scheme}");
        assert_ne!(requests[1].header(place), Some(expected), "{scheme}: it was sent unasked");
    }
    let server = echo().await?;
    let document = secured(&server.url(""), json!({"type": "apiKey", "in": "query", "name": "api_key"}));
    let set = set(&load(&document).secret("key", "a&b"));
    // The host sets the parameter.
    let tool = tool(&set, "test.get_x");
    assert_eq!(tool.input_schema()["properties"].as_object().map(serde_json::Map::len), Some(2));
    call(tool, json!({"X_Key": "", "page": 1})).await?;
    assert_eq!(only(&server).path(), "/x?page=1&api_key=a%26b");
    Ok(())
}

#[tokio::test]
async fn an_echo_of_a_secret_is_not_passed_on() -> Outcome {
    let server = echo().await?;
    let document = secured(&server.url(""), json!({"type": "http", "scheme": "basic"}));
    let loading = load(&document).secret("key", "someone:pass-word").header("X-Token", "t0ken-value");
    let set = set(&loading);
    let text = call(tool(&set, "test.get_x"), json!({"X_Key": "k"})).await?.to_string();
    assert!(text.contains("[redacted]"), "{text}");
    for secret in ["pass-word", "c29tZW9uZTpwYXNzLXdvcmQ", "t0ken-value"] {
        assert!(!text.contains(secret), "{text}");
    }
    let shown = format!("{loading:?} {set:?}");
    assert!(!shown.contains("pass-word") && !shown.contains("t0ken-value"), "{shown}");

    let angry = Server::answering(|request| {
        answer("403 Forbidden", format!("no to {}", request.header("x-key").unwrap_or_default()))
    })
    .await?;
    let document = secured(&angry.url(""), json!({"type": "apiKey", "in": "header", "name": "X-Key"}));
    let set = super::set(&load(&document).secret("key", KEY));
    let error = call(tool(&set, "test.get_x"), json!({})).await.expect_err("an error");
    assert!(error.contains("no to [redacted]"), "{error}");
    Ok(())
}

#[tokio::test]
async fn a_redirect_elsewhere_gets_nothing() -> Outcome {
    let other = echo().await?;
    let elsewhere = other.url("/x");
    let server = Server::answering(move |_| answer(&format!("307 T\r\nlocation: {elsewhere}"), "")).await?;
    let document = secured(&server.url(""), json!({"type": "apiKey", "in": "header", "name": "X-Key"}));
    let set = set(&load(&document).secret("key", KEY));
    let error = call(tool(&set, "test.get_x"), json!({})).await.expect_err("a refusal");
    assert!(error.contains("after a redirect") && !error.contains(KEY), "{error}");
    assert_eq!((other.connections(), server.connections()), (0, 1));
    Ok(())
}

#[test]
fn secrets_do_not_travel_in_the_open() {
    let document = secured("http://api.example.com", json!({"type": "apiKey", "in": "header", "name": "X-Key"}));
    let set = set(&load(&document).secret("key", KEY));
    assert_eq!(set.tools.len(), 1);
    assert!(set.skipped[0].reason.to_string().contains("not https"), "{:?}", set.skipped);
    assert!(load(&document).header("X-Any", KEY).tools().is_err());
}

#[test]
fn secrets_are_for_schemes_that_exist() {
    let wrong = |scheme: Value, name: &str, secret: &str| match load(&secured("https://a.example", scheme))
        .secret(name, secret)
        .tools()
    {
        Err(error) => error.to_string(),
        Ok(set) => panic!("{set:?}"),
    };
    let basic = json!({"type": "http", "scheme": "basic"});
    assert!(wrong(basic.clone(), "token", KEY).contains("it has `key`"));
    let error = wrong(basic, "key", KEY);
    assert!(error.contains("user:password") && !error.contains(KEY));
    assert!(wrong(json!({"type": "mutualTLS"}), "key", KEY).contains("not supported"));
    assert!(wrong(json!({"type": "http", "scheme": "digest"}), "key", KEY).contains("not supported"));
}
