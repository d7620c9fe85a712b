//! Records the paths that a run has changed in `/output`, so that its outcome lists only those files.

use std::{
    collections::{BTreeSet, btree_set},
    ops::Bound,
};

/// Maximum memory in bytes for recorded paths: a thousand paths of maximum length, the number of files that an outcome
/// lists.
const ROOM: usize = 4 << 20;

/// Overhead in bytes of a recorded path, in addition to the path itself.
const EACH: usize = 64;

/// Changed paths inside the mount: a file, or a directory with all its contents. No recorded path is below another one.
#[derive(Debug, Default)]
pub struct Changes {
    paths: BTreeSet<String>,
    kept: usize,
    more: bool,
}

impl Changes {
    /// Records that the file or directory at this path is new or was changed.
    pub(super) fn note(&mut self, path: &str) {
        let above = || path.match_indices('/').map(|(end, _)| &path[..end]);
        if self.paths.contains(path) || above().any(|directory| self.paths.contains(directory)) {
            return;
        }
        // A program that creates more files than an outcome lists must not fill the host's memory with their names.
        if self.kept + path.len() + EACH > ROOM {
            self.more = true;
            return;
        }
        self.kept += path.len() + EACH;
        self.paths.insert(path.to_owned());
    }

    /// Records that nothing exists any more at this path or below it.
    pub(super) fn forget(&mut self, path: &str) {
        // Paths below begin with the path and a slash; the character after the slash is the digit zero.
        let (first, end) = (format!("{path}/"), format!("{path}0"));
        let below = self.paths.range::<str, _>((Bound::Included(&*first), Bound::Excluded(&*end)));
        let gone: Vec<String> = below.cloned().chain([path.to_owned()]).collect();
        for path in gone {
            if self.paths.remove(&path) {
                self.kept -= path.len() + EACH;
            }
        }
    }

    /// Whether nothing was changed.
    pub fn is_none(&self) -> bool {
        self.paths.is_empty() && !self.more
    }

    /// Records that there are more changes than are known.
    pub(super) fn note_more(&mut self) {
        self.more = true;
    }

    /// Whether more was changed than is recorded.
    pub(super) fn more(&self) -> bool {
        self.more
    }

    pub(super) fn paths(&self) -> btree_set::Iter<'_, String> {
        self.paths.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted<'a>(paths: impl IntoIterator<Item = &'a str>) -> Changes {
        let mut changes = Changes::default();
        paths.into_iter().for_each(|path| changes.note(path));
        changes
    }

    fn all(changes: &Changes) -> Vec<&str> {
        changes.paths().map(String::as_str).collect()
    }

    #[test]
    fn what_is_below_something_new_is_not_kept_besides() {
        let changes = noted(["d", "d/a", "d/a/b", "d-e", "d.f/a", "e/a"]);
        assert_eq!(all(&changes), ["d", "d-e", "d.f/a", "e/a"]);
    }

    #[test]
    fn what_is_gone_is_gone_with_all_below_it_and_nothing_else() {
        let mut changes = noted(["d/a", "d/b/c", "d-e", "d0", "da"]);
        changes.forget("d");
        assert_eq!(all(&changes), ["d-e", "d0", "da"]);
        ["d-e", "d0", "da", "never"].into_iter().for_each(|path| changes.forget(path));
        assert!(changes.is_none());
        assert_eq!(changes.kept, 0);
    }

    #[test]
    fn there_is_an_end_to_what_is_kept() {
        let long = "x".repeat(4000);
        let mut changes = Changes::default();
        (0..100_000).for_each(|number| changes.note(&format!("{number:06}{long}")));
        assert!(changes.more() && changes.kept <= ROOM);
        assert!(changes.paths().count() >= 1000);
        changes.forget(&format!("000000{long}"));
        assert!(changes.more(), "what was left out is not there again");
    }
}
