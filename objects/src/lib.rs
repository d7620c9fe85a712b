//! Objects that several servers share: a bucket that speaks the protocol of S3, or a folder.
//!
//! An object has a key and bytes. It is written as a whole, and every later read returns all of it. [`Objects::swap`] writes only
//! if no other server has written meanwhile: servers agree by it which of them continues what, without a service beside the store.
//!
//! ```
//! # async fn example() -> Result<(), isolette_objects::ObjectsError> {
//! use isolette_objects::Objects;
//!
//! let folder = std::env::temp_dir().join("isolette-objects-example");
//! let objects = Objects::open(&format!("file://{}", folder.display()))?;
//! let first = objects.swap("leader", "one".into(), None).await?.expect("there is none yet");
//! // Another server did not see the first one.
//! assert!(objects.swap("leader", "two".into(), None).await?.is_none());
//! objects.swap("leader", "three".into(), Some(&first)).await?;
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok(())
//! # }
//! # tokio::runtime::Runtime::new().unwrap().block_on(example()).unwrap();
//! ```
//!
//! This crate knows nothing about sandboxes. It depends on the host's HTTP capability for the configuration of TLS only.

#![deny(missing_docs)]

mod crypto;
mod error;
mod folder;
mod http;
mod objects;
mod time;

pub use self::{
    error::ObjectsError,
    objects::{Listed, Object, Objects, Version},
};
