//! `/tmp`: files in the memory of the instance.
//!
//! An open file keeps its content, so that a program can remove a temporary file and still use it.

use std::{cell::Cell, cell::RefCell, collections::BTreeMap, rc::Rc};

use isolette_abi::files::{FileError, Kind, Status};

use super::{
    pages::{Budget, Pages},
    path::parts,
};

/// The approximate size of an entry without its name and content.
const ENTRY_COST: usize = 256;

/// A file or a directory.
pub(crate) struct Node {
    /// Unique in the instance.
    pub(crate) id: u64,
    modified: Cell<u64>,
    has_name: Cell<bool>,
    content: Content,
    budget: Budget,
}

enum Content {
    File(RefCell<Pages>),
    Directory(RefCell<BTreeMap<String, Rc<Node>>>),
}

impl Drop for Node {
    fn drop(&mut self) {
        self.budget.give_back(ENTRY_COST);
    }
}

/// The directory tree.
pub(crate) struct Memory {
    root: Rc<Node>,
    budget: Budget,
    next_id: u64,
}

impl Default for Memory {
    fn default() -> Self {
        let budget = Budget::default();
        let content = Content::Directory(RefCell::default());
        Self {
            root: Rc::new(Node {
                id: 0,
                modified: Cell::new(0),
                has_name: Cell::new(true),
                content,
                budget: budget.clone(),
            }),
            budget,
            next_id: 1,
        }
    }
}

impl Memory {
    /// Returns the node at `path`, relative to the root.
    pub(crate) fn find(&self, path: &str) -> Result<Rc<Node>, FileError> {
        parts(path).try_fold(self.root.clone(), |node, name| {
            node.entries()?.borrow().get(name).cloned().ok_or(FileError::NotFound)
        })
    }

    pub(crate) fn create(&mut self, path: &str, kind: Kind, now: u64) -> Result<(), FileError> {
        let (parent, name) = self.parent(path)?;
        let mut entries = parent.entries()?.borrow_mut();
        if entries.contains_key(name) {
            return Err(FileError::Exists);
        }
        let node = self.node(kind, now)?;
        node.has_name.set(true);
        entries.insert(name.to_owned(), node);
        parent.modified.set(now);
        Ok(())
    }

    /// Makes an empty file that no directory contains.
    pub(crate) fn unnamed_file(&mut self, now: u64) -> Result<Rc<Node>, FileError> {
        self.node(Kind::File, now)
    }

    fn node(&mut self, kind: Kind, now: u64) -> Result<Rc<Node>, FileError> {
        self.budget.take(ENTRY_COST)?;
        let content = match kind {
            Kind::Directory => Content::Directory(RefCell::default()),
            Kind::File | Kind::Other => Content::File(RefCell::new(Pages::new(self.budget.clone()))),
        };
        let (modified, has_name) = (Cell::new(now), Cell::new(false));
        let node = Node { id: self.next_id, modified, has_name, content, budget: self.budget.clone() };
        self.next_id += 1;
        Ok(Rc::new(node))
    }

    pub(crate) fn remove(&mut self, path: &str, kind: Kind, now: u64) -> Result<(), FileError> {
        let (parent, name) = self.parent(path)?;
        let mut entries = parent.entries()?.borrow_mut();
        let node = entries.get(name).ok_or(FileError::NotFound)?;
        match (&node.content, kind) {
            (Content::Directory(inner), Kind::Directory) if !inner.borrow().is_empty() => {
                return Err(FileError::NotEmpty);
            }
            (Content::Directory(_), Kind::Directory) | (Content::File(_), Kind::File | Kind::Other) => {}
            (Content::Directory(_), _) => return Err(FileError::IsDirectory),
            (Content::File(_), Kind::Directory) => return Err(FileError::NotDirectory),
        }
        node.has_name.set(false);
        entries.remove(name);
        parent.modified.set(now);
        Ok(())
    }

    pub(crate) fn rename(&mut self, source: &str, target: &str, now: u64) -> Result<(), FileError> {
        let moved = self.find(source)?;
        let (source_parent, source_name) = self.parent(source)?;
        let (target_parent, target_name) = self.parent(target)?;
        if source == target {
            return Ok(());
        }
        if super::path::below(target, source).is_some() {
            return Err(FileError::Invalid);
        }
        if let Some(replaced) = target_parent.entries()?.borrow().get(target_name) {
            match (&moved.content, &replaced.content) {
                (Content::Directory(_), Content::Directory(inner)) if !inner.borrow().is_empty() => {
                    return Err(FileError::NotEmpty);
                }
                (Content::Directory(_), Content::File(_)) => return Err(FileError::NotDirectory),
                (Content::File(_), Content::Directory(_)) => return Err(FileError::IsDirectory),
                _ => {}
            }
        }
        source_parent.entries()?.borrow_mut().remove(source_name);
        if let Some(replaced) = target_parent.entries()?.borrow_mut().insert(target_name.to_owned(), moved) {
            replaced.has_name.set(false);
        }
        source_parent.modified.set(now);
        target_parent.modified.set(now);
        Ok(())
    }

    fn parent<'a>(&self, path: &'a str) -> Result<(Rc<Node>, &'a str), FileError> {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = self.find(parent)?;
        if name.is_empty() { Err(FileError::Busy) } else { Ok((parent, name)) }
    }
}

impl Node {
    /// Whether a directory contains it.
    pub(crate) fn has_name(&self) -> bool {
        self.has_name.get()
    }

    pub(crate) fn status(&self) -> Status {
        let (kind, size) = match &self.content {
            Content::File(pages) => (Kind::File, pages.borrow().length()),
            Content::Directory(_) => (Kind::Directory, 0),
        };
        Status { kind, size, modified: self.modified.get() }
    }

    pub(crate) fn list(&self) -> Result<Vec<(String, Kind)>, FileError> {
        Ok(self.entries()?.borrow().iter().map(|(name, node)| (name.clone(), node.status().kind)).collect())
    }

    pub(crate) fn read(&self, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        self.pages()?.borrow().read(offset, u64::from(length))
    }

    pub(crate) fn write(&self, offset: Option<u64>, bytes: &[u8], now: u64) -> Result<(), FileError> {
        let mut pages = self.pages()?.borrow_mut();
        let offset = offset.unwrap_or(pages.length());
        self.modified.set(now);
        pages.write(offset, bytes)
    }

    pub(crate) fn resize(&self, length: u64, now: u64) -> Result<(), FileError> {
        self.pages()?.borrow_mut().resize(length)?;
        self.modified.set(now);
        Ok(())
    }

    pub(crate) fn set_modified(&self, modified: u64) {
        self.modified.set(modified);
    }

    fn pages(&self) -> Result<&RefCell<Pages>, FileError> {
        match &self.content {
            Content::File(pages) => Ok(pages),
            Content::Directory(_) => Err(FileError::IsDirectory),
        }
    }

    fn entries(&self) -> Result<&RefCell<BTreeMap<String, Rc<Node>>>, FileError> {
        match &self.content {
            Content::Directory(entries) => Ok(entries),
            Content::File(_) => Err(FileError::NotDirectory),
        }
    }
}
