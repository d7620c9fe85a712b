//! Sandboxes as hosts, `PORT-IDENTIFIER.DOMAIN`, for E2B's clients. What a client sends as `Host` is not trusted.

use isolette_tests::{host_test, isolette};
use serde_json::{Value, json};

use crate::{
    server::{Reply, Server, text},
    servers::Replicas,
};

const TCP: [&str; 6] = ["--http", "127.0.0.1:0", "--token", "alice=env:ALICE", "--token", "bob=env:BOB"];

const KEY: (&str, &str) = ("x-api-key", "alice-secret");

fn post(server: &Server, host: &str, path: &str, headers: &[(&str, &str)], body: Value) -> Reply {
    let mut all = vec![("content-type", "application/json")];
    if !host.is_empty() {
        all.push(("host", host));
    }
    all.extend(headers);
    server.send("POST", path, &all, Some(body.to_string().into_bytes()))
}

/// A sandbox: its identifier, its access token and its domain.
fn create(server: &Server, host: &str) -> (String, String, String) {
    let path = if host.starts_with("api.") { "/sandboxes" } else { "/e2b/sandboxes" };
    let made = post(server, host, path, &[KEY], json!({})).expect(201);
    let part = |key| text(&made, key).to_owned();
    (part("sandboxID"), part("envdAccessToken"), part("domain"))
}

fn runs(server: &Server, host: &str, headers: &[(&str, &str)]) -> bool {
    let reply = post(server, host, "/execute", headers, json!({ "code": "6 * 7" }));
    let lines = String::from_utf8_lossy(&reply.bytes).into_owned();
    assert!(reply.status != 200 || lines.contains(r#""text":"42""#), "{lines}");
    reply.status == 200
}

#[host_test]
fn a_client_gets_the_domain_that_it_has_addressed() {
    let server = Server::start(&TCP);
    let address = server.url().strip_prefix("http://").expect("an address");
    assert_eq!(create(&server, "").2, address);
    for host in ["localhost:7070", "sandboxes.example.com", "[::1]:80"] {
        assert_eq!(create(&server, host).2, host);
    }
    // Identifiers are labels of host names.
    let (sandbox, token, _) = create(&server, "");
    let is_label = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    assert!(sandbox.bytes().all(is_label) && sandbox.len() + "49999-".len() <= 63, "{sandbox}");
    let token = [("x-access-token", token.as_str())];
    for domain in ["localhost", "localhost:7070", "a.example.com", "LOCALHOST."] {
        assert!(runs(&server, &format!("49999-{sandbox}.{domain}"), &token), "{domain}");
        assert!(runs(&server, &format!("49983-{}.{domain}", sandbox.to_uppercase()), &token), "{domain}");
    }
    let (info, key) = (format!("/e2b/sandboxes/{sandbox}"), [KEY, ("host", "b.example:1")]);
    assert_eq!(server.send("GET", &info, &key, None).expect(200)["domain"], "b.example:1");
    let connected = post(&server, "c.example:2", &format!("{info}/connect"), &[KEY], json!({})).expect(200);
    assert_eq!(connected["domain"], "c.example:2");
    let forks = post(&server, "d.example:3", &format!("{info}/fork"), &[KEY], json!({})).expect(201);
    assert_eq!(forks[0]["sandbox"]["domain"], "d.example:3");
}

#[host_test]
fn a_domain_of_the_operator_is_the_only_one() {
    let server = Server::start(&[&TCP[..], &["--e2b-domain", "Sandboxes.Example.com:8443"]].concat());
    let (sandbox, token, domain) = create(&server, "");
    assert_eq!(domain, "sandboxes.example.com:8443");
    assert_eq!(create(&server, "api.sandboxes.example.com").2, domain);
    let token = [("x-access-token", token.as_str())];
    for host in
        ["sandboxes.example.com", "sandboxes.example.com:8443", "SANDBOXES.example.com:1", "sandboxes.example.com."]
    {
        assert!(runs(&server, &format!("49999-{sandbox}.{host}"), &token), "{host}");
    }
    for host in ["example.com", "evil.com", "sandboxes.example.com.evil.com", "x.sandboxes.example.com", "localhost"] {
        let host = format!("49999-{sandbox}.{host}");
        let reply = post(&server, &host, "/execute", &token, json!({ "code": "1" }));
        assert!(text(&reply.expect(421), "message").contains("is not the domain"), "{host}");
    }
    // The server itself answers by any name.
    assert_eq!(server.send("GET", "/ready", &[("host", "localhost")], None).status, 200);
    assert_eq!(server.send("GET", "/ready", &[("host", "api.sandboxes.example.com")], None).status, 501);
}

#[host_test]
fn a_domain_that_cannot_be_one_is_refused() {
    for domain in ["127.0.0.1:7070", "http://example.com", "a_b", "", "example.com:x"] {
        let output = isolette()
            .args(["serve", "--e2b-domain", domain, "--state"])
            .arg("/nonexistent")
            .output()
            .expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("cannot be the domain of sandboxes"), "{domain}: {said}");
    }
}

#[host_test]
fn a_host_gives_no_right() {
    let server = Server::start(&TCP);
    let (one, token, _) = create(&server, "");
    let (other, other_token, _) = create(&server, "");
    let host = format!("49999-{one}.localhost");
    let token = ("x-access-token", token.as_str());
    let status = |host: &str, path: &str, headers: &[(&str, &str)]| {
        post(&server, host, path, headers, json!({ "code": "6 * 7" })).status
    };
    assert!(runs(&server, &host, &[token]) && runs(&server, &host, &[KEY]));
    assert!(runs(&server, &host, &[("authorization", "Bearer alice-secret")]));
    assert!(runs(&server, &host, &[token, ("e2b-sandbox-id", &one)]));
    for (expected, headers) in [
        (401, &[][..]),
        (404, &[("x-access-token", other_token.as_str())]),
        (404, &[("x-api-key", "bob-secret")]),
        (404, &[("authorization", "Bearer bob-secret")]),
        (401, &[("authorization", "Basic dXNlcjo=")]),
        (400, &[token, ("e2b-sandbox-id", other.as_str())]),
        (400, &[token, ("host", "localhost")]),
        (403, &[token, ("origin", "http://evil/x")]),
    ] {
        assert_eq!(status(&host, "/execute", headers), expected, "{headers:?}");
    }
    // Two sandboxes in headers are none.
    let both = [token, ("e2b-sandbox-id", one.as_str()), ("e2b-sandbox-id", other.as_str())];
    assert_eq!(status("", "/e2b/execute", &both), 400);
    // Nothing but the sandbox is below its host, whatever the token is.
    let bearer = [("authorization", "Bearer alice-secret")];
    for path in ["/v1/sandboxes", "/e2b/sandboxes", "/sandboxes", "/e2b/execute", "/%65xecute", "/ready"] {
        assert_eq!(status(&host, path, &bearer), 404, "{path}");
    }
    for (expected, host) in [
        (421, format!("x-{one}.localhost")),
        (421, format!("-{one}.localhost")),
        (421, format!("99999-{one}.localhost")),
        (421, format!("49999-{one}-.localhost")),
        (400, format!("49999-{one}.localhost@evil")),
        (501, format!("3000-{one}.localhost")),
        (404, "49999-sb-00000000000000000000000000000000.localhost".to_owned()),
        // The host is the server: its path needs a token of the server.
        (401, format!("{one}.localhost")),
        (401, format!("49999-{one}")),
        (401, "10-0-0-7.default.pod.cluster.local".to_owned()),
    ] {
        assert_eq!(status(&host, "/execute", &[token]), expected, "{host}");
    }
    // A name that a caller gives to a sandbox is none of a host.
    let named = json!({ "name": "sb-named" });
    post(&server, "", "/v1/sandboxes", &[("authorization", "Bearer bob-secret")], named).expect(201);
    let bob = [("authorization", "Bearer bob-secret"), ("e2b-sandbox-id", "sb-named")];
    assert_eq!(status("", "/e2b/execute", &bob), 200);
    assert_eq!(status("49999-sb-named.localhost", "/execute", &bob), 421);
}

#[host_test]
fn every_server_answers_at_the_host_of_a_sandbox() {
    let replicas = Replicas::start(2);
    let [first, second] = [&replicas.servers[0], &replicas.servers[1]];
    let (sandbox, token, _) = create(first, "a.example:7070");
    let token = [("x-access-token", token.as_str())];
    let host = format!("49983-{sandbox}.a.example:7070");
    let path = |path: &str| json!({ "path": path });
    for (server, name) in [(second, "b"), (first, "a")] {
        post(server, &host, "/filesystem.Filesystem/MakeDir", &token, path(name)).expect(200);
        assert!(runs(server, &host, &token));
    }
    for server in [first, second] {
        let listed = post(server, &host, "/filesystem.Filesystem/ListDir", &token, path("/home/user")).expect(200);
        let names: Vec<_> = listed["entries"].as_array().expect("a list").iter().map(|one| text(one, "name")).collect();
        assert_eq!(names, ["a", "b"], "{listed}");
        let absent = post(server, &host, "/filesystem.Filesystem/Stat", &token, path("none"));
        assert_eq!(absent.expect(404)["code"], "not_found");
    }
    // A server that passes a request on says how it was addressed, and not where the other one is.
    for (server, host) in [(first, "b.example"), (second, "c.example:1")] {
        let connect = format!("/e2b/sandboxes/{sandbox}/connect");
        assert_eq!(post(server, host, &connect, &[KEY], json!({})).expect(200)["domain"], host);
    }
}
