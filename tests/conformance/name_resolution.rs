//! Resolution of host names: when names are resolved, and which addresses may be connected to.

use std::{
    collections::VecDeque,
    io,
    net::{IpAddr, Ipv4Addr},
    panic::resume_unwind,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    http::HeaderMap,
    response::Redirect,
    routing::{any, get},
};
use isolette::SandboxBuilder;
use isolette_tests::{Case, scenario, server::Server};
use serde_json::{Value, json};

/// A name server that returns one answer after another to any query, and then repeats the last one.
#[derive(Clone, Default)]
struct NameServer {
    answers: Arc<Mutex<VecDeque<Vec<IpAddr>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl NameServer {
    fn new(answers: &[&[&str]]) -> Self {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().map(parse).collect();
        Self { answers: Arc::new(Mutex::new(answers)), ..Self::default() }
    }

    /// All addresses are on this machine.
    fn here() -> Self {
        Self::new(&[&["127.0.0.1"]])
    }

    fn serve(&self, builder: SandboxBuilder) -> SandboxBuilder {
        let this = self.clone();
        builder.resolver(move |name| {
            this.asked.lock().unwrap().push(name.to_owned());
            let mut answers = this.answers.lock().unwrap();
            let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
            answer.ok_or_else(|| io::Error::other("no such name"))
        })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// A server that ends every connection, so that each request makes its own.
fn server() -> Server {
    Server::start(Router::new().fallback(any(async || ([("connection", "close")], "here I am"))))
}

fn port(server: &Server) -> u16 {
    server.origin().rsplit_once(':').unwrap().1.parse().unwrap()
}

fn attempt(case: &Case, names: &NameServer, rules: &[&str], urls: &[&str]) -> Vec<Value> {
    let builder = rules.iter().fold(names.serve(case.builder()), |builder, rule| builder.allow(rule));
    let attempts: Vec<_> = urls.iter().map(|url| json!(["GET", url])).collect();
    let sandbox = builder.variable("ATTEMPTS", attempts).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    serde_json::from_value(result.value.unwrap_or_else(|| panic!("{:?}", result.error))).unwrap()
}

fn is_denied(outcome: &Value) -> bool {
    outcome.as_str().is_some_and(|text| text.contains("is not allowed"))
}

#[scenario(programs = ["network/attempts"])]
fn a_rebound_host_name_is_not_followed(case: &Case) {
    let server = server();
    let port = port(&server);
    // The second answer is an address that an attacker who owns the name wants the host to connect to.
    for elsewhere in ["169.254.169.254", "10.0.0.1", "0.0.0.0", "::ffff:169.254.169.254"] {
        let names = NameServer::new(&[&["127.0.0.1"], &[elsewhere]]);
        let rule = format!("http://localhost:{port}");
        let url = format!("http://localhost:{port}/");
        let outcomes = attempt(case, &names, &[&rule], &[&*url; 3]);
        assert_eq!(outcomes[0], 200);
        assert!(outcomes[1..].iter().all(is_denied), "{elsewhere}: {outcomes:?}");
        assert_eq!(names.asked(), ["localhost"; 3]);
    }
    assert_eq!(server.requests().len(), 4);
}

#[scenario(programs = ["network/attempts"])]
fn a_host_name_is_resolved_once_per_connection(case: &Case) {
    let server = server();
    let port = port(&server);
    // No query may be sent between the check and the connection, because it would get the second answer.
    let names = NameServer::new(&[&["169.254.169.254", "127.0.0.1"], &["127.0.0.1", "169.254.169.254"], &["10.0.0.1"]]);
    let url = format!("http://rebind.test:{port}/");
    let rule = format!("http://rebind.test:{port} +private");
    let outcomes = attempt(case, &names, &[&rule], &[&url, &url]);
    assert_eq!(outcomes, [200, 200]);
    assert_eq!(names.asked(), ["rebind.test"; 2]);
}

#[scenario(programs = ["network/attempts"])]
fn denied_host_names_are_never_resolved(case: &Case) {
    let names = NameServer::here();
    let urls = [
        "http://other.test/",
        "http://api.test.evil.test/",
        "http://xapi.test/",
        "http://api.test:8080/",
        "https://api.test/",
        "http://api.test/v2",
        "http://api.test/v1/%2e%2e/v2",
        "http://api.test/v1/..%2fv2",
        "http://api.test/v1/%c0%ae%c0%ae/v2",
        "http://api.test@other.test/v1",
        "http://other.test#@api.test/v1",
        "http://other.test\\@api.test/v1",
        "http://api.test%2eother.test/v1",
        "http://127.1/v1",
        "http://[::1]/v1",
        "http://0x7f000001/v1",
        "http://localhost/v1",
        "ftp://api.test/v1",
    ];
    let outcomes = attempt(case, &names, &["http://api.test/v1 +private"], &urls);
    assert!(outcomes.iter().all(Value::is_string), "{outcomes:?}");
    assert_eq!(names.asked(), [""; 0]);
    // Without a network, no query is sent.
    let outcomes = attempt(case, &names, &[], &["http://api.test/v1"]);
    assert!(is_denied(&outcomes[0]), "{outcomes:?}");
    assert_eq!(names.asked(), [""; 0]);
}

#[scenario(programs = ["network/attempts"])]
fn host_names_cannot_reach_private_addresses(case: &Case) {
    let server = server();
    let port = port(&server);
    let inside = [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fd00:ec2::254",
    ];
    let answers: Vec<[&str; 1]> = inside.iter().map(|address| [*address]).collect();
    let answers: Vec<&[&str]> = answers.iter().map(|answer| &answer[..]).collect();
    let names = NameServer::new(&answers);
    let url = format!("http://public.test:{port}/");
    let outcomes = attempt(case, &names, &[&format!("http://public.test:{port}")], &vec![&*url; inside.len()]);
    for (outcome, address) in outcomes.iter().zip(inside) {
        assert!(is_denied(outcome), "{address}: {outcome}");
        assert!(!outcome.as_str().unwrap().contains(address), "a program does not learn what is where: {outcome}");
    }
    assert_eq!((names.asked().len(), server.requests().len()), (inside.len(), 0));
}

#[scenario(programs = ["network/attempts"])]
fn every_redirect_is_resolved_and_checked(case: &Case) {
    let target = server();
    let (inside, outside) =
        (format!("http://second.test:{}/end", port(&target)), format!("http://third.test:{}/", port(&target)));
    let to = |url: String| get(async move || Redirect::temporary(&url));
    let first = Server::start(Router::new().route("/inside", to(inside)).route("/outside", to(outside)));
    let names = NameServer::here();
    let rules = [
        format!("http://first.test:{} +private", port(&first)),
        format!("http://second.test:{} +private", port(&target)),
    ];
    let urls = ["inside", "outside"].map(|path| format!("http://first.test:{}/{path}", port(&first)));
    let outcomes = attempt(case, &names, &[&rules[0], &rules[1]], &[&urls[0], &urls[1]]);
    assert_eq!(outcomes[0], 200);
    assert!(is_denied(&outcomes[1]) && outcomes[1].as_str().unwrap().contains("after a redirect"), "{outcomes:?}");
    assert!(!names.asked().contains(&"third.test".to_owned()), "{:?}", names.asked());
    assert_eq!(target.requests(), ["GET /end"]);
}

#[scenario(programs = ["network/credentials"])]
fn credentials_are_not_sent_to_another_origin(case: &Case) {
    let seen = async |headers: HeaderMap| {
        let seen = ["authorization", "cookie", "x-kept"].map(|name| headers.contains_key(name));
        axum::Json(seen)
    };
    let target = Server::start(Router::new().fallback(any(seen)));
    let elsewhere = format!("http://second.test:{}/", port(&target));
    let first = Server::start(
        Router::new()
            .route("/elsewhere", get(async move || Redirect::temporary(&elsewhere)))
            .route("/here", get(async || Redirect::temporary("/seen")))
            .fallback(any(seen)),
    );
    let rules = [
        format!("http://first.test:{} +private", port(&first)),
        format!("http://second.test:{} +private", port(&target)),
    ];
    let urls = ["here", "elsewhere"].map(|path| format!("http://first.test:{}/{path}", port(&first)));
    let names = NameServer::here();
    let builder = names.serve(case.builder()).allow(&rules[0]).allow(&rules[1]);
    let sandbox = builder.variable("URLS", &urls[..]).build().unwrap();
    let value = sandbox.run(&case.program()).unwrap().value;
    assert_eq!(value, Some(json!([[true, true, true], [false, false, true]])));
}

#[scenario(programs = ["network/attempts"])]
fn a_resolver_that_fails_is_an_error_of_the_program(case: &Case) {
    for fails in [false, true] {
        let builder = case.builder().allow("http://api.test").resolver(move |_| {
            if fails {
                resume_unwind(Box::new("on purpose"));
            }
            Ok(Vec::<IpAddr>::from([Ipv4Addr::LOCALHOST.into()]).split_off(1))
        });
        let sandbox = builder.variable("ATTEMPTS", json!([["GET", "http://api.test/"]])).build().unwrap();
        let result = sandbox.run(&case.program()).unwrap();
        let reported = result.value.unwrap().to_string();
        assert!(reported.contains("`api.test` could not be resolved"), "{reported}");
        assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
    }
}
