//! The broker without an engine, for tests and fuzzers that play an untrusted guest.

use std::{io, sync::Arc, time::Duration};

use isolette_abi::MESSAGE_LIMIT;
use tokio_util::sync::CancellationToken;

use isolette_capabilities::Interfaces;
use isolette_deadline::{Deadline, Stop};
use isolette_engine::HostCall as _;
use isolette_files::Files;
use isolette_http::{Http, HttpLimits};
use isolette_policy::{Access, Limits, Mount, PolicyBuilder, network::Network};
use isolette_tools::{Tool, Tools};
use isolette_types::Language;

use super::Broker;
use crate::{
    blocking_threads::BlockingThreads,
    capabilities::Capabilities,
    guest_context::GuestContext,
    oversight::Oversight,
    system::{System, SystemState},
};

/// Maximum number of bytes that the host keeps for a run.
pub(crate) const LIMIT: u64 = 1 << 20;

/// A broker whose guest may write to one directory, call one tool and send no request.
pub(crate) struct Trial {
    pub(super) broker: Broker,
    outside: tempfile::TempDir,
}

impl Trial {
    pub(crate) fn new() -> Self {
        Self::with(Tool::typed("echo", "", |value: serde_json::Value| Ok::<_, String>(value)).unwrap())
    }

    /// The same with another tool.
    pub(super) fn with(tool: Tool) -> Self {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "secret").unwrap();
        std::fs::create_dir(outside.path().join("output")).unwrap();
        let mount = Mount::new(outside.path().join("output"), "/output", Access::ReadWrite).unwrap();
        let mut limits = Limits::default();
        (limits.payload, limits.stdout, limits.stderr) = (LIMIT, LIMIT, LIMIT);
        (limits.file_bytes, limits.file_total_bytes, limits.file_count) = (LIMIT, 2 * LIMIT, 100);
        limits.sleep = Duration::ZERO;
        let http = Http::new(Network::None, HttpLimits::of(&limits));
        let parts = PolicyBuilder { mounts: vec![mount], limits, ..PolicyBuilder::default() };
        let policy = parts.finish([tool.name()], Vec::new()).unwrap();
        let capabilities = Capabilities {
            tools: Tools::new(vec![tool], &[], Language::Python.into()).unwrap(),
            http,
            interfaces: Interfaces::default(),
            threads: BlockingThreads::default(),
        };
        let files = Arc::new(Files::new(&policy.mounts).unwrap());
        let system = System::continued(None, &SystemState::default());
        let guest = GuestContext::new(&policy, &files, false, system, None).unwrap();
        let minute = Duration::from_secs(60);
        let broker = Broker::new(
            Arc::new(capabilities),
            guest,
            Arc::new(policy),
            Oversight::default(),
            Deadline::new(minute, minute, CancellationToken::new()),
            Arc::default(),
            None,
        );
        Self { broker, outside }
    }

    /// The checks that are applied to every call.
    #[cfg(test)]
    pub(super) fn checks(&mut self) -> &mut Vec<isolette_policy::CallCheck> {
        &mut Arc::get_mut(&mut self.broker.scope).expect("no call is pending").oversight.checks
    }

    /// Sets the run in a recording.
    #[cfg(test)]
    pub(super) fn recording(&mut self, run: crate::recording::RunRecording) {
        let scope = Arc::get_mut(&mut self.broker.scope).expect("no call is pending");
        scope.oversight.recording = Some(Arc::new(run));
    }

    pub(crate) fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop> {
        let reply = self.broker.call(message);
        assert!(reply.as_ref().map_or(0, Vec::len) <= MESSAGE_LIMIT, "a reply that fits no message");
        reply
    }

    /// Asserts that nothing outside of the mount was changed, and that the limits on kept data hold.
    pub(crate) fn assert_sound(&self) {
        let read = || -> io::Result<_> {
            let names = std::fs::read_dir(self.outside.path())?.count();
            Ok((names, std::fs::read_to_string(self.outside.path().join("secret"))?))
        };
        assert_eq!(read().unwrap(), (2, "secret".to_owned()));
        let record = self.broker.record();
        assert!(record.stdout.len() as u64 <= LIMIT && record.stderr.len() as u64 <= LIMIT);
        assert!(record.calls.len() as u64 <= Limits::default().calls_recorded);
    }
}
