//! `--audit`: records the host calls of programs in a file.

use std::path::PathBuf;

use clap::Args;
use isolette::{
    Error, Metrics, Redaction, SandboxBuilder,
    audit::{Audit, RecordedArguments},
};
use url::Url;

/// The records to write, and where.
#[derive(Debug, Default, Args)]
pub(crate) struct AuditOptions {
    /// Append a record of every host call to this file, as lines of JSON (docs/audit.md). Programs do not run if it cannot be
    /// written.
    #[arg(long, value_name = "FILE", help_heading = "Audit")]
    pub(crate) audit: Option<PathBuf>,
    /// Record the arguments of calls, without secrets, in addition to their SHA-256.
    #[arg(long, help_heading = "Audit")]
    pub(crate) audit_arguments: bool,
    /// Send a trace of each run, with a span for each host call, to this OpenTelemetry collector (OTLP over HTTP).
    #[arg(long, value_name = "URL", help_heading = "Audit")]
    pub(crate) otlp: Option<Url>,
}

/// The opened audit, for all sandboxes of a process.
pub(crate) struct Recorder {
    audit: Option<Audit>,
    arguments: bool,
    secrets: Redaction,
    pub(crate) metrics: Option<Metrics>,
}

impl Recorder {
    /// Opens the file. `secrets` are redacted besides those of the policy.
    pub(crate) fn open(options: &AuditOptions, secrets: Redaction) -> Result<Self, Error> {
        let audit = options.audit.as_deref().map(Audit::file).transpose()?;
        Ok(Self { audit, arguments: options.audit_arguments, secrets, metrics: None })
    }

    pub(crate) fn put_on_record(&self, builder: SandboxBuilder) -> SandboxBuilder {
        let mut builder = builder.redact(&self.secrets);
        if let Some(audit) = &self.audit {
            builder = builder.audit(audit);
        }
        if let Some(metrics) = &self.metrics {
            builder = builder.metrics(metrics);
        }
        if self.arguments {
            builder = builder.record_arguments(RecordedArguments::Whole);
        }
        builder
    }

    /// Waits until all records are written, at the end of the process.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.audit.as_ref().map_or(Ok(()), Audit::flush)
    }
}
