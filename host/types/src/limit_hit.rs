//! Limits that a program reached without being ended.

use std::fmt;

use serde::{Serialize, Serializer, ser::SerializeStruct as _};

/// A limit, by its name in the policy. [`LimitName::unit`] returns its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LimitName {
    /// The timeout of the run, in milliseconds.
    Timeout,
    /// CPU time of the run, in milliseconds.
    CpuTime,
    /// All sleeps together, in milliseconds.
    Sleep,
    /// Memory of the guest, in bytes.
    Memory,
    /// Host calls in one second.
    HostCallsPerSecond,
    /// Standard output, in bytes.
    Stdout,
    /// Standard error, in bytes.
    Stderr,
    /// The value that a program returns, in bytes.
    Value,
    /// An exception's message or traceback, in bytes.
    Error,
    /// Long payloads in flight, in bytes.
    Payload,
    /// Host memory for values, in bytes.
    ValueMemory,
    /// Host calls that the result lists.
    CallsRecorded,
    /// Tool calls.
    ToolCalls,
    /// Calls of custom interfaces.
    CapabilityCalls,
    /// Open resources of custom interfaces.
    Resources,
    /// HTTP requests.
    HttpRequests,
    /// One HTTP body, in bytes.
    HttpBody,
    /// Headers of one request or response.
    HttpHeaders,
    /// Names and values of the headers of one request or response, in bytes.
    HttpHeaderBytes,
    /// Redirects that one request follows.
    HttpRedirects,
    /// One request with its redirects, in milliseconds.
    HttpRequestTime,
    /// All HTTP bodies together, in bytes.
    HttpTotalBytes,
    /// The time of all requests together, in milliseconds.
    HttpTotalTime,
    /// One file, in bytes.
    FileBytes,
    /// All files together, in bytes.
    FileTotalBytes,
    /// Files and directories.
    FileCount,
    /// Directory depth of a file.
    FileDepth,
    /// A file's name, in bytes.
    FileNameBytes,
}

impl LimitName {
    /// Returns the name of the setting in policy files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::CpuTime => "limits.cpu_time",
            Self::Sleep => "limits.sleep",
            Self::Memory => "memory",
            Self::HostCallsPerSecond => "limits.host_calls_per_second",
            Self::Stdout => "limits.stdout",
            Self::Stderr => "limits.stderr",
            Self::Value => "limits.value",
            Self::Error => "limits.error",
            Self::Payload => "limits.payload",
            Self::ValueMemory => "server.value_bytes",
            Self::CallsRecorded => "limits.calls_recorded",
            Self::ToolCalls => "limits.tool_calls",
            Self::CapabilityCalls => "limits.capability_calls",
            Self::Resources => "limits.resources",
            Self::HttpRequests => "limits.http_requests",
            Self::HttpBody => "limits.http_body",
            Self::HttpHeaders => "limits.http_headers",
            Self::HttpHeaderBytes => "limits.http_header_bytes",
            Self::HttpRedirects => "limits.http_redirects",
            Self::HttpRequestTime => "limits.http_request_time",
            Self::HttpTotalBytes => "limits.http_total_bytes",
            Self::HttpTotalTime => "limits.http_total_time",
            Self::FileBytes => "limits.file_bytes",
            Self::FileTotalBytes => "limits.file_total_bytes",
            Self::FileCount => "limits.file_count",
            Self::FileDepth => "limits.file_depth",
            Self::FileNameBytes => "limits.file_name_bytes",
        }
    }
}

impl LimitName {
    /// Returns the unit of the limit.
    #[must_use]
    pub fn unit(self) -> Unit {
        match self {
            Self::HostCallsPerSecond
            | Self::CallsRecorded
            | Self::ToolCalls
            | Self::CapabilityCalls
            | Self::Resources
            | Self::HttpRequests
            | Self::HttpHeaders
            | Self::HttpRedirects
            | Self::FileCount
            | Self::FileDepth => Unit::Count,
            Self::Timeout | Self::CpuTime | Self::Sleep | Self::HttpRequestTime | Self::HttpTotalTime => {
                Unit::Milliseconds
            }
            _ => Unit::Bytes,
        }
    }

    fn hint(self) -> String {
        match self {
            Self::ValueMemory => "give back fewer values or one text, or try again when the host is less busy; the \
                                  operator can raise `value_bytes` in `[server]` (`ValueMemory::set_limit`)"
                .into(),
            other => format!("raise `{}` in the policy", other.as_str()),
        }
    }
}

/// The unit of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// A number of items, such as files.
    Count,
    /// Milliseconds.
    Milliseconds,
}

impl fmt::Display for Unit {
    /// Writes the unit as it follows a number in a sentence; nothing for [`Unit::Count`].
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes => formatter.write_str(" bytes"),
            Self::Count => Ok(()),
            Self::Milliseconds => formatter.write_str(" ms"),
        }
    }
}

/// A limit that truncated data or caused a call to be refused, and did not end the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitHit {
    /// The limit that was reached.
    pub name: LimitName,
    /// The maximum, in the unit of the limit.
    pub limit: u64,
    /// How much was used, or would have been.
    pub used: u64,
}

impl LimitHit {
    /// Creates a limit hit: `used` was used or requested of `limit`.
    #[must_use]
    pub fn new(name: LimitName, limit: u64, used: u64) -> Self {
        Self { name, limit, used }
    }
}

impl fmt::Display for LimitHit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, limit, used } = self;
        write!(formatter, "`{}` is {limit}, and {used} were used or asked for\nhint: {}", name.as_str(), name.hint())
    }
}

impl Serialize for LimitHit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut limit_hit = serializer.serialize_struct("LimitHit", 4)?;
        limit_hit.serialize_field("name", &self.name)?;
        limit_hit.serialize_field("limit", &self.limit)?;
        limit_hit.serialize_field("used", &self.used)?;
        limit_hit.serialize_field("hint", &self.name.hint())?;
        limit_hit.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_for_values_is_no_matter_of_the_policy() {
        let shown = LimitHit::new(LimitName::ValueMemory, 10, 20).to_string();
        assert!(shown.starts_with("`server.value_bytes` is 10, and 20 were"), "{shown}");
        assert!(shown.contains("`value_bytes` in `[server]`") && !shown.contains("policy"), "{shown}");
        let shown = LimitHit::new(LimitName::Payload, 10, 20).to_string();
        assert!(shown.ends_with("hint: raise `limits.payload` in the policy"), "{shown}");
    }
}
