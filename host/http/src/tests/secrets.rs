use std::{error::Error, io, sync::Mutex};

use tokio_rustls::TlsAcceptor;

use super::server::{Received, Server, answer, converse};
use super::tls::Loopback;
use super::*;
use crate::Secrets;
use isolette_policy::HeaderSecret;

const SECRET: &str = "hunter2-token";

fn secret(rule: &str) -> HeaderSecret {
    HeaderSecret::new("api", SECRET, rule).unwrap_or_else(|error| panic!("{error}"))
}

/// The `Authorization` of each request, in the order of arrival.
type Seen = Arc<Mutex<Vec<Option<String>>>>;

fn note(seen: &Seen, request: &Received) -> Option<String> {
    let sent = request.header("authorization").map(ToOwned::to_owned);
    seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(sent.clone());
    sent
}

fn sent(seen: &Seen) -> Vec<Option<String>> {
    seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
}

#[tokio::test]
async fn are_sent_over_tls_to_their_hosts_only() -> Result<(), Box<dyn Error>> {
    let seen_elsewhere = Seen::default();
    let log = Arc::clone(&seen_elsewhere);
    let plain = Server::answering(move |request| {
        note(&log, request);
        answer("200 OK", "plain")
    })
    .await?;
    let away = plain.url("/").replace("127.0.0.1", "api.test");
    let (root, config) = super::certificates::server(&["api.test", "other.test"])?;
    let (acceptor, seen) = (TlsAcceptor::from(config), Seen::default());
    let log = Arc::clone(&seen);
    let server = Server::raw(move |stream| {
        let (acceptor, away, log) = (acceptor.clone(), away.clone(), Arc::clone(&log));
        async move {
            let stream = acceptor.accept(stream).await?;
            let reply = move |request: &Received| match (request.path(), note(&log, request)) {
                ("/away", _) => answer(&format!("307 Moved\r\nLocation: {away}"), ""),
                (_, sent) => answer("200 OK", if sent.is_some() { "yes" } else { "no" }),
            };
            converse(stream, Arc::new(reply), Arc::default()).await
        }
    })
    .await?;
    let port = server.port();
    let rules = [format!("https://*.test:{port} +private"), format!("http://api.test:{} +private", plain.port())];
    let http = Http::with(allowlist(&rules), HttpLimits::default(), Arc::new(Loopback), vec![root])
        .with_secrets(Secrets::new(vec![secret(&format!("GET https://api.test:{port}/v1"))]));
    let at = |host: &str, path: &str| format!("https://{host}:{port}{path}");

    for (method, url, expected) in [
        ("GET", at("api.test", "/v1/x"), "yes"),
        // On the same connection, and still decided anew.
        ("GET", at("api.test", "/v10"), "no"),
        ("GET", at("API.test.", "/v1"), "yes"),
        ("POST", at("api.test", "/v1/x"), "no"),
        ("GET", at("other.test", "/v1/x"), "no"),
        ("GET", at("api.test", "/v1/../v2"), "no"),
    ] {
        let response = expect(&http, Request { method, ..get(&url) }).await;
        assert_eq!(String::from_utf8_lossy(&response.body), expected, "{method} {url}");
    }
    // A header that a program sets in its place does not reach the server.
    let own = [("authorization", "Bearer of-the-guest")];
    expect(&http, Request { headers: &own, ..get(&at("api.test", "/v1/x")) }).await;
    assert_eq!(sent(&seen).last(), Some(&Some(format!("Bearer {SECRET}"))));
    // A redirect to another target does not get the secret, nor does one to plain `http`.
    assert_eq!(expect(&http, get(&at("api.test", "/away"))).await.body, b"plain");
    assert_eq!(sent(&seen_elsewhere), [None]);
    Ok(())
}

#[tokio::test]
async fn do_not_come_back_as_they_were_sent() -> io::Result<()> {
    let server = Server::answering(|request| {
        let sent = request.header("authorization").unwrap_or_default().to_owned();
        let encoded = sent.replace(' ', "%20");
        match request.path() {
            "/location" => answer(&format!("302 Found\r\nLocation: /?key={encoded}"), ""),
            "/nowhere" => answer(&format!("302 Found\r\nLocation: ftp://{encoded}.example/"), ""),
            "/header" => answer(&format!("200 OK\r\nX-Echo: <{sent}>"), ""),
            "/cut" => answer("200 OK", format!("{}{sent}", "x".repeat(100))),
            _ => answer("200 OK", format!("{{\"echo\": \"{sent}\"}} {encoded}")),
        }
    })
    .await?;
    let plain = secret(&server.rule());
    let with = |limits| limited(&[server.rule()], limits).with_secrets(Secrets::new(vec![plain.clone()]));
    let http = with(HttpLimits::default());
    let whole = expect(&http, get(&server.url("/"))).await;
    assert_eq!(String::from_utf8_lossy(&whole.body), r#"{"echo": "Bearer [redacted]"} Bearer%20[redacted]"#);
    assert_eq!(header(&whole, "content-length"), Some(whole.body.len().to_string().as_str()));
    assert_eq!(header(&expect(&http, get(&server.url("/header"))).await, "x-echo"), Some("<Bearer [redacted]>"));
    let moved = expect(&http, get(&server.url("/location"))).await;
    assert_eq!(moved.url, server.url("/?key=Bearer%20[redacted]"));
    let (_, text) = refused(&http, get(&server.url("/nowhere"))).await;
    assert!(!text.contains(SECRET), "{text}");
    // A body that is cut inside the secret, at any place.
    for left in 1..SECRET.len() {
        let limits = HttpLimits { response_bytes: 100 + "Bearer ".len() + left, ..HttpLimits::default() };
        let cut = expect(&with(limits), get(&server.url("/cut"))).await;
        assert!(cut.truncated && cut.body.ends_with(b"xBearer "), "{}", String::from_utf8_lossy(&cut.body));
    }
    Ok(())
}
