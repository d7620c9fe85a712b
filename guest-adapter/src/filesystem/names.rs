//! Open files on mounts, by their names.
//!
//! The host identifies files by name only. If a file is renamed, an open handle must get the new name, or it would refer to
//! whichever file has the old name. If its name is removed or given to another file, the handle keeps the content (`unnamed`).

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use isolette_abi::files::FileError;

use super::{memory::Node, path::GuestPath};
use crate::bindings::exports::wasi::filesystem::types::MetadataHashValue;

/// A file without a name.
#[derive(Clone)]
pub(crate) struct Unnamed {
    pub(crate) node: Rc<Node>,
    /// The identity that it had with its name.
    pub(crate) identity: MetadataHashValue,
}

/// Where the file of an open handle is.
#[derive(Clone)]
enum Place {
    /// On a mount, with this name.
    Named(GuestPath),
    /// In memory, after its name was removed.
    Unnamed(Unnamed),
    /// Nowhere: a directory, or a file that did not fit into memory.
    Gone,
}

/// The file of an open handle on a mount.
#[derive(Clone)]
pub(crate) struct Name(Rc<RefCell<Place>>);

impl Name {
    pub(crate) fn new(path: &GuestPath) -> Self {
        Self(Rc::new(RefCell::new(Place::Named(path.clone()))))
    }

    /// # Errors
    /// Fails after the name was removed.
    pub(crate) fn path(&self) -> Result<GuestPath, FileError> {
        match &*self.0.borrow() {
            Place::Named(path) => Ok(path.clone()),
            Place::Unnamed(_) | Place::Gone => Err(FileError::NotFound),
        }
    }

    /// The file in memory, after its name was removed.
    pub(crate) fn unnamed(&self) -> Option<Unnamed> {
        match &*self.0.borrow() {
            Place::Unnamed(file) => Some(file.clone()),
            Place::Named(_) | Place::Gone => None,
        }
    }
}

/// All names of open files.
#[derive(Default)]
pub(crate) struct Names(Vec<Weak<RefCell<Place>>>);

impl Names {
    /// Updates `name` with its file from now on.
    pub(crate) fn follow(&mut self, name: &Name) {
        self.0.retain(|held| held.strong_count() > 0);
        self.0.push(Rc::downgrade(&name.0));
    }

    /// Whether a file of this name is open.
    pub(crate) fn is_open(&self, path: &GuestPath) -> bool {
        let is_here = |place: &Place| matches!(place, Place::Named(name) if name.as_str() == path.as_str());
        self.0.iter().filter_map(Weak::upgrade).any(|place| is_here(&place.borrow()))
    }

    /// Gives the handles of a removed file its content.
    pub(crate) fn removed(&self, path: &GuestPath, content: Option<&Unnamed>) {
        self.change(|name| (name.as_str() == path.as_str()).then(|| nameless(content)));
    }

    /// Updates the names of everything at and below `source`, and gives the handles of a file that was at `target` its content.
    pub(crate) fn renamed(&self, source: &GuestPath, target: &GuestPath, replaced: Option<&Unnamed>) {
        if source.as_str() == target.as_str() {
            return;
        }
        self.change(|name| match (name.below(source.as_str()), name.below(target.as_str())) {
            (Some(""), _) => Some(Place::Named(target.clone())),
            (Some(relative), _) => Some(target.join(relative).map_or(Place::Gone, Place::Named)),
            (None, Some(_)) => Some(nameless(replaced)),
            (None, None) => None,
        });
    }

    fn change(&self, new: impl Fn(&GuestPath) -> Option<Place>) {
        for place in self.0.iter().filter_map(Weak::upgrade) {
            let changed = match &*place.borrow() {
                Place::Named(name) => new(name),
                Place::Unnamed(_) | Place::Gone => None,
            };
            if let Some(changed) = changed {
                *place.borrow_mut() = changed;
            }
        }
    }
}

fn nameless(content: Option<&Unnamed>) -> Place {
    content.map_or(Place::Gone, |content| Place::Unnamed(content.clone()))
}
