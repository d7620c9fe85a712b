//! Names of files, made plain before anything looks at them.

use isolette_abi::files::FileError;

/// As POSIX systems have it.
const PATH_LIMIT: usize = 4096;
const NAME_LIMIT: usize = 255;

/// An absolute path in the guest's view, without `.`, `..` and doubled slashes. Links are never seen in here, so that
/// `..` may be resolved by the name alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GuestPath {
    /// `/` or `/a/b`.
    text: String,
    /// Written with a slash at its end: it means a directory or nothing.
    directory: bool,
}

impl GuestPath {
    pub(crate) fn root() -> Self {
        Self { text: "/".into(), directory: true }
    }

    /// A path from the root, with or without its first slash.
    pub(crate) fn absolute(path: &str) -> Result<Self, FileError> {
        Self::root().join(path.trim_start_matches('/')).or_else(|error| match path {
            "/" => Ok(Self::root()),
            _ => Err(error),
        })
    }

    /// A path from this directory, which `..` can leave, up to the root.
    pub(crate) fn join(&self, path: &str) -> Result<Self, FileError> {
        match path {
            "" => return Err(FileError::NotFound),
            _ if path.starts_with('/') => return Err(FileError::Access),
            _ if path.contains('\0') => return Err(FileError::Invalid),
            _ if path.len() > PATH_LIMIT => return Err(FileError::NameTooLong),
            _ => {}
        }
        let mut parts: Vec<&str> = self.parts().collect();
        let mut directory = false;
        for part in path.split('/') {
            directory = matches!(part, "" | "." | "..");
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                _ if part.len() > NAME_LIMIT => return Err(FileError::NameTooLong),
                _ => parts.push(part),
            }
        }
        let text = format!("/{}", parts.join("/"));
        if text.len() > PATH_LIMIT { Err(FileError::NameTooLong) } else { Ok(Self { text, directory }) }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn must_be_directory(&self) -> bool {
        self.directory
    }

    pub(crate) fn is_root(&self) -> bool {
        self.text == "/"
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        parts(&self.text)
    }

    /// The way down to this from `directory`, if it is that or in it.
    pub(crate) fn below<'a>(&'a self, directory: &str) -> Option<&'a str> {
        below(&self.text, directory)
    }
}

/// The names in a path, one after the other.
pub(crate) fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

/// The way down from `directory` to `path`, if it is that (then empty) or in it.
pub(crate) fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?;
    match rest {
        "" => Some(""),
        _ => rest.strip_prefix('/'),
    }
}
