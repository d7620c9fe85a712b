//! Tests of encoded bodies and of responses.

use super::*;

async fn send(content: Value, body: Value) -> Result<Received, Box<dyn std::error::Error>> {
    let server = echo().await?;
    let operation = json!({"operationId": "go", "requestBody": {"content": content}, "responses": {}});
    let set = set(&load(&document(&server.url(""), &json!({"/x": {"post": operation}}))));
    call(&set.tools[0], json!({"body": body})).await?;
    Ok(only(&server))
}

fn text(request: &Received) -> String {
    String::from_utf8_lossy(&request.body).into_owned()
}

#[tokio::test]
async fn json_is_preferred_and_sent_as_it_is() -> Outcome {
    let schema = json!({"schema": {"type": "object", "properties": {"n": {"type": "integer"}}}});
    let content = json!({"multipart/form-data": schema, "application/json;version=2": schema, "text/plain": {}});
    let request = send(content, json!({"n": 1, "ü": [null]})).await?;
    assert_eq!(request.header("content-type"), Some("application/json;version=2"));
    assert_eq!(text(&request), r#"{"n":1,"ü":[null]}"#);
    Ok(())
}

#[tokio::test]
async fn forms_are_encoded() -> Outcome {
    let content = json!({"application/x-www-form-urlencoded": {
        "schema": {"type": "object"},
        "encoding": {"deep": {"style": "deepObject", "explode": true}, "joined": {"style": "form", "explode": false}}
    }});
    let body = json!({"a": "x &", "list": [1, 2], "object": {"k": 1}, "deep": {"k": {"j": 1}}, "joined": [1, 2], "none": null});
    let request = send(content, body).await?;
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(text(&request), "a=x%20%26&list=1&list=2&object=%7B%22k%22%3A1%7D&deep[k][j]=1&joined=1,2");
    Ok(())
}

#[tokio::test]
async fn forms_with_files_have_parts() -> Outcome {
    let content = json!({"multipart/form-data": {
        "schema": {"type": "object", "properties": {
            "file": {"type": "string", "format": "binary"},
            "notes": {"type": "array", "items": {"type": "string", "format": "binary"}},
            "about": {"type": "object"},
            "title": {"type": "string"}
        }},
        "encoding": {"notes": {"contentType": "text/markdown"}}
    }});
    let body = json!({
        "file": {"base64": "AAH/", "filename": "a\"b.png", "media_type": "image/png"},
        "notes": ["# one", {"text": "# two", "filename": "two.md"}],
        "about": {"k": 1},
        "title": "A title"
    });
    let request = send(content, body).await?;
    let media = request.header("content-type").unwrap_or_default().to_owned();
    let boundary = media.strip_prefix("multipart/form-data; boundary=").unwrap_or_default();
    let parts: Vec<_> = request
        .body
        .split(|byte| *byte == b'\n')
        .map(|line| String::from_utf8_lossy(line).trim_end_matches('\r').replace(boundary, "B"))
        .collect();
    assert_eq!(
        parts,
        [
            "--B",
            "content-disposition: form-data; name=\"file\"; filename=\"a%22b.png\"",
            "content-type: image/png",
            "",
            "\u{0}\u{1}\u{fffd}",
            "--B",
            "content-disposition: form-data; name=\"notes\"; filename=\"notes\"",
            "content-type: text/markdown",
            "",
            "# one",
            "--B",
            "content-disposition: form-data; name=\"notes\"; filename=\"two.md\"",
            "content-type: text/markdown",
            "",
            "# two",
            "--B",
            "content-disposition: form-data; name=\"about\"",
            "content-type: application/json",
            "",
            "{\"k\":1}",
            "--B",
            "content-disposition: form-data; name=\"title\"",
            "",
            "A title",
            "--B--",
            "",
        ]
    );
    Ok(())
}

#[tokio::test]
async fn bytes_and_text_are_sent_as_they_are() -> Outcome {
    let request = send(json!({"application/octet-stream": {}}), json!({"base64": "AAH/"})).await?;
    assert_eq!((request.header("content-type"), &*request.body), (Some("application/octet-stream"), &[0, 1, 255][..]));
    let request = send(json!({"image/*": {}}), json!({"base64": "AAH/", "media_type": "image/png"})).await?;
    assert_eq!(request.header("content-type"), Some("image/png"));
    let request = send(json!({"application/xml": {"schema": {"type": "object"}}}), json!("<a/>")).await?;
    assert_eq!((request.header("content-type"), &*text(&request)), (Some("application/xml"), "<a/>"));
    let wrong = send(json!({"image/png": {}}), json!({"base64": "no!"})).await;
    assert!(wrong.is_err_and(|error| error.to_string().contains("not base64")));
    let both = send(json!({"image/png": {}}), json!({"base64": "", "text": ""})).await;
    assert!(both.is_err());
    Ok(())
}

#[tokio::test]
async fn a_body_that_is_not_given_is_not_sent() -> Outcome {
    let server = echo().await?;
    let body = |required: bool| json!({"requestBody": {"required": required, "content": {"application/json": {}}}});
    let paths = json!({"/a": {"post": body(false)}, "/b": {"post": body(true)}});
    let set = set(&load(&document(&server.url(""), &paths)));
    call(tool(&set, "test.post_a"), json!({})).await?;
    let request = only(&server);
    assert_eq!((request.header("content-type"), request.body.len()), (None, 0));
    assert!(call(tool(&set, "test.post_b"), json!({})).await.is_err_and(|error| error.contains("body")));
    Ok(())
}

#[tokio::test]
async fn answers_are_what_their_type_says() -> Outcome {
    for (media, body, expected) in [
        ("application/json", &br#"{"a":[1,null]}"#[..], json!({"a": [1, null]})),
        ("application/problem+json; charset=utf-8", b"3", json!(3)),
        ("application/json", b"{\"a\":1}\n{\"a\":2}\n", json!("{\"a\":1}\n{\"a\":2}\n")),
        ("text/plain", "ü".as_bytes(), json!("ü")),
        ("text/plain; charset=ISO-8859-1", b"\xfc", json!("ü")),
        ("text/csv", b"\xff\xfe", json!({"base64": "//4=", "media_type": "text/csv"})),
        ("image/png", b"\x00\xff", json!({"base64": "AP8=", "media_type": "image/png"})),
        ("", b"[1]", json!([1])),
        ("", b"word", json!("word")),
        ("application/json", b"", Value::Null),
    ] {
        let head = if media.is_empty() { "200 OK".to_owned() } else { format!("200 OK\r\ncontent-type: {media}") };
        let server = Server::answering(move |_| answer(&head, body)).await?;
        let set = set(&load(&document(&server.url(""), &json!({"/x": {"get": {}}}))));
        assert_eq!(call(&set.tools[0], json!({})).await?, expected, "{media}");
    }
    Ok(())
}

#[tokio::test]
async fn json_is_asked_for_first() -> Outcome {
    let server = echo().await?;
    let responses = json!({"200": {"content": {"text/csv": {}, "application/json;v=2": {}}}, "204": {}});
    let paths = json!({"/x": {"get": {"responses": responses}}, "/y": {"get": {"responses": {}}}});
    let set = set(&load(&document(&server.url(""), &paths)));
    call(tool(&set, "test.get_x"), json!({})).await?;
    call(tool(&set, "test.get_y"), json!({})).await?;
    let accepted: Vec<_> =
        server.received().iter().map(|request| request.header("accept").map(str::to_owned)).collect();
    assert_eq!(
        accepted,
        [Some("application/json;v=2, text/csv;q=0.5, */*;q=0.1".into()), Some("application/json, */*;q=0.1".into())]
    );
    Ok(())
}
