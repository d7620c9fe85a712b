//! The names of open files on mounts.
//!
//! The host knows files by name only. Who has one open must therefore hear when its name changes, or it would write to
//! whatever has taken the name since.

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use isolette_abi::files::FileError;

use super::path::GuestPath;

/// What a file is called now; nothing once it was removed.
#[derive(Clone)]
pub(crate) struct Name(Rc<RefCell<Option<GuestPath>>>);

impl Name {
    pub(crate) fn new(path: &GuestPath) -> Self {
        Self(Rc::new(RefCell::new(Some(path.clone()))))
    }

    /// # Errors
    /// Fails once the file was removed. Unlike on a disk it cannot be used any longer.
    pub(crate) fn path(&self) -> Result<GuestPath, FileError> {
        self.0.borrow().clone().ok_or(FileError::NotFound)
    }
}

/// All names that somebody holds.
#[derive(Default)]
pub(crate) struct Names(Vec<Weak<RefCell<Option<GuestPath>>>>);

impl Names {
    /// Lets `name` follow its file from now on.
    pub(crate) fn follow(&mut self, name: &Name) {
        self.0.retain(|held| held.strong_count() > 0);
        self.0.push(Rc::downgrade(&name.0));
    }

    pub(crate) fn removed(&self, path: &GuestPath) {
        self.change(|name| if name.as_str() == path.as_str() { None } else { Some(name.clone()) });
    }

    /// Everything at `source` and below it is at `target` now, and what was at `target` is gone.
    pub(crate) fn renamed(&self, source: &GuestPath, target: &GuestPath) {
        if source.as_str() == target.as_str() {
            return;
        }
        self.change(|name| match (name.below(source.as_str()), name.below(target.as_str())) {
            (Some(""), _) => Some(target.clone()),
            (Some(way), _) => target.join(way).ok(),
            (None, Some(_)) => None,
            (None, None) => Some(name.clone()),
        });
    }

    fn change(&self, new: impl Fn(&GuestPath) -> Option<GuestPath>) {
        for name in self.0.iter().filter_map(Weak::upgrade) {
            let changed = name.borrow().as_ref().and_then(&new);
            *name.borrow_mut() = changed;
        }
    }
}
