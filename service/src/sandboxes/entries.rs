//! What is in the folders of a sandbox, and changes of names.

use std::{
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use cap_std::fs::{Dir, Metadata, MetadataExt as _};

use super::files::{DEPTH, FileKind, Folder, LISTED, inner, refused, shown};
use crate::failure::Failure;

/// A file or a folder of a sandbox.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// The path in guests.
    pub(crate) path: String,
    /// Of a link, the kind of where it leads.
    pub(crate) kind: FileKind,
    pub(crate) size: u64,
    /// The permissions.
    pub(crate) mode: u32,
    pub(crate) modified: SystemTime,
    pub(crate) is_link: bool,
}

impl Entry {
    fn at(root: &Dir, inner: &Path) -> io::Result<Self> {
        let own = root.symlink_metadata(inner)?;
        let is_link = own.is_symlink();
        // A link that leads nowhere, or out of the sandbox, is of no kind.
        let metadata = if is_link { root.metadata(inner).unwrap_or(own) } else { own };
        Ok(Self {
            name: inner.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            path: format!("/{}", inner.display()).trim_end_matches('/').to_owned(),
            kind: FileKind::of(&metadata),
            size: if metadata.is_file() { metadata.len() } else { 0 },
            mode: metadata.mode() & 0o777,
            modified: modified(&metadata),
            is_link,
        })
    }
}

fn modified(metadata: &Metadata) -> SystemTime {
    metadata.modified().map_or(SystemTime::UNIX_EPOCH, cap_std::time::SystemTime::into_std)
}

/// Maximum bytes of all paths that are listed together.
const PATHS: usize = 2 << 20;

impl Folder {
    pub(crate) fn entry(&self, path: &str) -> Result<Entry, Failure> {
        let inner = inner(path)?;
        Entry::at(&self.open()?, &inner).map_err(|error| refused(path, &error))
    }

    /// Lists a folder and what is below it, `depth` levels deep, each folder before what is in it. Links are listed and not followed.
    pub(crate) fn entries(&self, path: &str, depth: u32) -> Result<Vec<Entry>, Failure> {
        let inner = inner(path)?;
        let root = self.open()?;
        let refused = |error: io::Error| refused(path, &error);
        if !root.metadata(&inner).map_err(refused)?.is_dir() {
            return Err(Failure::invalid(format!("`{}` is not a directory", shown(path)), "name a directory"));
        }
        let (mut found, mut bytes) = (Vec::new(), 0);
        // The next one is the last. Levels are bounded as those of snapshots are.
        let mut rest = vec![(inner, 0_u32)];
        while let Some((folder, level)) = rest.pop() {
            if level > 0 {
                match Entry::at(&root, &folder) {
                    // A program may remove it at the same time.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    entry => found.push(entry.map_err(refused)?),
                }
                let is_folder = found.last().is_some_and(|entry| entry.kind == FileKind::Directory && !entry.is_link);
                if !is_folder || level >= depth.min(DEPTH) {
                    continue;
                }
            }
            let mut names: Vec<PathBuf> = Vec::new();
            let entries = match root.read_dir(&folder) {
                Err(error) if level > 0 && error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(refused)?,
            };
            for entry in entries {
                let name = folder.join(entry.map_err(refused)?.file_name());
                bytes += name.as_os_str().len();
                names.push(name);
                if names.len() + rest.len() + found.len() > LISTED || bytes > PATHS {
                    return Err(Failure::too_many_entries(&shown(path), LISTED));
                }
            }
            names.sort_unstable_by(|one, other| other.cmp(one));
            rest.extend(names.into_iter().map(|name| (name, level + 1)));
        }
        Ok(found)
    }

    /// Makes a directory, and those above it. Fails if it exists.
    pub(crate) fn make_directory(&self, path: &str, room: u64) -> Result<Entry, Failure> {
        let inner = inner(path)?;
        self.check_room(room)?;
        let root = self.open()?;
        match root.metadata(&inner) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::conflict(format!("the directory `{}` exists", shown(path)), "use it"));
            }
            Ok(_) => {
                let message = format!("`{}` exists, and is not a directory", shown(path));
                return Err(Failure::invalid(message, "choose another name, or remove it"));
            }
            Err(_) => root.create_dir_all(&inner).map_err(|error| refused(path, &error))?,
        }
        self.entry(path)
    }

    /// Renames a file or a folder, and makes the folders above its new name. A file with the new name is replaced.
    pub(crate) fn rename(&self, from: &str, to: &str, room: u64) -> Result<Entry, Failure> {
        let (before, after) = (named(from)?, named(to)?);
        self.check_room(room)?;
        let root = self.open()?;
        root.symlink_metadata(&before).map_err(|error| refused(from, &error))?;
        if after.starts_with(&before) && after != before {
            let message = format!("`{}` is in `{}`", shown(to), shown(from));
            return Err(Failure::invalid(message, "choose a name outside of the folder that is renamed"));
        }
        if let Some(parent) = after.parent() {
            root.create_dir_all(parent).map_err(|error| refused(to, &error))?;
        }
        root.rename(&before, &root, &after).map_err(|error| refused(to, &error))?;
        self.entry(to)
    }

    /// Removes a file, or a folder with everything in it, if it exists.
    pub(crate) fn remove_if_there(&self, path: &str) -> Result<(), Failure> {
        match self.delete(path) {
            Err(failure) if failure.status == http::StatusCode::NOT_FOUND => Ok(()),
            done => done,
        }
    }
}

/// The path of something in a mount that can have another name.
fn named(path: &str) -> Result<PathBuf, Failure> {
    let inner = inner(path)?;
    match inner.components().count() {
        0 | 1 => Err(Failure::invalid(format!("`{}` is always there", shown(path)), "name what is in it")),
        _ => Ok(inner),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn folders_are_listed_in_order_and_links_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::of(root.path().join("sandbox"));
        folder.create().unwrap();
        for path in ["b/c/d.txt", "b/a.txt", "a.txt"] {
            folder.write(path, b"12").unwrap();
        }
        fs::write(root.path().join("secret"), "secret").unwrap();
        symlink(root.path(), root.path().join("sandbox/workspace/z")).unwrap();
        symlink("b", root.path().join("sandbox/workspace/y")).unwrap();
        let list = |path: &str, depth| -> Vec<String> {
            folder.entries(path, depth).unwrap().into_iter().map(|entry| entry.path).collect()
        };
        assert_eq!(list("/workspace", 1), ["/workspace/a.txt", "/workspace/b", "/workspace/y", "/workspace/z"]);
        assert_eq!(list("b", 1), ["/workspace/b/a.txt", "/workspace/b/c"]);
        let all = ["a.txt", "b", "b/a.txt", "b/c", "b/c/d.txt", "y", "z"].map(|path| format!("/workspace/{path}"));
        assert_eq!(list("", u32::MAX), all);
        assert_eq!(list("", 3), all);
        assert_eq!(list("", 2), all.iter().filter(|path| !path.ends_with("d.txt")).cloned().collect::<Vec<_>>());
        let kinds =
            ["y", "z", "b", "a.txt"].map(|path| folder.entry(path).map(|entry| (entry.kind, entry.is_link)).unwrap());
        let (folders, file) = (FileKind::Directory, FileKind::File);
        assert_eq!(kinds, [(folders, true), (FileKind::Other, true), (folders, false), (file, false)]);
        for path in ["a.txt", "none", "z", "../.."] {
            assert!(folder.entries(path, 1).is_err(), "{path}");
        }
        assert_eq!(folder.entry("z/secret").unwrap_err().status, 400);
    }

    #[test]
    fn names_change_within_the_sandbox() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::of(root.path().join("sandbox"));
        folder.create().unwrap();
        folder.write("a/b.txt", b"b").unwrap();
        assert_eq!(folder.rename("a/b.txt", "/output/new/c.txt", 1 << 20).unwrap().path, "/output/new/c.txt");
        assert_eq!(folder.rename("a", "d", 1 << 20).unwrap().kind, FileKind::Directory);
        for (from, to, status) in [
            ("none", "e", 404),
            ("d", "d/e", 400),
            ("d", "../../e", 400),
            ("/workspace", "/output/w", 400),
            ("d", "/output", 400),
            ("d", "/tmp/e", 400),
        ] {
            assert_eq!(folder.rename(from, to, 1 << 20).unwrap_err().status, status, "{from} {to}");
        }
        let made = |path: &str| {
            folder.make_directory(path, 1 << 20).map(|entry| entry.path).map_err(|failure| failure.status.as_u16())
        };
        assert_eq!(made("x/y/z"), Ok("/workspace/x/y/z".into()));
        assert_eq!((made("x/y/z"), made("/output/new/c.txt"), made("/etc")), (Err(409), Err(400), Err(400)));
        assert_eq!(folder.make_directory("full", 0).unwrap_err().status, 507);
        folder.remove_if_there("x").unwrap();
        folder.remove_if_there("x").unwrap();
        assert_eq!(folder.entry("x/y").unwrap_err().status, 404);
        assert!(folder.remove_if_there("/workspace").is_err());
    }
}
