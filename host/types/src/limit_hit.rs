//! Limits that a program ran into.

use std::fmt;

use serde::{Serialize, Serializer, ser::SerializeStruct as _};

/// Which limit it was, by its name in the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LimitName {
    /// Wall time, in milliseconds.
    WallTime,
    /// Time of a processor, in milliseconds.
    CpuTime,
    /// Sleeps, in milliseconds.
    Sleep,
    /// Memory.
    Memory,
    /// Messages over the wall in a second.
    HostCallsPerSecond,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// The value.
    Value,
    /// An exception's message or traceback.
    Error,
    /// Long payloads under way.
    Payload,
    /// Memory of the host for values.
    ValueMemory,
    /// Host calls that are listed.
    CallsRecorded,
    /// Calls of tools.
    ToolCalls,
    /// Calls of custom interfaces.
    CapabilityCalls,
    /// Live resources of custom interfaces.
    Resources,
    /// HTTP requests.
    HttpRequests,
    /// One body.
    HttpBody,
    /// Headers of one request or response.
    HttpHeaders,
    /// Bytes of their names and values.
    HttpHeaderBytes,
    /// Redirects that one request follows.
    HttpRedirects,
    /// One request with its redirects, in milliseconds.
    HttpRequestTime,
    /// All bodies together.
    HttpTotalBytes,
    /// All requests' time together, in milliseconds.
    HttpTotalTime,
    /// One file.
    FileBytes,
    /// All files together.
    FileTotalBytes,
    /// Files and directories.
    FileCount,
    /// How deep a file lies.
    FileDepth,
    /// A file's name.
    FileNameBytes,
}

impl LimitName {
    /// As policy files call it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WallTime => "timeout",
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
    /// What it is counted in.
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
            Self::WallTime | Self::CpuTime | Self::Sleep | Self::HttpRequestTime | Self::HttpTotalTime => {
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

/// What an amount is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Things, such as files.
    Count,
    /// Milliseconds.
    Milliseconds,
}

impl fmt::Display for Unit {
    /// As it follows a number in a sentence.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes => formatter.write_str(" bytes"),
            Self::Count => Ok(()),
            Self::Milliseconds => formatter.write_str(" ms"),
        }
    }
}

/// A limit that cut something off, or had something refused, and did not end the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitHit {
    /// Which limit.
    pub name: LimitName,
    /// How much may be.
    pub limit: u64,
    /// How much there was, or would have been.
    pub used: u64,
}

impl LimitHit {
    /// So much used, or asked for, of a limit.
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
