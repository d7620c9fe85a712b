//! A service on the loopback interface, in this process, that has no place for guests.

use std::{
    cell::Cell,
    io::{Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

use isolette::{CancellationToken, Secret, policy::PolicyFile};
use isolette_service::{Address, Grants, Service, ServiceLimits, Token};
use tempfile::TempDir;
use tokio::{runtime::Runtime, task::JoinHandle};

use crate::{
    requests::{Input, TOKEN},
    responses::Responses,
};

/// The end of an exchange that does not end. The service has shorter time limits for what a client does not send.
const TIME: Duration = Duration::from_secs(15);

/// The sandbox that is there for each input, by its name.
const SANDBOX: &str = "POST /v1/sandboxes\n\n{\"name\": \"work\"}";

/// A service with one caller and one sandbox.
pub struct Server {
    address: SocketAddr,
    serving: JoinHandle<()>,
    shutdown: CancellationToken,
    runtime: Runtime,
    has_sandbox: Cell<bool>,
    _state: TempDir,
}

impl Server {
    /// Starts a service with an empty state that grants nothing.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// Starts a service with an empty state that grants a policy, in the form of a policy file.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start_with(policy: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("threads");
        let state = tempfile::tempdir().expect("a folder");
        let policy = PolicyFile::parse(policy).expect("a policy file");
        let mut limits = ServiceLimits::default();
        limits.guests = 0;
        limits.waiting_time = Duration::ZERO;
        limits.sandboxes_of_caller = 8;
        limits.contexts = 4;
        limits.snapshots_of_caller = 4;
        limits.file_bytes = 2048;
        limits.body_bytes = 2048;
        limits.drain = Duration::ZERO;
        let opened = runtime.block_on(Service::open(&state.path().join("service"), Grants::new(policy), limits));
        let tokens = vec![Token { caller: "caller".into(), secret: Secret::new(TOKEN) }];
        let address = Address::Tcp { address: (Ipv4Addr::LOCALHOST, 0).into(), tokens };
        let bound = runtime.block_on(async { opened.expect("a service").bind(address) }).expect("a port");
        let address = bound.url().strip_prefix("http://").and_then(|address| address.parse().ok());
        let shutdown = CancellationToken::new();
        let serving = runtime.spawn(bound.run(shutdown.clone()));
        let address = address.expect("an address");
        let server = Self { address, serving, shutdown, runtime, has_sandbox: Cell::new(false), _state: state };
        server.renew_sandboxes();
        server
    }

    /// Sends bytes and returns all that comes back until the end of the connection.
    ///
    /// # Panics
    /// If the connection does not end.
    pub fn exchange(&self, bytes: &[u8], is_whole: bool) -> Vec<u8> {
        let mut connection = TcpStream::connect(self.address).expect("the service accepts");
        connection.set_read_timeout(Some(TIME)).expect("a socket");
        // It may have refused the beginning already.
        let sent = connection.write_all(bytes);
        if !is_whole && sent.is_ok() {
            // The service need not wait for more.
            let _ = connection.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        match connection.read_to_end(&mut answer) {
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            read => drop(read.unwrap_or_else(|error| panic!("{error} after {}", answer.escape_ascii()))),
        }
        answer
    }

    /// Deletes all sandboxes, and creates the one that inputs refer to.
    ///
    /// # Panics
    /// If one of the requests fails.
    pub fn renew_sandboxes(&self) {
        let ask = |text: &str, statuses: &[u16]| {
            let answer = self.exchange(&Input::of(text.as_bytes()).sent, true);
            let responses = Responses::read(&answer, false);
            let [response] = responses.whole.as_slice() else { panic!("{}", answer.escape_ascii()) };
            assert!(statuses.contains(&response.status), "{text}: {}", answer.escape_ascii());
            if response.status == 204 { serde_json::Value::Null } else { response.json() }
        };
        for sandbox in ask("GET /v1/sandboxes", &[200])["sandboxes"].as_array().into_iter().flatten() {
            ask(&format!("DELETE /v1/sandboxes/{}", sandbox["id"].as_str().unwrap_or_default()), &[204]);
        }
        for snapshot in ask("GET /v1/snapshots", &[200])["snapshots"].as_array().into_iter().flatten() {
            ask(&format!("DELETE /v1/snapshots/{}", snapshot["id"].as_str().unwrap_or_default()), &[204]);
        }
        // Without images there are no sandboxes, and inputs reach less.
        self.has_sandbox.set(ask(SANDBOX, &[201, 501])["id"].is_string());
    }

    /// Whether there is the sandbox that inputs refer to.
    pub fn has_sandbox(&self) -> bool {
        self.has_sandbox.get()
    }

    /// Stops the service, as a signal does.
    ///
    /// # Panics
    /// If it panicked.
    pub fn stop(self) {
        self.shutdown.cancel();
        self.runtime.block_on(self.serving).expect("the service ends");
    }
}
