use std::io;

use super::server::{Server, answer};
use super::*;

fn redirect(code: u16, location: &str) -> Vec<u8> {
    answer(&format!("{code} Moved\r\nLocation: {location}"), "an unread body")
}

#[tokio::test]
async fn rewrite_methods_as_browsers_do() -> io::Result<()> {
    let server = Server::answering(|request| match request.path().strip_prefix("/from/") {
        Some(code) => redirect(code.parse().unwrap_or(302), "../to?x#y"),
        None => answer("200 OK", ""),
    })
    .await?;
    let http = http(&[server.rule()]);
    for (code, method, expected) in [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (303, "PUT", "GET"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
        (301, "PUT", "PUT"),
        (302, "DELETE", "DELETE"),
        (303, "HEAD", "HEAD"),
    ] {
        let url = server.url(&format!("/from/{code}"));
        let headers = [("content-type", "text/plain"), ("x-kept", "1"), ("cookie", "c=1"), ("authorization", "a")];
        let response = expect(&http, Request { method, headers: &headers, ..post(&url, b"body") }).await;
        assert_eq!((response.status, response.url), (200, server.url("/to?x#y")));
        let last = server.received().pop().unwrap_or_default();
        let rewritten = method != expected;
        assert_eq!(last.line, format!("{expected} /to?x HTTP/1.1"), "{code} {method}");
        assert_eq!(last.body, if rewritten { b"".as_slice() } else { b"body" }, "{code} {method}");
        assert_eq!(last.header("content-type").is_some(), !rewritten, "{code} {method}");
        for kept in ["x-kept", "cookie", "authorization"] {
            assert!(last.header(kept).is_some(), "{kept} within one origin");
        }
    }
    Ok(())
}

#[tokio::test]
async fn to_another_origin_lose_credentials_for_good() -> io::Result<()> {
    let last = Server::answering(|_| answer("200 OK", "")).await?;
    let url = last.url("/end");
    let middle = Server::answering(move |request| match request.path() {
        "/1" => redirect(307, "/2"),
        _ => redirect(307, &url),
    })
    .await?;
    let url = middle.url("/1").replace("http://", "http://user:password@");
    let first = Server::answering(move |_| redirect(307, &url)).await?;
    let http = http(&[first.rule(), middle.rule(), last.rule()]);
    let headers = [("Authorization", "Bearer x"), ("Cookie", "a=1"), ("X-Kept", "1")];
    let response = expect(&http, Request { headers: &headers, ..post(&first.url("/"), b"body") }).await;
    assert_eq!(response.url, last.url("/end"));
    assert!(first.received()[0].header("authorization").is_some());
    for received in middle.received().iter().chain(&last.received()) {
        assert_eq!(received.header("authorization"), None);
        assert_eq!(received.header("cookie"), None);
        assert_eq!(received.header("x-kept"), Some("1"));
        assert_eq!(received.body, b"body");
    }
    Ok(())
}

#[tokio::test]
async fn are_decided_like_first_requests() -> io::Result<()> {
    let secret = Server::answering(|_| answer("200 OK", "secret")).await?;
    let target = secret.url("/");
    let server = Server::answering(move |request| match request.path() {
        "/open" => redirect(302, &target),
        "/method" => redirect(307, "/allowed"),
        "/outside" => redirect(302, "/elsewhere"),
        "/metadata" => redirect(302, "http://169.254.169.254/"),
        "/name" => redirect(302, "http://evil.test/"),
        "/file" => redirect(302, "file:///etc/passwd"),
        "/data" => redirect(302, "data:text/plain,x"),
        _ => answer("200 OK", ""),
    })
    .await?;
    let rules = ["/open", "/method", "/outside", "/metadata", "/name", "/file", "/data"].map(|path| server.url(path));
    let mut rules = rules.to_vec();
    rules.push(format!("GET {}", server.url("/allowed")));
    let http = http(&rules);
    for (path, text) in [
        ("/open", "after a redirect: POST http://127.0.0.1"),
        ("/method", "/allowed is not allowed"),
        ("/outside", "/elsewhere is not allowed"),
        ("/metadata", "169.254.169.254"),
        ("/name", "evil.test"),
        ("/file", "`file` URLs are never fetched"),
        ("/data", "`data` URLs are never fetched"),
    ] {
        let url = server.url(path);
        let (case, shown) = refused(&http, post(&url, b"")).await;
        assert_eq!(case, "denied", "{path}");
        let text = if path == "/open" { text.replace("POST", "GET") } else { text.to_owned() };
        assert!(shown.contains(&text), "{path}: {shown}");
    }
    assert_eq!(secret.connections(), 0);
    Ok(())
}

#[tokio::test]
async fn end_where_they_must() -> io::Result<()> {
    let server = Server::answering(|request| match request.path() {
        "/loop" => redirect(302, "/loop"),
        "/none" => answer("302 Found", "here"),
        "/broken" => redirect(302, "http://[broken"),
        "/300" => redirect(300, "/end"),
        "/304" => b"HTTP/1.1 304 Not Modified\r\nLocation: /end\r\n\r\n".to_vec(),
        "/long" => redirect(302, &format!("/{}", "ü".repeat(5_000))),
        path => match path.strip_prefix("/chain/").and_then(|rest| rest.parse::<u32>().ok()) {
            Some(0) | None => answer("200 OK", "end"),
            Some(left) => redirect(308, &format!("/chain/{}", left - 1)),
        },
    })
    .await?;
    let http = http(&[server.rule()]);

    let url = server.url("/loop");
    let (case, text) = refused(&http, get(&url)).await;
    assert_eq!(case, "protocol");
    assert!(text.contains("more than 5 redirects"), "{text}");
    assert_eq!(server.received().len(), 6);
    assert_eq!(expect(&http, Request { redirects: 0, ..get(&url) }).await.status, 302);

    // The host's own limit is 10.
    let url = server.url("/chain/10");
    assert_eq!(expect(&http, Request { redirects: u32::MAX, ..get(&url) }).await.body, b"end");
    let url = server.url("/chain/11");
    assert_eq!(refused(&http, Request { redirects: u32::MAX, ..get(&url) }).await.0, "protocol");

    for (path, status) in [("/none", 302), ("/300", 300), ("/304", 304)] {
        assert_eq!(expect(&http, get(&server.url(path))).await.status, status);
    }
    assert_eq!(refused(&http, get(&server.url("/broken"))).await.0, "protocol");
    assert_eq!(refused(&http, get(&server.url("/long"))).await.0, "protocol");
    Ok(())
}
