//! The table of all limits of a run.

/// Passes the table of all limits to a macro, which generates code from it: [`LimitName`](crate::LimitName) here; the
/// limits of a policy, the keys of policy files and the table in `docs/policy.md` in the crate `isolette-policy`.
///
/// Limits are grouped as `isolette policy show` prints them. Those in `top` have keys of their own in a policy file, all
/// others are keys of `[limits]`. A row is
///
/// ```text
/// /// What is limited.
/// Variant field: kind default => "what happens beyond the limit";
/// ```
///
/// with the variant of `LimitName`, the field of `Limits` (`as` its key in policy files, where that differs), and one of
/// these kinds:
///
/// | kind | type | in a policy file |
/// |---|---|---|
/// | `time` | `Duration` | `"30s"` |
/// | `size` | bytes, as `u64` | `"256MiB"` |
/// | `bytes` | bytes, as `u64` | `255` |
/// | `count` | `u64` | `1000` |
#[macro_export]
macro_rules! limit_table {
    ($macro:ident) => {
        $macro! {
            top "limits" {
                /// Wall time of the guest and its host calls together.
                Timeout timeout as "timeout": time 30 s =>
                    "the run ends with the error `Timeout`";
                /// Linear memory of the guest, of which a Python image uses about 40 MiB before the program starts. It
                /// cannot be unlimited.
                Memory memory as "memory": size 256 MiB =>
                    "allocations fail inside the guest (`MemoryError`, `out of memory`); if the program cannot continue, the \
                     run ends with the error `OutOfMemory`";
            }
            "limits" {
                /// CPU time of the guest and of the host's work for its calls, without tools. A file or flag that sets
                /// `timeout` to more raises this limit to the same.
                CpuTime cpu_time: time 30 s =>
                    "the run ends with the error `CpuTimeExceeded`";
                /// All sleeps of the program together. A file or flag that sets `timeout` to more raises this limit to the
                /// same.
                Sleep sleep: time 30 s =>
                    "the run ends with the error `SleepExceeded`";
                /// Source code.
                Code code: size 10 MiB =>
                    "nothing runs; the error is `LimitExceeded`";
                /// Long arguments, bodies and values in flight at the same time, and the memory of the arguments of one tool
                /// call once they are values (a number takes 144 bytes).
                Payload payload: size 64 MiB =>
                    "the call fails";
            }
            "output" {
                /// Standard output.
                Stdout stdout: size 1 MiB =>
                    "the rest is dropped";
                /// Standard error.
                Stderr stderr: size 1 MiB =>
                    "the rest is dropped";
                /// The value of the program, as JSON.
                Value value: size 1 MiB =>
                    "the value is dropped";
                /// The message of an exception, and as much of its traceback.
                Error error: size 256 KiB =>
                    "message and traceback are cut";
            }
            "calls" {
                /// Host calls in any second. Ordinary programs make some thousands.
                HostCallsPerSecond host_calls_per_second: count 500_000 =>
                    "the run ends with the error `HostCallRateExceeded`";
                /// Host calls that the result lists. An audit gets all of them.
                CallsRecorded calls_recorded: count 1_000 =>
                    "later calls are counted, and not listed";
                /// Calls of tools, HTTP requests and calls of custom interfaces that are performed at the same time, if a
                /// program does not wait for each one.
                ParallelCalls parallel_calls: count 16 =>
                    "further calls wait for their turn, in the order of the program";
                /// Calls of tools.
                ToolCalls tool_calls: count 1_000 =>
                    "the call fails";
                /// Calls of custom interfaces, which are designed for many small calls.
                CapabilityCalls capability_calls: count 10_000 =>
                    "the call fails";
                /// Resources of custom interfaces that a guest may hold at the same time.
                Resources resources: count 1_000 =>
                    "a call that would return one more fails";
                /// JSON that one run may write to an audit.
                AuditBytes audit_bytes: size 16 MiB =>
                    "beyond half of it, file calls are counted and not recorded one by one; beyond all of it, the run ends at \
                     its next other call with the error `AuditBytesExceeded`";
            }
            "http" {
                /// HTTP requests, redirects and repetitions on a new connection included.
                HttpRequests http_requests: count 1_000 =>
                    "the request fails";
                /// HTTP requests in flight at a time, of all runs of a sandbox together.
                HttpConcurrent http_concurrent: count 8 =>
                    "further requests wait, within their time";
                /// The body of one request or response, with content codings decoded.
                HttpBody http_body: size 16 MiB =>
                    "a request is refused, a response is cut";
                /// Bodies that are sent, and everything received, in its size over the wire or after decoding, whichever is
                /// more for each request. Redirects and failed requests are included.
                HttpTotalBytes http_total_bytes: size 256 MiB =>
                    "the request fails, also one in flight";
                /// Headers of one request or response.
                HttpHeaders http_headers: count 128 =>
                    "the request fails";
                /// Names and values of the headers of one request or response. The default is the maximum.
                HttpHeaderBytes http_header_bytes: size 32 KiB =>
                    "the request fails";
                /// Redirects that one request may follow.
                HttpRedirects http_redirects: count 10 =>
                    "the request fails";
                /// Time for one request with its redirects, without waiting for approval.
                HttpRequestTime http_request_time: time 30 s =>
                    "the request fails";
                /// Time for all requests together, without waiting for approval.
                HttpTotalTime http_total_time: time 5 m =>
                    "the request fails, also one in flight";
            }
            "files" {
                /// Length of one file that a guest writes.
                FileBytes file_bytes: size 256 MiB =>
                    "the write fails with `EFBIG`";
                /// Length by which all files together may grow.
                FileTotalBytes file_total_bytes: size 1 GiB =>
                    "the write fails with `ENOSPC`";
                /// Files and directories that a guest may create.
                FileCount file_count: count 10_000 =>
                    "the creation fails with `ENOSPC`";
                /// Depth of a directory below a mount.
                FileDepth file_depth: count 32 =>
                    "the creation fails with `ENAMETOOLONG`";
                /// Length of one file name.
                FileNameBytes file_name_bytes: bytes 255 =>
                    "the creation fails with `ENAMETOOLONG`";
            }
        }
    };
}
