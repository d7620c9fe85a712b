//! Errors of files that cannot be shown.

/// The reason why a file cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectorError {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// A line is neither a record of an audit nor a result.
    #[error("line {line} cannot be shown: {reason}\nhint: name a file of `--audit`, or what `run --json` printed")]
    Line {
        /// The number of the line, from 1.
        line: u64,
        /// The reason.
        reason: String,
    },
    /// A line is longer than any that Isolette writes.
    #[error(
        "line {line} has more than {limit} bytes, which is the most that is read\n\
         hint: name a file of `--audit`, or what `run --json` printed"
    )]
    LongLine {
        /// The number of the line, from 1.
        line: u64,
        /// The maximum in bytes.
        limit: u64,
    },
    /// There is more than a page can show.
    #[error("there are more than {limit} {what}, which is the most that a page can show\nhint: choose runs: --run RUN")]
    TooMuch {
        /// The name of what exceeds the limit.
        what: &'static str,
        /// The maximum.
        limit: u64,
    },
}
