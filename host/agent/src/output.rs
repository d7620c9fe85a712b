//! Limits on the files that a program writes for the user of an agent.

use isolette::{ExecutionResult, GuestError};

/// Limits on the files that a run writes to `/output`. Exceeding a limit is an error of the run, so that an incomplete
/// set of files is not mistaken for the whole; the value and the output are kept.
///
/// | limit | default |
/// |---|---|
/// | `files` | 20 |
/// | `file_bytes` | 5 MiB |
/// | `total_bytes` | 20 MiB |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputLimits {
    /// Maximum number of files.
    pub files: usize,
    /// Maximum size of one file in bytes.
    pub file_bytes: u64,
    /// Maximum size of all files in bytes.
    pub total_bytes: u64,
}

impl Default for OutputLimits {
    fn default() -> Self {
        Self { files: 20, file_bytes: 5 << 20, total_bytes: 20 << 20 }
    }
}

impl OutputLimits {
    /// Sets an error of the kind `OutputLimit` if a limit is exceeded and the result has no other error.
    pub(super) fn hold(self, mut result: ExecutionResult) -> ExecutionResult {
        if let (None, Some(message)) = (&result.error, self.excess(&result)) {
            result.exit_code = 1;
            let mut error = GuestError::default();
            (error.kind, error.message) = ("OutputLimit".into(), message);
            result.error = Some(error);
        }
        result
    }

    fn excess(self, result: &ExecutionResult) -> Option<String> {
        let (count, files) = (result.files.len(), self.files);
        if count > files || result.truncated.files {
            let more = if result.truncated.files { "more than " } else { "" };
            return Some(format!(
                "the program left {more}{count} files in /output, the limit is {files}\n\
                 hint: write fewer files, or put them into one archive"
            ));
        }
        if let Some(file) = result.files.iter().find(|file| file.size > self.file_bytes) {
            return Some(format!(
                "{} is {} bytes, the limit for one file is {}\nhint: write less, or several files",
                file.path, file.size, self.file_bytes
            ));
        }
        let total: u64 = result.files.iter().map(|file| file.size).sum();
        (total > self.total_bytes).then(|| {
            format!(
                "the files in /output are {total} bytes together, the limit is {}\nhint: write less",
                self.total_bytes
            )
        })
    }
}
