//! Files of the host as a guest sees them (`wit/files.wit`).
//!
//! A mount shows a file system: a [`Directory`] of the host, or one of the embedder's own. Paths and access are checked
//! here, and what a guest writes is counted here, for every kind of mount.
//!
//! The crate depends on policies (mounts and limits), the messages about files and the bounds on work. It depends on no
//! engine, no record and no other capability.

#![deny(missing_docs)]

mod changes;
mod directory;
mod edit;
mod files;
mod keepers;
mod ledger;
mod locks;
mod output;
mod place;
mod quota;
mod ranges;
mod resizing;
mod temporary;
#[cfg(test)]
mod tests;
mod whole;

pub use self::{
    changes::Changes,
    directory::{Directory, file_error},
    files::Files,
    locks::Locks,
    quota::{Quota, SavedQuota},
};
