//! `[service]`: the settings of `isolette serve`.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, time::Duration};

use isolette::{
    Error, SnapshotKey,
    policy::SecretReference,
    values::{ResponseMemory, ValueMemory},
};
use isolette_service::{ServiceLimits, SharedStore};
use serde::Deserialize;

use super::values;
use crate::audit::AuditOptions;

/// Maximum number of live guests.
const GUESTS: usize = 4000;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServiceConfig {
    pub(crate) socket: Option<PathBuf>,
    pub(crate) http: Option<SocketAddr>,
    /// The tokens of callers, by the names of the callers.
    pub(crate) tokens: BTreeMap<String, SecretReference>,
    pub(crate) e2b_domain: Option<String>,
    pub(crate) state: Option<PathBuf>,
    pub(crate) shared_store: Option<String>,
    pub(crate) advertise: Option<String>,
    pub(crate) snapshot_key: Option<SecretReference>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) lease: Option<Duration>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) exit_when_idle: Option<Duration>,
    pub(crate) audit: Option<PathBuf>,
    pub(crate) audit_arguments: bool,
    pub(crate) concurrent_runs: Option<usize>,
    pub(crate) waiting_runs: Option<usize>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) waiting_time: Option<Duration>,
    pub(crate) guests: Option<usize>,
    pub(crate) sandboxes: Option<usize>,
    pub(crate) sandboxes_of_caller: Option<usize>,
    pub(crate) runs_of_caller: Option<usize>,
    pub(crate) contexts: Option<usize>,
    pub(crate) snapshots_of_caller: Option<usize>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) kept_run_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) kept_response_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) sandbox_file_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) stored_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) stored_bytes_of_caller: Option<u64>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) ttl: Option<Duration>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) longest_ttl: Option<Duration>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) idle: Option<Duration>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) kept_runs: Option<Duration>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) body_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) file_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) value_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) response_bytes: Option<u64>,
    pub(crate) connections: Option<usize>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) send_time: Option<Duration>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) drain: Option<Duration>,
}

impl ServiceConfig {
    pub(crate) fn audit(&self) -> AuditOptions {
        AuditOptions { audit: self.audit.clone(), audit_arguments: self.audit_arguments, otlp: None }
    }

    /// Checks what depends on this program. Each guest has a thread, and the records of what happens (`tracing-subscriber`) are for
    /// 4,096 threads of one process.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.guests {
            Some(guests) if guests > GUESTS => Err(Error::invalid(
                format!("`guests` is {guests}, and one server can have {GUESTS}"),
                "name fewer, or start several servers that share a store: `shared_store`",
            )),
            _ => Ok(()),
        }
    }

    /// The store that several servers share.
    pub(crate) fn shared_store(&self) -> Result<Option<SharedStore>, Error> {
        let Some(place) = &self.shared_store else {
            return match (&self.advertise, &self.snapshot_key, self.lease) {
                (None, None, None) => Ok(None),
                _ => Err(Error::invalid(
                    "`advertise`, `snapshot_key` and `lease` are for servers that share a store",
                    "name it: --shared-store s3://BUCKET/PREFIX, or `shared_store` of `[service]`",
                )),
            };
        };
        let mut store = SharedStore::new(place);
        store.advertise.clone_from(&self.advertise);
        store.lease = self.lease.unwrap_or(store.lease);
        if let Some(secret) = &self.snapshot_key {
            let wrong = |_| {
                Error::invalid(
                    "the snapshot key has not 64 hexadecimal digits",
                    "make one: `openssl rand -hex 32`, and give it to all servers that share the store",
                )
            };
            let mut bytes = [0; 32];
            hex::decode_to_slice(secret.read()?.expose().trim(), &mut bytes).map_err(wrong)?;
            store.key = Some(SnapshotKey::new(bytes));
        }
        Ok(Some(store))
    }

    /// Sets the limits of the whole process.
    pub(crate) fn set_limits_of_process(&self) {
        if let Some(bytes) = self.value_bytes {
            ValueMemory::set_limit(bytes);
        }
        if let Some(bytes) = self.response_bytes {
            ResponseMemory::set_limit(bytes);
        }
    }

    pub(crate) fn limits(&self) -> ServiceLimits {
        let mut limits = ServiceLimits::default();
        let length = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        limits.concurrent_runs = self.concurrent_runs.unwrap_or(limits.concurrent_runs);
        limits.waiting_runs = self.waiting_runs.unwrap_or(limits.waiting_runs);
        limits.waiting_time = self.waiting_time.unwrap_or(limits.waiting_time);
        limits.guests = self.guests.unwrap_or(limits.guests);
        limits.sandboxes = self.sandboxes.unwrap_or(limits.sandboxes);
        limits.sandboxes_of_caller = self.sandboxes_of_caller.unwrap_or(limits.sandboxes_of_caller);
        limits.runs_of_caller = self.runs_of_caller.unwrap_or(limits.runs_of_caller);
        limits.contexts = self.contexts.unwrap_or(limits.contexts);
        limits.snapshots_of_caller = self.snapshots_of_caller.unwrap_or(limits.snapshots_of_caller);
        limits.kept_run_bytes = self.kept_run_bytes.unwrap_or(limits.kept_run_bytes);
        limits.kept_response_bytes = self.kept_response_bytes.unwrap_or(limits.kept_response_bytes);
        limits.sandbox_file_bytes = self.sandbox_file_bytes.unwrap_or(limits.sandbox_file_bytes);
        limits.stored_bytes = self.stored_bytes.unwrap_or(limits.stored_bytes);
        limits.stored_bytes_of_caller = self.stored_bytes_of_caller.or(limits.stored_bytes_of_caller);
        limits.ttl = self.ttl.unwrap_or(limits.ttl);
        limits.longest_ttl = self.longest_ttl.unwrap_or(limits.longest_ttl);
        limits.idle = self.idle.unwrap_or(limits.idle);
        limits.kept_runs = self.kept_runs.unwrap_or(limits.kept_runs);
        limits.body_bytes = self.body_bytes.map_or(limits.body_bytes, length);
        limits.file_bytes = self.file_bytes.map_or(limits.file_bytes, length);
        limits.connections = self.connections.unwrap_or(limits.connections);
        limits.send_time = self.send_time.unwrap_or(limits.send_time);
        limits.drain = self.drain.unwrap_or(limits.drain);
        limits
    }
}
