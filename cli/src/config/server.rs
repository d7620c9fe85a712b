//! `[server]`: the settings of the server.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use isolette::{
    policy::{Limits, SecretReference},
    values::ValueMemory,
};
use isolette_mcp::{BudgetLimits, Profile, ServerLimits};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values;
use crate::audit::AuditOptions;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerConfig {
    #[serde(deserialize_with = "profile")]
    pub(crate) profile: Option<Profile>,
    pub(crate) http: Option<SocketAddr>,
    pub(crate) token: Option<SecretReference>,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) audit: Option<PathBuf>,
    pub(crate) audit_arguments: bool,
    pub(crate) state: Option<PathBuf>,
    pub(crate) concurrent_runs: Option<usize>,
    pub(crate) waiting_runs: Option<usize>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) waiting_time: Option<Duration>,
    pub(crate) sandboxes: Option<usize>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) sandbox_idle: Option<Duration>,
    pub(crate) snapshots: Option<usize>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) snapshot_bytes: Option<u64>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) task_after: Option<Duration>,
    pub(crate) tasks: Option<usize>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) approval_time: Option<Duration>,
    pub(crate) paused_programs: Option<usize>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) paused_bytes: Option<u64>,
    pub(crate) output_files: Option<usize>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) output_file_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) output_total_bytes: Option<u64>,
    pub(crate) text_characters: Option<usize>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) message_bytes: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) value_bytes: Option<u64>,
    pub(crate) budget: BudgetConfig,
}

/// The shared budget of programs: one for each sandbox that keeps its state, and one for all other programs of the
/// server.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BudgetConfig {
    pub(crate) tool_calls: Option<u64>,
    pub(crate) http_requests: Option<u64>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) time: Option<Duration>,
}

fn profile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Profile>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(D::Error::custom)
}

impl ServerConfig {
    pub(crate) fn audit(&self) -> AuditOptions {
        AuditOptions { audit: self.audit.clone(), audit_arguments: self.audit_arguments, otlp: None }
    }

    /// Sets the limits of the whole process.
    pub(crate) fn set_limits_of_process(&self) {
        if let Some(bytes) = self.value_bytes {
            ValueMemory::set_limit(bytes);
        }
    }

    pub(crate) fn limits(&self) -> ServerLimits {
        let mut limits = ServerLimits::default();
        limits.concurrent_runs = self.concurrent_runs.unwrap_or(limits.concurrent_runs);
        limits.waiting_runs = self.waiting_runs.unwrap_or(limits.waiting_runs);
        limits.waiting_time = self.waiting_time.unwrap_or(limits.waiting_time);
        limits.sandboxes = self.sandboxes.unwrap_or(limits.sandboxes);
        limits.sandbox_idle = self.sandbox_idle.unwrap_or(limits.sandbox_idle);
        limits.snapshots = self.snapshots.unwrap_or(limits.snapshots);
        limits.snapshot_bytes = self.snapshot_bytes.unwrap_or(limits.snapshot_bytes);
        limits.task_after = self.task_after.unwrap_or(limits.task_after);
        limits.tasks = self.tasks.unwrap_or(limits.tasks);
        limits.approval_time = self.approval_time.unwrap_or(limits.approval_time);
        limits.paused_programs = self.paused_programs.unwrap_or(limits.paused_programs);
        limits.paused_bytes = self.paused_bytes.unwrap_or(limits.paused_bytes);
        limits.output_files = self.output_files.unwrap_or(limits.output_files);
        limits.output_file_bytes = self.output_file_bytes.unwrap_or(limits.output_file_bytes);
        limits.output_total_bytes = self.output_total_bytes.unwrap_or(limits.output_total_bytes);
        limits.text_characters = self.text_characters.unwrap_or(limits.text_characters);
        if let Some(bytes) = self.message_bytes {
            limits.message_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        limits.budget = self.budget.limits();
        limits
    }
}

impl BudgetConfig {
    fn limits(&self) -> BudgetLimits {
        let mut limits = BudgetLimits::default();
        limits.tool_calls = self.tool_calls;
        limits.http_requests = self.http_requests;
        limits.time = self.time.filter(|time| *time != Limits::UNLIMITED_TIME);
        limits
    }
}
