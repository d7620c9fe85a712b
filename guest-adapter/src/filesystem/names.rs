//! The names of open files on mounts.
//!
//! The host identifies files by name only. If a file is renamed, an open handle must get the new name, or it would refer to
//! whichever file has the old name.

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use isolette_abi::files::FileError;

use super::path::GuestPath;

/// The current name of a file; `None` after it was removed.
#[derive(Clone)]
pub(crate) struct Name(Rc<RefCell<Option<GuestPath>>>);

impl Name {
    pub(crate) fn new(path: &GuestPath) -> Self {
        Self(Rc::new(RefCell::new(Some(path.clone()))))
    }

    /// # Errors
    /// Fails after the file was removed. Unlike on a disk, it cannot be used any longer.
    pub(crate) fn path(&self) -> Result<GuestPath, FileError> {
        self.0.borrow().clone().ok_or(FileError::NotFound)
    }
}

/// All names of open files.
#[derive(Default)]
pub(crate) struct Names(Vec<Weak<RefCell<Option<GuestPath>>>>);

impl Names {
    /// Updates `name` with its file from now on.
    pub(crate) fn follow(&mut self, name: &Name) {
        self.0.retain(|held| held.strong_count() > 0);
        self.0.push(Rc::downgrade(&name.0));
    }

    pub(crate) fn removed(&self, path: &GuestPath) {
        self.change(|name| if name.as_str() == path.as_str() { None } else { Some(name.clone()) });
    }

    /// Updates the names of everything at and below `source`, and invalidates what was at `target`.
    pub(crate) fn renamed(&self, source: &GuestPath, target: &GuestPath) {
        if source.as_str() == target.as_str() {
            return;
        }
        self.change(|name| match (name.below(source.as_str()), name.below(target.as_str())) {
            (Some(""), _) => Some(target.clone()),
            (Some(relative), _) => target.join(relative).ok(),
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
