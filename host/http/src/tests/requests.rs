//! Tests what is sent, what is received, and what is refused before it is sent.

use std::io;

use super::server::{Server, answer};
use super::{super::limits::URL_BYTES, *};

#[tokio::test]
async fn carry_method_path_headers_and_body() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let http = http(&[server.rule()]);
    let url = server.url("/a%20b/[x]|?q=1&r=%2F'#fragment");
    let headers = [("X-Custom", "ü "), ("x-custom", "2"), ("Content-Type", "text/plain")];
    expect(&http, Request { headers: &headers, method: "patch", ..post(&url, b"\0\xff body") }).await;

    let received = server.received().remove(0);
    assert_eq!(received.line, "PATCH /a%20b/[x]|?q=1&r=%2F' HTTP/1.1");
    assert_eq!(received.body, b"\0\xff body");
    let lines: Vec<_> = received.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        lines,
        [
            format!("Host: {}", server.address),
            "X-Custom: ü".into(),
            "x-custom: 2".into(),
            "Content-Type: text/plain".into(),
            format!("User-Agent: isolette/{}", env!("CARGO_PKG_VERSION")),
            "Accept: */*".into(),
            "Accept-Encoding: gzip, deflate, br".into(),
            "Content-Length: 7".into(),
        ]
    );
    Ok(())
}

#[tokio::test]
async fn keep_what_the_guest_says_and_drop_what_is_the_hosts() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let http = http(&[server.rule()]);
    let host = server.address.to_string();
    let headers = [
        ("User-Agent", "python-requests/2.34"),
        ("Accept", "application/json"),
        ("Accept-Encoding", "gzip, deflate, zstd"),
        ("Connection", "close, x-secret"),
        ("Keep-Alive", "timeout=9"),
        ("Content-Length", "999999"),
        ("Transfer-Encoding", "chunked"),
        ("TE", "trailers"),
        ("Trailer", "x"),
        ("Upgrade", "websocket"),
        ("Expect", "100-continue"),
        ("Proxy-Authorization", "Basic x"),
        ("Proxy-Connection", "keep-alive"),
        ("HTTP2-Settings", "x"),
        ("Host", &host),
        ("Authorization", "Bearer secret"),
    ];
    expect(&http, Request { headers: &headers, ..get(&server.url("/")) }).await;
    let received = server.received().remove(0);
    let names: Vec<_> = received.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Host", "User-Agent", "Accept", "Accept-Encoding", "Authorization"]);
    assert_eq!(received.header("user-agent"), Some("python-requests/2.34"));
    assert_eq!(received.header("accept-encoding"), Some("gzip, deflate, br"));

    for headers in [[("Range", "bytes=0-1")], [("Accept-Encoding", "Identity")]] {
        expect(&http, Request { headers: &headers, ..get(&server.url("/")) }).await;
    }
    for received in &server.received()[1..] {
        assert_eq!(received.header("accept-encoding"), Some("identity"));
    }
    Ok(())
}

#[tokio::test]
async fn bring_back_headers_in_order_and_bytes_exactly() -> io::Result<()> {
    let body: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let expected = body.clone();
    let server = Server::answering(move |_| {
        let mut bytes =
            b"HTTP/1.1 207 Whatever\r\nSet-Cookie: a=1\r\nX-Latin: \xfc\xe9\r\nSet-Cookie: b=2\r\nX-Empty:\r\n\
            Connection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 100000\r\nSet-Cookie: c=3\r\n\r\n"
                .to_vec();
        bytes.extend_from_slice(&body);
        bytes
    })
    .await?;
    let url = server.url("/x");
    let response = expect(&http(&[server.rule()]), get(&url)).await;
    assert_eq!(response.status, 207);
    assert_eq!(response.url, url);
    assert_eq!(response.body, expected);
    assert!(!response.truncated);
    let pairs: Vec<_> = response.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        pairs,
        [
            ("Set-Cookie", "a=1"),
            ("X-Latin", "üé"),
            ("Set-Cookie", "b=2"),
            ("X-Empty", ""),
            ("Content-Length", "100000"),
            ("Set-Cookie", "c=3"),
        ]
    );
    Ok(())
}

#[tokio::test]
async fn are_denied_before_anything_is_resolved_or_sent() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let http = http(&["GET api.github.com".into(), format!("GET {}", server.rule())]);
    for (method, url) in [
        ("GET", "https://evil.test/x?secret"),
        ("POST", "https://api.github.com/"),
        ("GET", "https://api.github.com:8443/"),
        ("GET", "file:///etc/passwd"),
        ("GET", "http://169.254.169.254/latest/meta-data"),
        ("CONNECT", "https://api.github.com/"),
        ("trace", "https://api.github.com/"),
        ("POST", &server.url("/")),
    ] {
        let (case, text) = refused(&http, Request { method, ..get(url) }).await;
        assert_eq!(case, "denied", "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
    let (_, text) = refused(&http, get("https://evil.test/x")).await;
    assert!(
        text.contains("GET https://evil.test/x is not allowed: no rule matches (tried: `GET api.github.com`, "),
        "{text}"
    );

    let off = Http::with(Network::None, HttpLimits::default(), Arc::new(Never), Vec::new());
    assert_eq!(refused(&off, get(&server.url("/"))).await.0, "denied");
    let full = Http::with(Network::Full, HttpLimits::default(), Arc::new(Never), Vec::new());
    assert_eq!(refused(&full, get(&server.url("/"))).await.0, "denied");
    assert_eq!(server.connections(), 0);
    Ok(())
}

#[tokio::test]
async fn malformed_requests_say_why() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let http = http(&[server.rule()]);
    let url = server.url("/");
    for (headers, expected) in [
        ([("x", "a\r\nEvil: 1")], "line break"),
        ([("x", "a\nEvil: 1")], "line break"),
        ([("x", "a\0")], "control character"),
        ([("x\r\nEvil", "1")], "not a token"),
        ([("x y", "1")], "not a token"),
        ([("", "1")], "not a token"),
        ([("x", "€")], "outside of ISO-8859-1"),
        ([("Host", "evil.test")], "another host"),
        ([("host", "127.0.0.1")], "another host"),
    ] {
        let (case, text) = refused(&http, Request { headers: &headers, ..get(&url) }).await;
        assert_eq!(case, "protocol");
        assert!(text.contains(expected), "{headers:?}: {text}");
    }
    for method in ["", "GET /evil HTTP/1.1\r\n\r\nGET", "G T", "GÉT"] {
        assert_eq!(refused(&http, Request { method, ..get(&url) }).await.0, "protocol", "{method}");
    }
    for url in
        ["", "/relative", "http://", "http://[::1%25eth0]/", "http://a b/", "not a url", "http://127.0.0.1:99999/"]
    {
        assert_eq!(refused(&http, get(url)).await.0, "protocol", "{url}");
    }
    let with_password = server.url("/").replace("http://", "http://user:secret@");
    let (case, text) = refused(&http, get(&with_password)).await;
    assert_eq!(case, "protocol");
    assert!(text.contains("Authorization") && !text.contains("secret"), "{text}");
    assert_eq!(server.connections(), 0);

    // Libraries convert credentials to a header and leave them in the URL.
    let headers = [("Authorization", "Basic dXNlcjpzZWNyZXQ=")];
    let response = expect(&http, Request { headers: &headers, ..get(&with_password) }).await;
    assert_eq!(response.url, url);
    Ok(())
}

#[tokio::test]
async fn too_large_requests_are_not_sent() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let limits = HttpLimits { request_bytes: 4, header_bytes: 100, headers: 3, ..HttpLimits::default() };
    let http = limited(&[server.rule()], limits);
    let url = server.url("/");
    assert_eq!(refused(&http, post(&url, b"12345")).await.0, "too-large");
    let long = "x".repeat(100);
    assert_eq!(refused(&http, Request { headers: &[("x", &long)], ..get(&url) }).await.0, "too-large");
    assert_eq!(refused(&http, Request { headers: &[("x", ""); 4], ..get(&url) }).await.0, "too-large");
    for (text, times) in [("x", URL_BYTES), ("ü", URL_BYTES / 6)] {
        let long = server.url(&format!("/{}", text.repeat(times)));
        assert_eq!(refused(&http, get(&long)).await.0, "too-large");
    }
    assert_eq!(server.connections(), 0);
    expect(&http, post(&url, b"1234")).await;
    Ok(())
}
