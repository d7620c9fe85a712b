//! Normalised paths.

use isolette_abi::files::FileError;

/// The limits of POSIX systems.
const PATH_LIMIT: usize = 4096;
const NAME_LIMIT: usize = 255;

/// An absolute path in the guest, without `.`, `..` and repeated slashes. There are no links, so `..` can be resolved by name, once
/// it is known that the directory that it leaves exists (`walk`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GuestPath {
    /// `/` or `/a/b`.
    text: String,
    /// Whether it ended with a slash, and so must be a directory.
    directory: bool,
    /// Whether it ended with a slash after a name.
    slash: bool,
}

impl GuestPath {
    pub(crate) fn root() -> Self {
        Self { text: "/".into(), directory: true, slash: false }
    }

    /// Parses a path from the root, with or without its first slash.
    pub(crate) fn absolute(path: &str) -> Result<Self, FileError> {
        if path.is_empty() {
            return Err(FileError::NotFound);
        }
        Self::root().resolve(path)
    }

    /// Parses a path from this directory, which `..` can leave, up to the root.
    pub(crate) fn join(&self, path: &str) -> Result<Self, FileError> {
        match path {
            "" => Err(FileError::NotFound),
            // In WASI, directories are capabilities, so a path that ignores its directory is rejected.
            _ if path.starts_with('/') => Err(FileError::Access),
            _ => self.resolve(path),
        }
    }

    fn resolve(&self, path: &str) -> Result<Self, FileError> {
        if path.contains('\0') {
            return Err(FileError::Invalid);
        }
        if path.len() > PATH_LIMIT {
            return Err(FileError::NameTooLong);
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
        let slash =
            path.ends_with('/') && !matches!(path.trim_end_matches('/').rsplit('/').next(), Some("" | "." | ".."));
        if text.len() > PATH_LIMIT { Err(FileError::NameTooLong) } else { Ok(Self { text, directory, slash }) }
    }

    /// The directories below this one that a path leaves by `..`, which must exist: each that it goes into before.
    pub(crate) fn left_by(&self, path: &str) -> Vec<Self> {
        let mut left = Vec::new();
        let mut parts: Vec<&str> = self.parts().collect();
        let mut goes_in = false;
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    if goes_in {
                        left.push(Self { text: format!("/{}", parts.join("/")), directory: true, slash: false });
                    }
                    goes_in = false;
                    parts.pop();
                }
                _ => {
                    goes_in = true;
                    parts.push(part);
                }
            }
        }
        left
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn must_be_directory(&self) -> bool {
        self.directory
    }

    pub(crate) fn ends_with_slash(&self) -> bool {
        self.slash
    }

    pub(crate) fn is_root(&self) -> bool {
        self.text == "/"
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        parts(&self.text)
    }

    /// The path relative to `directory`, if it is that or below it.
    pub(crate) fn below<'a>(&'a self, directory: &str) -> Option<&'a str> {
        below(&self.text, directory)
    }
}

/// The names in a path.
pub(crate) fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

/// The path relative to `directory`, if it is that (then empty) or below it.
pub(crate) fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?;
    match rest {
        "" => Some(""),
        _ => rest.strip_prefix('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> String {
        GuestPath::absolute(path).map_or_else(|error| format!("{error:?}"), |path| path.text)
    }

    #[test]
    fn paths_become_plain() {
        assert_eq!(text("/a/b"), "/a/b");
        assert_eq!(text("a//b/./c/"), "/a/b/c");
        assert_eq!(text("/"), "/");
        assert_eq!(text("//./"), "/");
        assert_eq!(text("/ä/😀 x"), "/ä/😀 x");
    }

    #[test]
    fn nothing_leads_out_of_the_root() {
        assert_eq!(text("/a/../../../etc/passwd"), "/etc/passwd");
        assert_eq!(text("/.."), "/");
        assert_eq!(text("/a/..b/..."), "/a/..b/...");
    }

    #[test]
    fn bad_names_have_different_errors() {
        assert_eq!(text(""), "NotFound");
        assert_eq!(text("/a\0b"), "Invalid");
        assert_eq!(text(&format!("/{}", "n".repeat(NAME_LIMIT))).len(), NAME_LIMIT + 1);
        assert_eq!(text(&format!("/{}", "n".repeat(NAME_LIMIT + 1))), "NameTooLong");
        assert_eq!(text(&"a/".repeat(PATH_LIMIT)), "NameTooLong");
    }

    #[test]
    fn a_long_directory_and_a_long_path_are_too_long_together() {
        let long = "a/".repeat(PATH_LIMIT / 2 - 10);
        let directory = GuestPath::absolute(&long).expect("it is short enough");
        assert_eq!(directory.join(&long), Err(FileError::NameTooLong));
    }

    #[test]
    fn joining_needs_a_relative_path() {
        let directory = GuestPath::absolute("/data/in").expect("a plain path");
        assert_eq!(directory.join("../out/x").map(|path| path.text), Ok("/data/out/x".into()));
        assert_eq!(directory.join(".").map(|path| path.text), Ok("/data/in".into()));
        assert_eq!(directory.join("/etc"), Err(FileError::Access));
        assert_eq!(directory.join(""), Err(FileError::NotFound));
    }

    #[test]
    fn directories_that_are_left_are_those_before_two_dots() {
        let left = |path: &str| {
            let from = GuestPath::absolute("/data").expect("a plain path");
            from.left_by(path).into_iter().map(|path| path.text).collect::<Vec<_>>()
        };
        assert_eq!(left("a/b"), [""; 0]);
        assert_eq!(left("../x/./"), [""; 0]);
        assert_eq!(left("a/b/../../c"), ["/data/a/b"], "what contains a directory exists as well");
        assert_eq!(left("a/../b/./c//../d/.."), ["/data/a", "/data/b/c", "/data/b/d"]);
        assert_eq!(left("../../../etc/.."), ["/etc"]);
    }

    #[test]
    fn a_slash_at_the_end_means_a_directory() {
        for path in ["/a/", "/a/.", "/a/b/..", "/"] {
            assert!(GuestPath::absolute(path).expect("a plain path").must_be_directory(), "{path}");
        }
        assert!(!GuestPath::absolute("/a/b").expect("a plain path").must_be_directory());
    }

    #[test]
    fn names_that_only_begin_alike_are_not_below() {
        assert_eq!(below("/input2/a", "/input"), None);
        assert_eq!(below("/input/a", "/input"), Some("a"));
        assert_eq!(below("/input", "/input"), Some(""));
        assert_eq!(below("/", "/input"), None);
        assert_eq!(below("/a", "/"), Some("a"));
    }
}
