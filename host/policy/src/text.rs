//! Formats a policy as text: every part that will be enforced, one per line.

use std::{fmt, time::Duration};

use super::{Limits, Policy};

/// Writes a line with its label.
pub fn line(formatter: &mut fmt::Formatter<'_>, label: &str, text: impl fmt::Display) -> fmt::Result {
    writeln!(formatter, "{label:<12}{text}")
}

impl Policy {
    /// Writes what a run can access, one item per line.
    pub fn write_reach(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(formatter, "network", &self.network)?;
        for secret in &self.secrets {
            line(formatter, "secret", secret)?;
        }
        line(formatter, "tools", list(&self.tools))?;
        if !self.tool_patterns.is_empty() {
            line(formatter, "", format_args!("only {}", list(&self.tool_patterns)))?;
        }
        line(formatter, "interfaces", &self.capabilities)?;
        for mount in &self.mounts {
            line(formatter, "mount", mount)?;
        }
        Ok(())
    }

    /// Writes what needs approval, and the limits.
    pub fn write_terms(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(formatter, "approval", &self.approval)?;
        write!(formatter, "{}", self.limits)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_reach(formatter)?;
        self.write_terms(formatter)
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut each = |label, text: String| line(formatter, label, text);
        each(
            "timeout",
            format!(
                "{}, guest and host calls together; cpu time {}, sleep {}",
                time(self.timeout),
                time(self.cpu_time),
                time(self.sleep)
            ),
        )?;
        each("memory", format!("{}, payloads in flight {}", bytes(self.memory), bytes(self.payload)))?;
        each("code", bytes(self.code))?;
        each(
            "stdout",
            format!(
                "{}, stderr {}, value {}, error {}",
                bytes(self.stdout),
                bytes(self.stderr),
                bytes(self.value),
                bytes(self.error)
            ),
        )?;
        each(
            "host calls",
            format!(
                "{} a second, {} on record, {} of an audit",
                count(self.host_calls_per_second),
                count(self.calls_recorded),
                bytes(self.audit_bytes)
            ),
        )?;
        each("tool calls", count(self.tool_calls))?;
        each(
            "interfaces",
            format!("{} calls, {} resources at a time", count(self.capability_calls), count(self.resources)),
        )?;
        each(
            "requests",
            format!(
                "{}, {} at a time, at most {} each way and {} in all",
                count(self.http_requests),
                count(self.http_concurrent),
                bytes(self.http_body),
                bytes(self.http_total_bytes)
            ),
        )?;
        each(
            "",
            format!(
                "{} each and {} in all, {} redirects, {} headers of {}",
                time(self.http_request_time),
                time(self.http_total_time),
                count(self.http_redirects),
                count(self.http_headers),
                bytes(self.http_header_bytes)
            ),
        )?;
        let text = format!(
            "{} of {} each and {} in all, {} deep, names of {} bytes",
            count(self.file_count),
            bytes(self.file_bytes),
            bytes(self.file_total_bytes),
            count(self.file_depth),
            count(self.file_name_bytes)
        );
        write!(formatter, "{:<12}{text}", "files")
    }
}

/// Returns the names separated by commas, or `none`.
pub fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn count(limit: u64) -> String {
    if limit == Limits::UNLIMITED { "unlimited".into() } else { limit.to_string() }
}

fn time(limit: Duration) -> String {
    if limit == Limits::UNLIMITED_TIME { "unlimited".into() } else { format!("{limit:?}") }
}

/// Formats a number of bytes with its unit.
pub fn bytes(count: u64) -> String {
    match count {
        Limits::UNLIMITED => "unlimited".into(),
        _ if count >= 1 << 20 && count.is_multiple_of(1 << 20) => format!("{} MiB", count >> 20),
        _ if count >= 1 << 10 && count.is_multiple_of(1 << 10) => format!("{} KiB", count >> 10),
        _ => format!("{count} bytes"),
    }
}
