//! Errors of stores.

/// The reason why a store cannot be used, or an operation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectsError {
    /// A text that does not name a store.
    #[error("`{place}` cannot be used: {reason}\nhint: write `s3://BUCKET/PREFIX` or `file:///FOLDER`")]
    Place {
        /// The text.
        place: String,
        /// The reason.
        reason: String,
    },
    /// An object that has more bytes than the reader has room for.
    #[error("the object `{key}` has {size} bytes, and {limit} are read at most")]
    TooLarge {
        /// The key of the object.
        key: String,
        /// Its bytes.
        size: u64,
        /// The maximum.
        limit: u64,
    },
    /// The store could not be reached, or has refused. An object that was to be written may have been written or not.
    #[error("the shared store cannot {verb} `{key}`: {source}")]
    Failed {
        /// The operation: `read`, `write`, `list`, `delete`.
        verb: &'static str,
        /// The key, or the beginning of keys.
        key: String,
        /// The error of the store, or of the connection to it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl ObjectsError {
    pub(crate) fn failed(
        verb: &'static str,
        key: &str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Failed { verb, key: key.to_owned(), source: source.into() }
    }
}
