//! Servers that share a store, for tests.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use isolette_tests::{Skipped, agents};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    runs::config,
    server::{Server, text},
};

pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");
pub(crate) const ALICE: (&str, &str) = ("authorization", "Bearer alice-secret");

/// Servers with one store. A killed one is taken for gone after two seconds.
pub(crate) struct Replicas {
    _store: Store,
    pub(crate) servers: Vec<Server>,
}

enum Store {
    Folder { _folder: TempDir },
    Bucket { server: Child },
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Self::Bucket { server } = self {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

impl Replicas {
    pub(crate) fn start(count: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let place = format!("file://{}/objects", folder.path().display());
        Self::with(Store::Folder { _folder: folder }, count, &place, &[])
    }

    /// With a bucket of a server that speaks the protocol of S3.
    pub(crate) fn with_bucket(count: usize) -> Result<Self, Skipped> {
        let python = agents::installed_client("service-python/bin/python")?;
        let mut server = Command::new(python)
            .args(["-u", "-c", include_str!("clients/bucket.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Python starts");
        let mut url = String::new();
        let stdout = server.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut url).expect("text");
        let url = url.trim().to_owned();
        let variables = [
            ("AWS_ENDPOINT_URL", url.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
        ];
        assert!(url.starts_with("http://127.0.0.1:"), "the server of the bucket did not start");
        Ok(Self::with(Store::Bucket { server }, count, "s3://sandboxes/tests", &variables))
    }

    fn with(store: Store, count: usize, place: &str, variables: &[(&str, &str)]) -> Self {
        let config = config("[service]\nlease = '1500ms'\ndrain = '1s'\n[sandbox]\ntimeout = '20s'");
        let arguments = [
            "--http",
            "127.0.0.1:0",
            "--token",
            "alice=env:ALICE",
            "--token",
            "bob=env:BOB",
            "--config",
            &config,
            "--shared-store",
            place,
        ];
        let servers = (0..count).map(|_| Server::start_with(&arguments, variables)).collect();
        Self { _store: store, servers }
    }

    pub(crate) fn ask(&self, server: usize, method: &str, path: &str, body: Option<Value>) -> crate::server::Reply {
        let body = body.map(|body| body.to_string().into_bytes());
        self.servers[server].send(method, path, &[JSON, ALICE], body)
    }

    pub(crate) fn create(&self, server: usize, body: Value) -> String {
        let made = self.ask(server, "POST", "/v1/sandboxes", Some(body)).expect(201);
        format!("/v1/sandboxes/{}", text(&made, "id"))
    }

    pub(crate) fn value(&self, server: usize, sandbox: &str, code: &str) -> Value {
        let run = self.ask(server, "POST", &format!("{sandbox}/runs"), Some(json!({ "code": code }))).expect(200);
        assert_eq!(run["state"], "succeeded", "{run}");
        run["result"]["value"].clone()
    }

    pub(crate) fn begin(&self, server: usize, path: &str, mut body: Value) -> String {
        body["background"] = json!(true);
        let run = self.ask(server, "POST", path, Some(body)).expect(202);
        format!("/v1/runs/{}", text(&run, "id"))
    }
}
