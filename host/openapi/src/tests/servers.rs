//! Tests of the servers that requests are sent to.

use super::*;

fn with_servers(root: Value, item: Value, operation: Value) -> Value {
    let mut document =
        document("", &json!({"/x": {"servers": item, "get": {"servers": operation}}, "/y": {"get": {}}}));
    document["servers"] = root;
    document
}

#[test]
fn the_nearest_server_wins() {
    let document = with_servers(
        json!([{"url": "https://{region}.Example.com/{version}/", "variables": {
            "region": {"default": "eu", "enum": ["eu", "us"]}, "version": {"default": 2}
        }}, {"url": "https://second.example.com"}]),
        json!([{"url": "https://item.example.com"}]),
        json!([{"url": "https://operation.example.com/"}]),
    );
    assert_eq!(set(&load(&document)).base_urls, ["https://operation.example.com", "https://eu.example.com/2"]);
    assert_eq!(set(&load(&document).server_variable("region", "us")).base_urls[1], "https://us.example.com/2");
    let refused = set(&load(&document).server_variable("region", "mars"));
    assert!(refused.skipped[0].reason.to_string().contains("may be eu, us"), "{:?}", refused.skipped);
    let pinned = load(&document).base_url("https://pinned.example.com/v9/").map(|document| set(&document).base_urls);
    assert_eq!(pinned.unwrap_or_default(), ["https://pinned.example.com/v9"]);
}

#[test]
fn the_same_place_is_named_once() {
    let document =
        with_servers(json!([{"url": "https://a.example"}]), json!([{"url": "HTTPS://A.example:443/"}]), json!([]));
    assert_eq!(set(&load(&document)).base_urls, ["https://a.example"]);
}

#[test]
fn forbidden_servers_of_documents() {
    for (url, private, reason) in [
        ("http://127.0.0.1:8080", false, "not a public address"),
        ("http://localhost", false, "not a public address"),
        ("http://[::1]/", false, "not a public address"),
        ("http://10.0.0.1", false, "not a public address"),
        ("http://2130706433/", false, "not a public address"),
        ("http://169.254.169.254/latest", true, "no place for a service"),
        ("http://0.0.0.0", true, "no place for a service"),
        ("ftp://example.com", true, "not http"),
        ("/v1", true, "relative"),
        ("https://user:pw@example.com", true, "password"),
        ("https://{host}/", true, "without a value"),
        ("https://", true, "not a URL"),
        ("https://example.com//v1", true, "cannot be used"),
    ] {
        let document = document(url, &json!({"/x": {"get": {}}}));
        let result = OpenApi::from_text(document.to_string()).private_addresses(private).tools();
        let error = result.map(|set| format!("{set:?}")).expect_err(url).to_string();
        assert!(error.contains(reason) && error.contains("GET /x"), "{url}: {error}");
    }
}

#[tokio::test]
async fn names_that_lead_to_private_addresses_are_not_reached() -> Outcome {
    // The machine's hosts file resolves this name, without a name server.
    let server = echo().await?;
    let document = document("http://localhost", &json!({"/x": {"get": {}}}));
    let loaded = load(&document).base_url(&format!("http://localhost:{}", server.port()))?;
    call(&set(&loaded).tools[0], json!({})).await?;
    assert_eq!(server.connections(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_at_a_url_is_fetched_and_relative_to_it() -> Outcome {
    let described = document("../v2", &json!({"/x": {"get": {"operationId": "go"}}}));
    let yaml = "openapi: 3.1.0\ninfo: {title: Y}\npaths: {/x: {get: {operationId: on}}}\n";
    let server = Server::answering(move |request| match request.path() {
        "/docs/openapi.json" => answer("200 OK", described.to_string()),
        "/openapi.yaml" => answer("200 OK", yaml),
        "/moved" => answer("302 Found\r\nlocation: /docs/openapi.json", ""),
        "/v2/x" | "/x" => answer("200 OK", request.path()),
        "/endless" => answer("200 OK", " ".repeat(1 << 20)),
        _ => answer("404 Not Found", ""),
    })
    .await?;
    // The address of the document's own URL was named by the embedder.
    for path in ["/docs/openapi.json", "/moved"] {
        let set = set(&OpenApi::load(&server.url(path))?);
        assert_eq!(set.base_urls, [server.url("/v2")]);
        assert_eq!(call(tool(&set, "test.go"), json!({})).await?, json!("/v2/x"));
    }
    let set = set(&OpenApi::load(&server.url("/openapi.yaml"))?);
    assert_eq!(call(tool(&set, "y.on"), json!({})).await?, json!("/x"));

    let error = |loading: OpenApi| loading.tools().map(|set| format!("{set:?}")).expect_err("an error").to_string();
    assert!(error(OpenApi::load(&server.url("/none"))?).contains("HTTP 404"));
    let short = OpenApi::load(&server.url("/endless"))?.limits(limited(|limits| limits.document_bytes = 1000));
    assert!(error(short).contains("longer than 1000 bytes"));
    assert!(OpenApi::load("https://user:pw@example.com/x").is_err());
    assert!(OpenApi::from_url("file:///etc/passwd").is_err());
    Ok(())
}
