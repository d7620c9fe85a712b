//! Tests names, their addresses, and which of those are connected to.

use std::{
    collections::VecDeque,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{Condvar, Mutex, PoisonError},
};

use tokio::sync::mpsc;

use super::server::{Server, answer};
use super::*;

/// Returns one answer after another, for any name.
struct Answers(Mutex<VecDeque<Vec<IpAddr>>>, Mutex<Vec<String>>);

impl Answers {
    fn new<const ANSWERS: usize>(answers: [&[&str]; ANSWERS]) -> Arc<Self> {
        let parse = |text: &&str| text.parse().unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let answers = answers.iter().map(|answer| answer.iter().map(parse).collect()).collect();
        Arc::new(Self(Mutex::new(answers), Mutex::default()))
    }

    fn asked(&self) -> Vec<String> {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Resolve for Answers {
    fn resolve(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
        let answer = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let answer = answer.ok_or_else(|| io::Error::other("no such name"))?;
        Ok(answer.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }
}

fn with(rules: &[String], answers: &Arc<Answers>) -> Http {
    Http::with(allowlist(rules), HttpLimits::default(), answers.clone(), Vec::new())
}

#[tokio::test]
async fn refuses_private_addresses_behind_names() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let port = server.port();
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ] {
        let url = format!("http://api.test:{port}/");
        let allowlisted = with(&[format!("api.test:{port}")], &Answers::new([&[address]]));
        let (case, text) = refused(&allowlisted, get(&url)).await;
        assert_eq!(case, "denied", "{address}");
        assert!(text.contains("not a public address") && !text.contains(address), "{text}");
        let full = Http::with(Network::Full, HttpLimits::default(), Answers::new([&[address]]), Vec::new());
        assert_eq!(refused(&full, get(&url)).await.0, "denied", "{address}");
    }
    assert_eq!(server.connections(), 0);
    Ok(())
}

#[tokio::test]
async fn reaches_what_a_rule_names() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let port = server.port();
    for (rule, host) in [
        (format!("localhost:{port}"), "localhost"),
        (format!("localhost:{port}"), "LOCALHOST."),
        (format!("api.test:{port} +private"), "api.test"),
        (format!("*.test:{port} +private"), "api.test"),
    ] {
        let answers = Answers::new([&["127.0.0.1"]]);
        expect(&with(&[rule], &answers), get(&format!("http://{host}:{port}/"))).await;
        assert_eq!(answers.asked(), [host.to_lowercase()]);
    }
    let hosts: Vec<_> =
        server.received().iter().filter_map(|request| request.header("host").map(str::to_owned)).collect();
    assert_eq!(hosts[1], format!("localhost:{port}"));

    // Addresses that no name should resolve to, not even with `+private`.
    for address in ["169.254.169.254", "0.0.0.0", "224.0.0.1", "fe80::1"] {
        let http = with(&[format!("api.test:{port} +private")], &Answers::new([&[address]]));
        assert_eq!(refused(&http, get(&format!("http://api.test:{port}/"))).await.0, "denied", "{address}");
    }
    let http = with(&[format!("localhost:{port}")], &Answers::new([&["10.0.0.1"]]));
    assert_eq!(refused(&http, get(&format!("http://localhost:{port}/"))).await.0, "denied");
    Ok(())
}

#[tokio::test]
async fn leaves_out_addresses_that_are_out_of_reach() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let port = server.port();
    let answers = Answers::new([&["10.255.255.1", "169.254.169.254", "0.0.0.0", "127.0.0.1"]]);
    expect(&with(&[format!("localhost:{port}")], &answers), get(&format!("http://localhost:{port}/"))).await;
    Ok(())
}

#[tokio::test]
async fn is_asked_once_for_a_connection_and_anew_for_the_next() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK\r\nConnection: close", "")).await?;
    let port = server.port();
    // The second answer is the one that an attacker would want to be used for the first connection.
    let answers = Answers::new([&["127.0.0.1"], &["169.254.169.254"]]);
    let http = with(&[format!("rebind.test:{port} +private")], &answers);
    let url = format!("http://rebind.test:{port}/");
    expect(&http, get(&url)).await;
    assert_eq!(answers.asked().len(), 1);
    assert_eq!(refused(&http, get(&url)).await.0, "denied");
    assert_eq!((answers.asked().len(), server.connections()), (2, 1));
    Ok(())
}

#[tokio::test]
async fn never_uses_a_connection_for_a_narrower_rule() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let port = server.port();
    let answers = Answers::new([&["127.0.0.1"], &["127.0.0.1"]]);
    let http = with(&[format!("GET api.test:{port} +private"), format!("POST api.test:{port}")], &answers);
    let url = format!("http://api.test:{port}/");
    expect(&http, get(&url)).await;
    assert_eq!(refused(&http, post(&url, b"")).await.0, "denied");
    expect(&http, get(&url)).await;
    assert_eq!((answers.asked().len(), server.connections()), (2, 1));
    Ok(())
}

#[tokio::test]
async fn tries_addresses_until_one_answers() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let port = server.port();
    // No server listens on the first two.
    let http = with(&[format!("localhost:{port}")], &Answers::new([&["127.0.0.3", "::1", "127.0.0.1"]]));
    expect(&http, get(&format!("http://localhost:{port}/"))).await;

    let http = with(&[format!("localhost:{port}")], &Answers::new([&["127.0.0.3", "127.0.0.4"]]));
    let (case, text) = refused(&http, get(&format!("http://localhost:{port}/"))).await;
    assert_eq!(case, "connect");
    assert!(text.contains("no connection could be made"), "{text}");
    Ok(())
}

#[tokio::test]
async fn a_lookup_that_fails_is_reported() {
    let http = with(&["api.test".into()], &Answers::new([]));
    let (case, text) = refused(&http, get("http://api.test/")).await;
    assert_eq!((case, text.as_str()), ("dns", "the name `api.test` could not be resolved: no such name"));
    let http = with(&["api.test".into()], &Answers::new([&[]]));
    assert_eq!(refused(&http, get("http://api.test/")).await.0, "dns");
}

/// Answers no look-up until it is released, and reports when it is called.
struct Stuck {
    asked: mpsc::UnboundedSender<()>,
    released: (Mutex<bool>, Condvar),
}

impl Resolve for Stuck {
    fn resolve(&self, _: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let _ = self.asked.send(());
        let (released, condition) = &self.released;
        let released = released.lock().unwrap_or_else(PoisonError::into_inner);
        drop(condition.wait_while(released, |released| !*released));
        Ok(vec![SocketAddr::from(([127, 0, 0, 1], port))])
    }
}

#[tokio::test]
async fn a_lookup_that_outlives_its_request_keeps_its_place() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "here")).await?;
    let (asked, mut questions) = mpsc::unbounded_channel();
    let resolver = Arc::new(Stuck { asked, released: <_>::default() });
    let rules = [format!("api.test:{} +private", server.port())];
    let limits = HttpLimits { concurrent: 2, ..HttpLimits::default() };
    let http = Http::with(allowlist(&rules), limits, resolver.clone(), Vec::new());
    let url = format!("http://api.test:{}/", server.port());
    let (mut ends, mut asked) = (Vec::new(), Vec::new());
    for number in 0..20 {
        let request = Request { timeout: Some(Duration::from_millis(5)), ..get(&url) };
        ends.push(refused(&http, request).await.0);
        if number < 2 {
            asked.push(questions.recv().await);
        }
    }
    let more = questions.try_recv();
    // A look-up that is stuck would keep this test from ending, so the result is checked afterwards.
    let (released, condition) = &resolver.released;
    *released.lock().unwrap_or_else(PoisonError::into_inner) = true;
    condition.notify_all();
    assert_eq!((ends, asked), (vec!["timeout"; 20], vec![Some(()); 2]));
    assert!(more.is_err(), "more look-ups at a time than requests may be");
    assert_eq!(expect(&http, get(&url)).await.body, b"here");
    Ok(())
}

#[tokio::test]
async fn by_the_system_knows_localhost() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let rule = format!("localhost:{}", server.port());
    let http = Http::new(allowlist(&[rule]), HttpLimits::default());
    expect(&http, get(&format!("http://localhost:{}/", server.port()))).await;
    Ok(())
}
